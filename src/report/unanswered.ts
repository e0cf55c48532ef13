import type { Diagnostic, Report } from '../model/index.js'
import { place } from './words.js'

/**
 * Everything that the report could not answer, as diagnostics: what could not be read or resolved, calls that lead
 * nowhere known, functions that could not be decided. A format that shows these never lets a gap pass for a clean run.
 */
export function unanswered(report: Report): readonly Diagnostic[] {
  const told = new Set(report.diagnostics.flatMap(({ location }) => (location ? [place(location)] : [])))
  const calls = report.ticks
    .filter((tick) => tick.active)
    .flatMap((tick) =>
      tick.dispatches.flatMap(({ unresolved, url, location }): Diagnostic[] =>
        unresolved === undefined || told.has(place(location))
          ? []
          : [
              {
                code: 'unresolved-dispatch',
                severity: 'warning',
                message: `Tick \`${tick.name ?? tick.schedule}\` calls \`${url}\`: ${unresolved}`,
                location,
              },
            ],
      ),
    )
  const functions = report.functions
    .filter((entry) => entry.verdict === 'unknown')
    .flatMap((entry) =>
      (entry.reasons.length > 0 ? entry.reasons : [{ message: 'no reason given', location: null }]).map(
        ({ message, location }): Diagnostic => ({
          code: 'undecided-function',
          severity: 'warning',
          message: `Function \`${entry.name}\` could not be decided: ${message}`,
          ...(location === null ? {} : { location }),
        }),
      ),
    )
  return [...report.diagnostics, ...calls, ...functions]
}
