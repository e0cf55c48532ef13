import type { Diagnostic, Report } from '../model/index.js'

/** The report of an audit that found nothing to audit: all counts are zero, the diagnostic says why. */
export function emptyReport(version: string, diagnostic: Diagnostic): Report {
  return {
    schemaVersion: '1.0',
    tool: { name: 'tick-audit', version },
    summary: {
      bySeverity: { error: 0, warning: 0, info: 0 },
      byRule: {},
      byVerdict: { race: 0, safe: 0, broadcast: 0, 'no-row-work': 0, unknown: 0 },
      suppressed: 0,
      baselined: 0,
    },
    coverage: {
      sqlFiles: 0,
      statementsParsed: 0,
      statementsFailed: 0,
      ticksResolved: 0,
      ticksUnresolved: 0,
      functionsAnalysed: 0,
      functionsUnknown: 0,
    },
    ticks: [],
    functions: [],
    findings: [],
    suppressed: [],
    diagnostics: [diagnostic],
  }
}
