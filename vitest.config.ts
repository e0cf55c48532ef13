import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    maxWorkers: 2, // many tests wait for a server, Deno or npm: on two cores this takes two thirds of the time of one worker
  },
})
