import type { Command } from 'commander'
import { Option } from 'commander'
import { dirname, relative } from 'node:path'
import { extendBaseline, printBaseline, pruneBaseline, type BaselineChange } from '../../gate/index.js'
import { cleanLine } from '../../report/clean.js'
import { locateSupabase } from '../../project/locate.js'
import { analysisOptions, prepareAnalysis, type AnalysisFlags } from '../analysis.js'
import { readBaseline } from '../baseline-file.js'
import { ExitCode, exitCodeOf } from '../exit-code.js'
import { prepareGates } from '../gates.js'
import { writeOutput } from '../outputs.js'
import type { Services } from '../services.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'

interface BaselineFlags extends AnalysisFlags {
  readonly baseline?: string
  readonly reason: string
  readonly prune?: boolean
}

/** `tick-audit baseline [PATH]`: writes down what is found now, so that only what comes later fails. */
export function baselineCommand(
  command: Command,
  terminal: Terminal,
  services: Services,
  done: (code: ExitCode) => void,
): Command {
  return analysisOptions(command)
    .description('accept the findings of today: write them to the baseline, with a reason each')
    .argument('[path]', 'as for an audit')
    .option('--baseline <file>', 'the file to write (default: tick-audit-baseline.json beside the supabase folder)')
    .addOption(new Option('--reason <text>', 'the reason of new entries').default('accepted on first run'))
    .option('--prune', 'take out the entries whose finding is gone, and add nothing')
    .action(async (path: string | undefined, flags: BaselineFlags) => {
      done(await writeBaseline(path ?? null, flags, terminal, services))
    })
}

async function writeBaseline(
  path: string | null,
  flags: BaselineFlags,
  terminal: Terminal,
  services: Services,
): Promise<ExitCode> {
  if (flags.reason.trim() === '') throw new UsageError('--reason is empty: say why the findings may stay.')
  const supabase = locateSupabase(path, process.cwd())
  if (typeof supabase !== 'string') {
    terminal.stderr(`tick-audit: ${cleanLine(supabase.message)}\n`)
    return supabase.kind === 'path-missing' ? ExitCode.usage : ExitCode.nothing
  }
  const { options, baseline } = await prepareAnalysis(path, flags, services)
  const before = readBaseline(dirname(supabase), flags.baseline || baseline || null, false)
  const gate = await prepareGates(path, { baseline: false }, services)
  const audit = await services.audit()
  const outcome = gate(await audit(path, options))
  if (outcome.kind !== 'report') {
    terminal.stderr(`tick-audit: ${cleanLine(outcome.message)}\n`)
    return exitCodeOf(outcome, { failOn: 'none', strict: false, allowEmpty: false })
  }
  // What could not be analysed for a fault of ours must not be pruned or thought complete.
  if (outcome.faults.length > 0) {
    terminal.stderr(`tick-audit: fault of tick-audit in ${outcome.faults[0]!.where}; the baseline was not written\n`)
    return ExitCode.fault
  }
  const change =
    flags.prune === true
      ? pruneBaseline(outcome.report, before.baseline ?? { schemaVersion: '1.0', entries: [] }, outcome.omitted)
      : extendBaseline(outcome.report, before.baseline, flags.reason.trim(), outcome.omitted)
  const name = relative(process.cwd(), before.path) || before.path
  if (before.baseline !== null || change.baseline.entries.length > 0)
    writeOutput(before.path, printBaseline(change.baseline))
  terminal.stdout(`${summary(name, change, flags.prune === true)}\n`)
  return ExitCode.clean
}

function summary(name: string, { baseline, added, stale }: BaselineChange, prune: boolean): string {
  const total = baseline.entries.length
  const parts = [
    ...(added > 0 ? [`${added} new`] : []),
    ...(stale > 0
      ? [prune ? `${stale} taken out` : `${stale} stale: --prune takes ${stale === 1 ? 'it' : 'them'} out`]
      : []),
  ]
  return `${name}: ${total === 1 ? '1 entry' : `${total} entries`}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`
}
