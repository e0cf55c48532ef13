import type { AuditOutcome } from '../audit.js'
import type { FailOn } from '../config/config.js'
import type { Diagnostic, Report, Severity } from '../model/index.js'

/** The contract's exit codes. */
export const ExitCode = {
  clean: 0,
  findings: 1,
  usage: 2,
  nothing: 3,
  incomplete: 4,
  fault: 70,
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

export type { FailOn }

export interface ExitOptions {
  readonly failOn: FailOn
  readonly strict: boolean
  readonly allowEmpty: boolean
  /** A baseline entry or an ignore comment with nothing to suppress counts as a finding. */
  readonly failOnStale?: boolean
}

/** The exit code of an audit; no format has a say in it. A fault of tick-audit's own wins over all, a finding over `--strict`. */
export function exitCodeOf(outcome: AuditOutcome, options: ExitOptions): ExitCode {
  switch (outcome.kind) {
    case 'unreadable':
      return ExitCode.usage
    case 'nothing':
      return options.allowEmpty ? ExitCode.clean : ExitCode.nothing
    case 'report':
      if (outcome.faults.length > 0) return ExitCode.fault
      if (outcome.report.findings.some((finding) => fails(finding.severity, options.failOn))) return ExitCode.findings
      if (options.failOnStale === true && outcome.report.diagnostics.some(isStale)) return ExitCode.findings
      return options.strict && isIncomplete(outcome.report) ? ExitCode.incomplete : ExitCode.clean
  }
}

const LOUDNESS: Readonly<Record<Severity, number>> = { info: 1, warning: 2, error: 3 }

function fails(severity: Severity, failOn: FailOn): boolean {
  return failOn !== 'none' && LOUDNESS[severity] >= LOUDNESS[failOn]
}

function isStale({ code }: Diagnostic): boolean {
  return code === 'baseline-stale' || code === 'ignore-unused'
}

/** About comments and the baseline, not about what was analysed. */
function isHousekeeping({ code }: Diagnostic): boolean {
  return code.startsWith('baseline-') || code.startsWith('ignore-')
}

/** Something could not be analysed: a statement, a tick or a function; or a diagnostic that is more than a note says so. */
export function isIncomplete(report: Report): boolean {
  const { statementsFailed, ticksUnresolved, functionsUnknown } = report.coverage
  if (statementsFailed + ticksUnresolved + functionsUnknown > 0) return true
  return report.diagnostics.some((diagnostic) => diagnostic.severity !== 'info' && !isHousekeeping(diagnostic))
}
