import type { Report } from '../model/index.js'
import { count } from './words.js'

/** One line for a short report: what a clean or failing verdict does not speak of; null where nothing was left out. */
export function gapLine(report: Report): string | null {
  const { statementsFailed, ticksUnresolved, functionsUnknown } = report.coverage
  const gaps = [
    ...(functionsUnknown > 0 ? [`${count(functionsUnknown, 'function')} could not be decided`] : []),
    ...(ticksUnresolved > 0 ? [`${count(ticksUnresolved, 'tick')} could not be resolved`] : []),
    ...(statementsFailed > 0 ? [`${count(statementsFailed, 'SQL statement')} could not be parsed`] : []),
  ]
  return gaps.length === 0 ? null : gaps.join(', ')
}
