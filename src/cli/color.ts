import type { Terminal } from './terminal.js'

export type ColorChoice = 'auto' | 'always' | 'never'

/**
 * Whether to colour standard output. The option decides; `auto` asks NO_COLOR (no-color.org), then FORCE_COLOR (0 and
 * false mean no) and CLICOLOR_FORCE (bixense.com/clicolors), then TERM=dumb, then whether it is a terminal.
 */
export function useColor(choice: ColorChoice, terminal: Pick<Terminal, 'env' | 'stdoutIsTTY'>): boolean {
  if (choice !== 'auto') return choice === 'always'
  const { NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM } = terminal.env
  if (NO_COLOR) return false
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  if (CLICOLOR_FORCE && CLICOLOR_FORCE !== '0') return true
  return TERM !== 'dumb' && terminal.stdoutIsTTY
}
