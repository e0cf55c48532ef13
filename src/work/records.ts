import type { Change, Table } from '../model/index.js'
import { isResult } from '../clients/results.js'
import { statementOf, type Statement } from '../clients/statement.js'
import type { Machine, Taints, Value } from '../typescript/index.js'
import type { Driver } from './sources.js'

/** What a record says, as the row that is worked on tells it: a column of another row is some value of the program here. */
export function changeOfRecord(statement: Statement, driver: Driver): Change | null {
  const { change, inserted } = statement
  if (change?.kind !== 'set' || (statement.kind !== 'insert' && statement.kind !== 'upsert')) return change
  const assignments = change.assignments.map((each) => {
    const value = inserted.get(each.column)
    const own = value?.kind === 'foreign' && isResult(value) && value.data.statement === driver.source.id
    return each.operand.kind !== 'read' || own
      ? each
      : { ...each, operand: { kind: 'opaque', id: each.column, nonNull: true } as const }
  })
  return { kind: 'set', assignments }
}

/**
 * The columns by which a record is told from others: what the upsert names, a unique key that it gives whole, or else those
 * that say who, what and when. What the work made (a text, a score) tells no record from another.
 */
export function keyOfRecord(statement: Statement, table: Table | null, machine: Machine): readonly string[] {
  if (statement.kind !== 'insert' && statement.kind !== 'upsert') return []
  if (statement.conflictColumns) return statement.conflictColumns
  const given = (column: string | null): column is string => column !== null && statement.inserted.has(column)
  const key = table?.keys.find((each) => each.condition === null && each.columns.every(given))
  if (key) return key.columns.filter(given)
  return [...statement.inserted].flatMap(([column, value]) => (tells(value, machine) ? [column] : []))
}

function tells(value: Value, machine: Machine): boolean {
  if (value.kind === 'const') return typeof value.value === 'string'
  if (value.kind === 'time') return value.coarse === true
  const taints = machine.taints(value)
  if (taints.has('fresh') || (taints.has('time') && !taints.has('day'))) return false
  return madeOfRows(taints)
}

/**
 * Could an insert be meant as a claim: who, what, when, and a state? What stores an answer from elsewhere (a draft, a
 * score) is the work's product, and comes before nothing.
 */
export function isRecord(statement: Statement, machine: Machine): boolean {
  return [...statement.inserted.values()].every(
    (value) =>
      value.kind === 'const' || value.kind === 'time' || value.kind === 'foreign' || madeOfRows(machine.taints(value)),
  )
}

/** Does a value come from rows, from the request, or from the run itself, and from nothing that was asked elsewhere? */
const madeOfRows = (taints: Taints): boolean =>
  taints.size > 0 && [...taints].every((taint) => statementOf(taint) !== null || OF_THE_RUN.has(taint))

const OF_THE_RUN = new Set(['fresh', 'time', 'day', 'request'])
