import { cleanLine } from '../report/clean.js'

/** One line for a fault of tick-audit itself. */
export function faultLine(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return `tick-audit: fault of tick-audit itself: ${cleanLine(reason)} (please report it; -v shows where)\n`
}
