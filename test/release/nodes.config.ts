import { defineConfig } from 'vitest/config'
import { resolve } from '../../vitest.config.js'

/** The other versions of Node that are promised: `npm run nodes`. TICK_AUDIT_NODES names others. */
export default defineConfig({
  resolve,
  test: {
    include: ['test/release/node.test.ts'],
    env: { TICK_AUDIT_NODES: process.env.TICK_AUDIT_NODES ?? '22.23.3 24.21.0' },
  },
})
