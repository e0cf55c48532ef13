import { cleanLine } from '../report/clean.js'

/** Measures the parts of a run, one after the other. */
export interface Stopwatch {
  /** Ends the part before, and begins one of this name. */
  readonly begin: (part: string) => void
  /** Ends the last part: a line a part and the whole, in milliseconds. */
  readonly table: () => string
}

export function stopwatch(now: () => number): Stopwatch {
  const parts: { name: string; start: number }[] = []
  return {
    begin: (name) => void parts.push({ name, start: now() }),
    table: () => {
      const end = now()
      const row = (milliseconds: number, name: string) =>
        `${milliseconds.toFixed(0).padStart(7)} ms  ${cleanLine(name)}\n`
      const rows = parts.map(({ name, start }, index) => row((parts[index + 1]?.start ?? end) - start, name))
      return [...rows, row(end - (parts[0]?.start ?? end), 'in all')].join('')
    },
  }
}
