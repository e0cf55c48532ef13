import type { Command } from 'commander'
import { Option } from 'commander'
import type { AuditOutcome } from '../../audit.js'
import type { Report } from '../../model/index.js'
import { cleanLine } from '../../report/clean.js'
import { emptyReport } from '../../report/empty.js'
import { gapLine } from '../../report/gap.js'
import { formats } from '../../report/index.js'
import { didYouMean } from '../../closest.js'
import { analysisOptions, choiceOptions, prepareAnalysis, type AnalysisFlags, type ChoiceFlags } from '../analysis.js'
import { inActions, writeStepSummary } from '../actions.js'
import { writeDocument, type LookFlags } from '../documents.js'
import { ExitCode, exitCodeOf, type FailOn } from '../exit-code.js'
import { gateOptions, prepareGates, type GateFlags } from '../gates.js'
import { outputsOf, parseOutput, type Output } from '../outputs.js'
import { overlayOf, type OverlayFlags } from '../overlay.js'
import { progressOn } from '../progress.js'
import type { Services } from '../services.js'
import { stopwatch } from '../stopwatch.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'
import { version } from '../../package.js'

/** The options of `audit`, as commander hands them over. */
interface AuditFlags extends AnalysisFlags, ChoiceFlags, GateFlags, OverlayFlags, LookFlags {
  readonly format: readonly Output[]
  readonly printConfig?: boolean
  readonly strict?: boolean
  readonly allowEmpty?: boolean
  readonly debug?: 'timings'
}

/** Gives a command the arguments and options of an audit; `done` gets the exit code. */
export function auditCommand(
  command: Command,
  terminal: Terminal,
  services: Services,
  done: (code: ExitCode) => void,
): Command {
  command
    .argument('[path]', 'a supabase folder, or a folder that holds one (default: here, looking upwards)')
    .addOption(
      new Option('-f, --format <format[=file]>', `${Object.keys(formats).join(', ')}; may be repeated`)
        .argParser((value: string, before: readonly Output[]) => [...before, parseOutput(value)])
        .default([], 'text; github in GitHub Actions'),
    )
    .addOption(
      new Option(
        '--fail-on <severity>',
        'exit with 1 from this severity on: none, info, warning, error (default: error)',
      ).argParser(parseFailOn),
    )
    .option('--strict', 'exit with 4 where something could not be analysed')
    .option('--allow-empty', 'exit with 0, not 3, where there is nothing to audit')
  analysisOptions(command).option('--print-config', 'print the configuration of this run, and audit nothing')
  choiceOptions(command)
  gateOptions(command)
  return command
    .option('--stdin-filename <path>', 'read this file of the project from standard input, as an editor holds it')
    .addOption(new Option('--color <when>', 'whether to colour').choices(['auto', 'always', 'never']).default('auto'))
    .addOption(new Option('-q, --quiet', 'only the findings and their count').conflicts('verbose'))
    .option('-v, --verbose', 'also notes, suppressed findings and every step taken')
    .option('--cache', 'say again what an unchanged run said: where nothing has changed since, nothing is read anew')
    .option('--cache-location <file>', 'where its record is kept (default: in your cache folder, never in the project)')
    .addOption(new Option('--debug <what>', 'timings: how long each part took, on standard error').choices(['timings']))
    .action(async (path: string | undefined, flags: AuditFlags) => {
      done(await runAudit(path ?? null, flags, terminal, services))
    })
}

function parseFailOn(value: string): FailOn {
  const levels: readonly FailOn[] = ['none', 'info', 'warning', 'error']
  const level = value === 'warn' ? 'warning' : levels.find((name) => name === value)
  if (level === undefined) {
    const guess = didYouMean(value, [...levels, 'warn'])
    throw new UsageError(`--fail-on knows no "${value}".${guess} The severities are ${levels.join(', ')}.`)
  }
  return level
}

