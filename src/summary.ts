import type { Coverage, Finding, ReportFunction, ReportTick, Severity, Summary, Verdict } from './model/index.js'

/** The counts at the head of a report. */
export function summaryOf(
  findings: readonly Finding[],
  functions: readonly ReportFunction[],
  suppressed: number,
  baselined: number,
): Summary {
  const bySeverity: Record<Severity, number> = { error: 0, warning: 0, info: 0 }
  const byVerdict: Record<Verdict, number> = { race: 0, safe: 0, broadcast: 0, 'no-row-work': 0, unknown: 0 }
  const byRule: Record<string, number> = {}
  for (const finding of findings) {
    bySeverity[finding.severity] += 1
    byRule[finding.ruleId] = (byRule[finding.ruleId] ?? 0) + 1
  }
  for (const { verdict } of functions) byVerdict[verdict] += 1
  const sorted = Object.fromEntries(Object.entries(byRule).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { bySeverity, byRule: sorted, byVerdict, suppressed, baselined }
}

/** What was read, and what could not be. */
export function coverageOf(
  sqlFiles: number,
  statements: { readonly parsed: number; readonly failed: number },
  ticks: readonly ReportTick[],
  functions: readonly ReportFunction[],
): Coverage {
  const dispatches = ticks.flatMap((tick) => tick.dispatches)
  const unresolved = dispatches.filter((dispatch) => dispatch.unresolved !== undefined).length
  const unknown = functions.filter((each) => each.verdict === 'unknown').length
  return {
    sqlFiles,
    statementsParsed: statements.parsed,
    statementsFailed: statements.failed,
    ticksResolved: dispatches.length - unresolved,
    ticksUnresolved: unresolved,
    functionsAnalysed: functions.length - unknown,
    functionsUnknown: unknown,
  }
}
