import { defineConfig } from 'vitest/config'
import { resolve } from '../../vitest.config.js'

/** The long form of the fuzzing and of the sizes: `npm run fuzz`. TICK_AUDIT_FUZZ_RUNS and TICK_AUDIT_FUZZ_SEED say how much and from where. */
export default defineConfig({
  resolve,
  test: {
    include: ['test/strength/fuzz.test.ts', 'test/strength/huge.test.ts'],
    fileParallelism: false, // times are measured
    hookTimeout: 120_000, // to remove a hundred thousand files
    env: { TICK_AUDIT_FUZZ_RUNS: process.env.TICK_AUDIT_FUZZ_RUNS ?? '5000', TICK_AUDIT_HUGE: 'long' },
  },
})
