import { Option, type Command } from 'commander'
import { cleanLine } from '../../report/clean.js'
import { analysisOptions, prepareAnalysis, type AnalysisFlags } from '../analysis.js'
import { useColor, type ColorChoice } from '../color.js'
import { ExitCode } from '../exit-code.js'
import { outputsOf, parseOutput, writeOutput, type Output } from '../outputs.js'
import { progressOn } from '../progress.js'
import type { Services } from '../services.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'

interface TicksFlags extends AnalysisFlags {
  readonly format: readonly Output[]
  readonly all?: boolean
  readonly allowEmpty?: boolean
  readonly color: ColorChoice
  readonly verbose?: boolean
}

/** `tick-audit ticks [PATH]`: which job calls what, when, and whether that is sound. Findings do not change its exit code. */
export function ticksCommand(
  command: Command,
  terminal: Terminal,
  services: Services,
  done: (code: ExitCode) => void,
): Command {
  command
    .description('list the ticks: job, schedule, function, verdict, overlap')
    .argument('[path]', 'as for an audit')
    .addOption(
      new Option('-f, --format <format[=file]>', 'text (a table) or json; may be repeated')
        .argParser((value: string, before: readonly Output[]) => [...before, parseOutput(value)])
        .default([], 'text'),
    )
    .option('--all', 'also the jobs that only run SQL')
    .option('--allow-empty', 'exit with 0, not 3, where there is nothing to list')
  return analysisOptions(command)
    .addOption(new Option('--color <when>', 'whether to colour').choices(['auto', 'always', 'never']).default('auto'))
    .option('-v, --verbose', 'every step taken')
    .action(async (path: string | undefined, flags: TicksFlags) => {
      done(await listTicks(path ?? null, flags, terminal, services))
    })
}

async function listTicks(
  path: string | null,
  flags: TicksFlags,
  terminal: Terminal,
  services: Services,
): Promise<ExitCode> {
  const outputs = outputsOf(flags.format)
  const other = outputs.find(({ format }) => format !== 'text' && format !== 'json')
  if (other) throw new UsageError(`ticks has no format "${other.format}": the formats are text, json.`)
  const { options } = await prepareAnalysis(path, flags, services)
  const audit = await services.audit()
  const progress = progressOn(terminal, { quiet: false, verbose: flags.verbose === true })
  const outcome = await audit(path, {
    ...options,
    ...(progress === null ? {} : { onProgress: progress.show }),
  }).finally(() => progress?.clear())
  if (outcome.kind !== 'report') {
    terminal.stderr(`tick-audit: ${cleanLine(outcome.message)}\n`)
    if (outcome.kind === 'unreadable') return ExitCode.usage
    return flags.allowEmpty === true ? ExitCode.clean : ExitCode.nothing
  }
  const { renderTicksJson, renderTicksTable, ticksOf } = await import('../../report/ticks.js')
  const quiet = outcome.quiet ?? []
  const ticks = ticksOf(outcome.report, flags.all === true ? quiet : null)
  for (const { format, file } of outputs) {
    const style = {
      color: file === null && useColor(flags.color, terminal),
      width: (file === null ? terminal.columns : null) ?? Number.POSITIVE_INFINITY,
      hidden: flags.all === true ? 0 : quiet.length,
    }
    const document = format === 'json' ? renderTicksJson(ticks) : renderTicksTable(ticks, style)
    if (file === null) terminal.stdout(document)
    else writeOutput(file, document)
  }
  for (const fault of outcome.faults)
    terminal.stderr(`tick-audit: fault of tick-audit in ${cleanLine(`${fault.where}: ${fault.message}`)}\n`)
  return outcome.faults.length > 0 ? ExitCode.fault : ExitCode.clean
}
