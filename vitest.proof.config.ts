import { defineConfig } from 'vitest/config'
import { resolve } from './vitest.config.js'

/** The long form of the real runs: `npm run proof`. */
export default defineConfig({
  resolve,
  test: {
    include: ['test/race/*.test.ts'],
    env: { TICK_AUDIT_PROOF: 'long' },
    testTimeout: 60_000,
  },
})
