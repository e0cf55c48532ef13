import { defineConfig } from 'vitest/config'

/** Vitest runs the sources as ECMAScript modules, and that one file is none: in tests the package itself takes its place. */
export const resolve = { alias: [{ find: /^\.\/morph\.cjs$/, replacement: 'ts-morph' }] }

export default defineConfig({
  resolve,
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    maxWorkers: 2, // many tests wait for a server, Deno or npm: on two cores this takes two thirds of the time of one worker
  },
})
