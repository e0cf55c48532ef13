import type { Diagnostic, Report } from '../../model/index.js'
import { count, place, worstFirst } from '../words.js'
import { indent, wrap, wrapBehind } from './layout.js'
import type { Palette } from './palette.js'

/** Of one kind of diagnostic, so many are listed; the rest is counted. */
const LISTED = 5

export interface CoverageStyle {
  readonly palette: Palette
  readonly width: number
  readonly verbose: boolean
  readonly showSuppressed: boolean
}

/** What was read, and what could not be: diagnostics by kind, unresolved dispatches, unknown functions and why. */
export function coverageLines(report: Report, style: CoverageStyle): string[] {
  return [
    ...readLines(report, style),
    ...unresolvedDispatchLines(report, style),
    ...unknownFunctionLines(report, style),
    ...diagnosticLines(report, style),
    ...suppressedLines(report, style),
  ]
}

function readLines(report: Report, { palette, width }: CoverageStyle): string[] {
  const { coverage } = report
  const inactive = report.ticks.filter((tick) => !tick.active).length
  const failed = coverage.statementsFailed > 0 ? `, ${coverage.statementsFailed} more not parsed` : ''
  const unresolved = coverage.ticksUnresolved > 0 ? `, ${coverage.ticksUnresolved} not` : ''
  const unknown = coverage.functionsUnknown > 0 ? `, ${coverage.functionsUnknown} unknown` : ''
  const parts = [
    `${count(coverage.sqlFiles, 'SQL file')} (${count(coverage.statementsParsed, 'statement')}${failed})`,
    `${count(coverage.ticksResolved, 'tick')} resolved${unresolved}`,
    `${count(coverage.functionsAnalysed, 'function')} analysed${unknown}`,
    ...(inactive > 0 ? [`${count(inactive, 'inactive tick')} left out`] : []),
  ]
  return wrapBehind('Read: ', parts.join(' · '), width).map(palette.faint)
}

function unresolvedDispatchLines(report: Report, style: CoverageStyle): string[] {
  const told = new Set(report.diagnostics.flatMap((entry) => (entry.location ? [place(entry.location)] : [])))
  const lines = report.ticks
    .filter((tick) => tick.active)
    .flatMap((tick) =>
      tick.dispatches
        .filter((dispatch) => dispatch.unresolved !== undefined && !told.has(place(dispatch.location)))
        .flatMap((dispatch) =>
          itemLines(
            `Tick \`${tick.name ?? tick.schedule}\` calls \`${dispatch.url}\`: ${dispatch.unresolved}`,
            place(dispatch.location),
            style,
          ),
        ),
    )
  return lines.length === 0 ? [] : ['', heading('warning', 'Calls that lead nowhere known', style), ...lines]
}

function unknownFunctionLines(report: Report, style: CoverageStyle): string[] {
  const lines = report.functions
    .filter((entry) => entry.verdict === 'unknown')
    .flatMap((entry) => {
      const reasons = entry.reasons.length > 0 ? entry.reasons : [{ message: 'no reason given', location: null }]
      const listed = style.verbose ? reasons : reasons.slice(0, LISTED)
      return [
        ...listed.flatMap((reason) =>
          itemLines(
            `\`${entry.name}\`: ${reason.message}`,
            reason.location === null ? entry.entry : place(reason.location),
            style,
          ),
        ),
        ...restLine(reasons.length - listed.length, style),
      ]
    })
  return lines.length === 0 ? [] : ['', heading('warning', 'Functions that could not be decided', style), ...lines]
}

function diagnosticLines(report: Report, style: CoverageStyle): string[] {
  const shown = report.diagnostics.filter((entry) => style.verbose || entry.severity !== 'info')
  const groups = new Map<string, Diagnostic[]>()
  for (const entry of [...shown].sort(worstFirst)) {
    const group = groups.get(entry.code)
    if (group) group.push(entry)
    else groups.set(entry.code, [entry])
  }
  const lines = [...groups].flatMap(([code, group]) => {
    const listed = style.verbose ? group : group.slice(0, LISTED)
    const severity = group[0]?.severity ?? 'info'
    const title = `${severity}  ${code}${group.length > 1 ? ` (${group.length})` : ''}`
    return [
      '',
      heading(severity, title, style),
      ...listed.flatMap((entry) => itemLines(entry.message, entry.location ? place(entry.location) : null, style)),
      ...restLine(group.length - listed.length, style),
    ]
  })
  const hidden = report.diagnostics.length - shown.length
  return hidden === 0
    ? lines
    : [
        ...lines,
        '',
        style.palette.faint(`${count(hidden, 'note')} not shown; -v lists ${hidden === 1 ? 'it' : 'them'}.`),
      ]
}

/** Where asked for: what a comment or the baseline takes out, the reason given, and where. */
function suppressedLines(report: Report, style: CoverageStyle): string[] {
  if (!style.showSuppressed || report.suppressed.length === 0) return []
  const lines = report.suppressed.flatMap(({ ruleId, location, function: owner, suppression }) => {
    const by = suppression.location === null ? 'in the baseline' : `comment at ${place(suppression.location)}`
    const of = owner === null ? '' : ` of ${owner}`
    return itemLines(`${ruleId}${of}: ${suppression.reason} (${by})`, place(location), style)
  })
  return ['', style.palette.strong('Suppressed'), ...lines]
}

function heading(severity: Diagnostic['severity'], title: string, { palette }: CoverageStyle): string {
  return palette.severity[severity](title)
}

function itemLines(message: string, where: string | null, { palette, width }: CoverageStyle): string[] {
  const told = wrap(message, width - 4).map(palette.prose)
  return indent(where === null ? told : [...told, palette.place(where)], 2)
}

function restLine(hidden: number, { palette }: CoverageStyle): string[] {
  return hidden > 0 ? indent([palette.faint(`and ${hidden} more; -v lists them`)], 2) : []
}
