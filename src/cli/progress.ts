import { cleanLine } from '../report/clean.js'
import type { Terminal } from './terminal.js'

export interface Progress {
  readonly show: (message: string) => void
  /** Leaves nothing behind on a terminal. */
  readonly clear: () => void
}

const START_OF_LINE = '\r\u001b[2K'

/** A run that is over sooner says nothing on the way. */
const SILENT_MS = 1000

/**
 * Where progress goes: after a second, one line that is written over on a terminal; one line a step with -v; else nowhere
 * (null).
 */
export function progressOn(terminal: Terminal, options: { quiet: boolean; verbose: boolean }): Progress | null {
  if (options.verbose) return { show: (message) => terminal.stderr(`${cleanLine(message)}\n`), clear: () => {} }
  if (options.quiet || !terminal.stderrIsTTY || terminal.env.TERM === 'dumb') return null
  const room = Math.max(20, (terminal.columns ?? 80) - 1)
  const now = terminal.now ?? (() => performance.now())
  const start = now()
  let shown = false
  return {
    show: (message) => {
      if (now() - start < SILENT_MS) return
      shown = true
      terminal.stderr(START_OF_LINE + cleanLine(message).slice(0, room))
    },
    clear: () => {
      if (shown) terminal.stderr(START_OF_LINE)
    },
  }
}
