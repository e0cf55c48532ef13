import { dirname } from 'node:path'
import { Option, type Command } from 'commander'
import type { AuditOutcome } from '../audit.js'
import { applyBaseline, BASELINE_FILE, IGNORE_WORD, onlyTouching, suppress } from '../gate/index.js'
import type { Report } from '../model/index.js'
import { locateSupabase } from '../project/locate.js'
import { didYouMean } from '../closest.js'
import { readBaseline } from './baseline-file.js'
import { changedFiles } from './git.js'
import type { Services } from './services.js'

/** The options that decide which findings count. */
export interface GateFlags {
  /** A file; false: none. */
  readonly baseline?: string | false
  readonly staged?: boolean
  /** A ref; HEAD: the last commit, if there is one. */
  readonly changed?: string
  readonly failOnStale?: boolean
  readonly showSuppressed?: boolean
}

/** Takes from an audit's outcome what does not count; an outcome without a report passes as it is. */
export type Gate = (outcome: AuditOutcome) => AuditOutcome

export function gateOptions(command: Command): Command {
  return command
    .option('--baseline <file>', `findings that are accepted for now (default: ${BASELINE_FILE}, where it is)`)
    .option('--no-baseline', 'take no baseline')
    .option('--fail-on-stale', 'exit with 1 where a baseline entry or an ignore comment has nothing to suppress')
    .option('--show-suppressed', 'list what comments and the baseline take out, with the reasons given')
    .addOption(
      new Option('--staged', 'report only what touches a file staged in git (all is analysed)').conflicts('changed'),
    )
    .option(
      '--changed [ref]',
      'the same for files changed since the last commit, or, with --changed=REF, since REF was left',
    )
}

/** Reads what the gates need; throws a UsageError for a bad baseline or a failing git, before anything is analysed. */
export async function prepareGates(path: string | null, flags: GateFlags, services: Services): Promise<Gate> {
  const supabase = locateSupabase(path, process.cwd())
  // The audit itself says why there is nothing.
  if (typeof supabase !== 'string') return (outcome) => outcome
  const root = dirname(supabase)
  const known = flags.baseline === false ? null : readBaseline(root, flags.baseline ?? null, true)
  const changed = await changesOf(root, flags)
  const rules = (await services.rules()).map((rule) => rule.meta.id)
  return (outcome) => {
    if (outcome.kind !== 'report') return outcome
    const { sources, omitted = [], filesWith } = outcome
    const files = (filesWith?.(IGNORE_WORD) ?? []).filter((file) => !isSetAside(outcome.report, file))
    const report = suppress(outcome.report, { sources, rules, files, omitted, suggest: didYouMean })
    const accepted = known?.baseline
      ? applyBaseline(report, known.baseline, { placeOf: known.placeOf, omitted })
      : report
    return { ...outcome, report: changed === null ? accepted : onlyTouching(accepted, changed) }
  }
}

async function changesOf(root: string, flags: GateFlags): Promise<ReadonlySet<string> | null> {
  if (flags.staged === true) return changedFiles(root, { kind: 'staged' })
  if (flags.changed === undefined) return null
  return changedFiles(root, { kind: 'since', ref: flags.changed === 'HEAD' ? null : flags.changed })
}

/** Files that the audit did not read on purpose: a comment there waits for nothing. */
function isSetAside(report: Report, file: string): boolean {
  return report.diagnostics.some(
    ({ code, location }) =>
      (code === 'sql-set-aside' || code === 'migration-skipped') &&
      location !== undefined &&
      (file === location.file || file.startsWith(`${location.file}/`)),
  )
}
