import { Chalk, type ChalkInstance } from 'chalk'
import type { Severity, Verdict } from '../../model/index.js'

/** Every colour that the text report uses, by meaning. */
export interface Palette {
  readonly severity: Readonly<Record<Severity, (text: string) => string>>
  readonly verdict: Readonly<Record<Verdict, (text: string) => string>>
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
  readonly place: (text: string) => string
  /** Colours what stands between backticks. */
  readonly prose: (text: string) => string
}

/** The palette in the terminal's own sixteen colours, or one that leaves text as it is. */
export function paletteOf(color: boolean): Palette {
  const chalk = new Chalk({ level: color ? 1 : 0 })
  // Of one parameter only, so that a palette's function may be handed to `map`: chalk prints every argument.
  const paint =
    (style: ChalkInstance) =>
    (text: string): string =>
      style(text)
  return {
    severity: { error: paint(chalk.red.bold), warning: paint(chalk.yellow.bold), info: paint(chalk.blue.bold) },
    verdict: {
      race: paint(chalk.red),
      unknown: paint(chalk.yellow),
      broadcast: paint(chalk.yellow),
      safe: paint(chalk.green),
      'no-row-work': paint(chalk.dim),
    },
    strong: paint(chalk.bold),
    faint: paint(chalk.dim),
    place: paint(chalk.cyan),
    prose: (text) => text.replace(/`[^`\n]+`/g, (quoted) => chalk.cyan(quoted)),
  }
}
