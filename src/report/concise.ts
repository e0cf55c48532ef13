import type { Report } from '../model/index.js'
import { cleanReport } from './clean.js'
import { place } from './words.js'

/** One line for each finding: `file:line:column severity rule message [function]`; empty where there is none. */
export function renderConcise(report: Report): string {
  return cleanReport(report)
    .findings.map((finding) => {
      const owner = finding.function === null ? '' : ` [${finding.function}]`
      return `${place(finding.location)} ${finding.severity} ${finding.ruleId} ${finding.message}${owner}\n`
    })
    .join('')
}