async function runAudit(
  path: string | null,
  flags: AuditFlags,
  terminal: Terminal,
  services: Services,
): Promise<ExitCode> {
  const outputs = outputsOf(flags.format, inActions(terminal) ? 'github' : 'text')
  const watch = stopwatch(terminal.now ?? (() => performance.now()))
  watch.begin('options, baseline, git')
  services.warmUp?.()
  const { settings, options, baseline } = await prepareAnalysis(path, flags, services)
  if (flags.printConfig === true) {
    terminal.stdout(`${JSON.stringify(settings.config, null, 2)}\n`)
    return ExitCode.clean
  }
  const gate = await prepareGates(path, { ...(baseline === undefined ? {} : { baseline }), ...flags }, services)
  const overlay = await overlayOf(path, flags, terminal)
  watch.begin('loading')
  const audit = await services.audit()
  const progress = progressOn(terminal, { quiet: flags.quiet === true, verbose: flags.verbose === true })
  const audited = await audit(path, {
    ...options,
    ...(overlay.size === 0 ? {} : { overlay }),
    onProgress: (message) => {
      watch.begin(message)
      progress?.show(message)
    },
  }).finally(() => progress?.clear())
  watch.begin('comments and baseline')
  const outcome = gate(audited)

  const unwritten: string[] = []
  const jobs = [
    ...outputs.map((output) => [output.format, () => write(output, outcome, flags, terminal, services)] as const),
    ['step summary', () => writeStepSummary(outcome, outputs, terminal)] as const,
  ]
  for (const [name, job] of jobs) {
    watch.begin(name)
    try {
      await job()
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      unwritten.push(error.message)
    }
  }
  sayMore(path, outcome, outputs, flags, terminal)
  for (const message of unwritten) say(message, terminal)
  if (flags.debug === 'timings') terminal.stderr(watch.table())

  const code = exitCodeOf(outcome, {
    failOn: settings.config.failOn,
    strict: flags.strict === true,
    failOnStale: flags.failOnStale === true,
    allowEmpty: flags.allowEmpty === true,
  })
  if (code === ExitCode.incomplete && outcome.kind === 'report') {
    say(`--strict: ${gapLine(outcome.report) ?? 'there are diagnostics'}`, terminal)
  }
  return unwritten.length > 0 && code !== ExitCode.fault ? ExitCode.usage : code
}

async function write(
  output: Output,
  outcome: AuditOutcome,
  flags: AuditFlags,
  terminal: Terminal,
  services: Services,
): Promise<void> {
  // What there is to say is said on standard error; a person needs no empty report as well.
  if (outcome.kind !== 'report' && output.format === 'text' && output.file === null) return
  const sources = outcome.kind === 'report' ? outcome.sources : () => null
  await writeDocument(output, reportOf(outcome), sources, flags, terminal, services)
}

/** The report; where there is none, an empty one that says why. */
function reportOf(outcome: AuditOutcome): Report {
  switch (outcome.kind) {
    case 'report':
      return outcome.report
    case 'nothing':
      return emptyReport(version(), { code: 'nothing-to-audit', severity: 'warning', message: outcome.message })
    case 'unreadable':
      return emptyReport(version(), { code: 'unreadable-path', severity: 'error', message: outcome.message })
  }
}

/** On standard error: why there is no report, what a short format leaves out, and faults of tick-audit itself. */
function sayMore(
  path: string | null,
  outcome: AuditOutcome,
  outputs: readonly Output[],
  flags: AuditFlags,
  terminal: Terminal,
): void {
  if (outcome.kind !== 'report') {
    const guess = path === null || /[/\\.]/.test(path) ? '' : didYouMean(path, ['rules', 'explain', 'audit', 'help'])
    say(outcome.message + guess, terminal)
    return
  }
  const gap = gapLine(outcome.report)
  const told = outputs.some((output) => formats[output.format].tellsCoverage)
  if (gap !== null && !told && flags.quiet !== true) say(`${gap}; --format text says which and why`, terminal)
  for (const fault of outcome.faults) {
    say(
      `fault of tick-audit in ${fault.where}: ${fault.message}; please report it, the rest of the audit stands`,
      terminal,
    )
    if (flags.verbose === true && fault.stack !== undefined) terminal.stderr(`${fault.stack}\n`)
  }
}

function say(text: string, terminal: Terminal): void {
  terminal.stderr(`tick-audit: ${cleanLine(text)}\n`)
}
