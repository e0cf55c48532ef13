import { defineConfig } from 'vitest/config'

/** The long form of the fuzzing: `npm run fuzz`. TICK_AUDIT_FUZZ_RUNS and TICK_AUDIT_FUZZ_SEED say how much and from where. */
export default defineConfig({
  test: {
    include: ['test/strength/fuzz.test.ts'],
    env: { TICK_AUDIT_FUZZ_RUNS: process.env.TICK_AUDIT_FUZZ_RUNS ?? '5000' },
  },
})
