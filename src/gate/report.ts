import type { Diagnostic, Finding, Report, Severity, SuppressedFinding } from '../model/index.js'

/** The report with other findings: its counts follow. `more` is what this gate took out. */
export function counted(
  report: Report,
  findings: readonly Finding[],
  suppressed: readonly SuppressedFinding[],
  more: { readonly suppressed?: number; readonly baselined?: number } = {},
): Report {
  const bySeverity: Record<Severity, number> = { error: 0, warning: 0, info: 0 }
  const rules = new Map<string, number>()
  for (const { severity, ruleId } of findings) {
    bySeverity[severity] += 1
    rules.set(ruleId, (rules.get(ruleId) ?? 0) + 1)
  }
  const byRule = Object.fromEntries([...rules].sort(([a], [b]) => (a < b ? -1 : 1)))
  const summary = {
    ...report.summary,
    bySeverity,
    byRule,
    suppressed: report.summary.suppressed + (more.suppressed ?? 0),
    baselined: report.summary.baselined + (more.baselined ?? 0),
  }
  return { ...report, summary, findings, suppressed: [...suppressed].sort(byPlace) }
}

/** The report with further diagnostics, in the order of places. */
export function withDiagnostics(report: Report, more: readonly Diagnostic[]): Report {
  if (more.length === 0) return report
  const key = ({ location }: Diagnostic) => [location?.file ?? '', location?.startLine ?? 0, location?.startColumn ?? 0]
  const diagnostics = [...report.diagnostics, ...more]
  diagnostics.sort((a, b) => compare(key(a), key(b)) || compare([a.code, a.message], [b.code, b.message]))
  return { ...report, diagnostics }
}

function byPlace(a: Finding, b: Finding): number {
  const key = ({ location, ruleId, fingerprint }: Finding) => [
    location.file,
    location.startLine,
    location.startColumn,
    ruleId,
    fingerprint,
  ]
  return compare(key(a), key(b))
}

function compare(left: readonly (string | number)[], right: readonly (string | number)[]): number {
  for (const [index, value] of left.entries()) {
    const other = right[index]!
    if (value !== other) return value < other ? -1 : 1
  }
  return 0
}
