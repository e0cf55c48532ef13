import type { Report, Severity } from '../model/index.js'
import { cleanReport } from './clean.js'
import { worstFirst } from './words.js'

/** GitLab knows info, minor, major, critical and blocker (GitLab docs, Code Quality report format). */
const SEVERITY: Readonly<Record<Severity, string>> = { error: 'critical', warning: 'minor', info: 'info' }

/**
 * A GitLab Code Quality report: an array with one issue for each finding, the worst first; `[]` where there is none.
 * The fingerprint is the finding's own, so that an issue stays the same one when lines move.
 */
export function renderGitlab(report: Report): string {
  const issues = [...cleanReport(report).findings].sort(worstFirst).map((finding) => ({
    description: `${finding.message} ${finding.consequence}`.trim(),
    check_name: finding.ruleId,
    fingerprint: finding.fingerprint,
    severity: SEVERITY[finding.severity],
    location: {
      path: finding.location.file,
      lines: { begin: finding.location.startLine, end: finding.location.endLine },
    },
  }))
  return `${JSON.stringify(issues, null, 2)}\n`
}
