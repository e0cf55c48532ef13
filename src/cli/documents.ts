import type { SourceTexts } from '../audit.js'
import type { Report } from '../model/index.js'
import { formats } from '../report/index.js'
import { useColor, type ColorChoice } from './color.js'
import { writeOutput, type Output } from './outputs.js'
import type { Services } from './services.js'
import type { Terminal } from './terminal.js'

/** The options that say how a report looks. */
export interface LookFlags {
  readonly color: ColorChoice
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly showSuppressed?: boolean
}

/** Renders the report and writes it where the output says. Throws a UsageError where that file cannot be written. */
export async function writeDocument(
  output: Output,
  report: Report,
  sources: SourceTexts,
  flags: LookFlags,
  terminal: Terminal,
  services: Services,
): Promise<void> {
  const render = await formats[output.format].load()
  const document = render(report, {
    sources,
    rules: (await services.rules()).map((rule) => rule.meta),
    color: output.file === null && useColor(flags.color, terminal),
    width: (output.file === null ? terminal.columns : null) ?? Number.POSITIVE_INFINITY,
    verbose: flags.verbose === true,
    quiet: flags.quiet === true,
    showSuppressed: flags.showSuppressed === true,
  })
  if (output.file === null) terminal.stdout(document)
  else writeOutput(output.file, document)
}
