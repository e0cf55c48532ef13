import type { Finding, Report } from '../model/index.js'
import { allPlaces } from './places.js'
import { counted, withDiagnostics } from './report.js'

/**
 * Only the findings that have a place in one of the files (paths as in locations), and only the `ignore-…` diagnostics of
 * these files. What was left out is counted in a note.
 */
export function onlyTouching(report: Report, files: ReadonlySet<string>): Report {
  const touched = (finding: Finding) => allPlaces(finding).some((place) => files.has(place.file))
  const findings = report.findings.filter(touched)
  const suppressed = report.suppressed.filter(touched)
  const diagnostics = report.diagnostics.filter(
    ({ code, location }) => !code.startsWith('ignore-') || location === undefined || files.has(location.file),
  )
  const left = report.findings.length - findings.length
  const note = `${left === 1 ? '1 finding touches' : `${left} findings touch`} no changed file and ${left === 1 ? 'is' : 'are'} left out`
  return withDiagnostics(
    counted({ ...report, diagnostics }, findings, suppressed),
    left === 0 ? [] : [{ code: 'unchanged-left-out', severity: 'info', message: note }],
  )
}
