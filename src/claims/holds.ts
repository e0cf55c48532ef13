import type { Operand, Predicate } from '../model/index.js'
import { as, computedText, parseStatements } from '../sql/index.js'
import { after, evaluate } from './evaluate.js'
import { EMPTY_ENV } from './env.js'
import { alternatives } from './normal-form.js'
import { predicateOf } from './predicate.js'

const NOWHERE = { file: '', startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 }

/** A condition of the schema (a partial index's WHERE) as a predicate over the table's columns; null: it cannot be read. */
export function conditionOf(text: string, table: string): Predicate | null {
  const [parsed] = parseStatements(computedText(`select from "${table}" where ${text}`, NOWHERE))
  const where = parsed?.ok ? as(parsed.tree, 'SelectStmt')?.whereClause : undefined
  if (!parsed?.ok || !where) return null
  const target = { alias: table, name: table, table: null }
  return predicateOf(where, { env: EMPTY_ENV, source: parsed.source, target, others: new Map() })
}

/** Is a condition true of a row of which these columns are known? Null counts as not true, as it does in an index. */
export function holdsFor(where: Predicate, row: ReadonlyMap<string, Operand>): 'yes' | 'no' | 'unknown' {
  const ways = alternatives(where)
  if (ways === null) return 'unknown'
  const known = after(
    [],
    [...row].map(([column, operand]) => ({ column, operand })),
  )
  const outcomes = ways.map((atoms) => atoms.map((atom) => evaluate(atom, known)))
  if (outcomes.some((each) => each.every((one) => one.true && !one.false && !one.null))) return 'yes'
  return outcomes.every((each) => each.some((one) => !one.true)) ? 'no' : 'unknown'
}
