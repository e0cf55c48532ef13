import { allOf, conditionOf, conjuncts, falsifies, holdsFor, staysTaken } from '../claims/index.js'
import type { Change, ClaimKind, Operand, Predicate, SqlInsert, Table } from '../model/index.js'
import type { Statement } from '../clients/statement.js'
import { statementOf } from '../clients/statement.js'
import type { Machine, Value } from '../typescript/index.js'
import type { AttemptFlaw } from '../model/index.js'
import type { WorkContext } from './context.js'
import type { Recorder } from './recorder.js'

/** What judgements rest on. */
export interface Ground {
  readonly context: WorkContext
  readonly recorder: Recorder
  readonly machine: Machine
}

/** Can two runs that send this statement for one row both win it? (domain 5.1) */
export type Judgement =
  | { readonly kind: 'sound'; readonly claim: ClaimKind }
  | { readonly kind: 'flawed'; readonly flaw: AttemptFlaw; readonly reason?: string }

const flawed = (flaw: AttemptFlaw, reason?: string): Judgement => ({
  kind: 'flawed',
  flaw,
  ...(reason ? { reason } : {}),
})

/** The conditions of a write that say more than which row is meant. */
export function stateConditions(statement: Statement, table: Table | null): Predicate[] {
  return conjuncts(statement.where).filter((term) => !isKey(term, statement, table))
}

/**
 * Does a condition name the row, rather than ask for its state? An equality with a value of the program on a column of a
 * key; where no migration shows the table, on a column that the write itself leaves alone.
 */
function isKey(term: Predicate, statement: Statement, table: Table | null): boolean {
  if (term.kind !== 'compare' && term.kind !== 'in') return false
  if (term.kind === 'compare' && term.op !== '=') return false
  const operands = term.kind === 'compare' ? [term.operand] : term.operands
  const fromProgram = operands.every((operand) => operand.kind === 'opaque' || operand.kind === 'read')
  if (!fromProgram) return false
  if (table && table.keys.length > 0) {
    if (table.keys.some((key) => key.columns.includes(term.column))) return true
    // A value that was read with the row and that the key has nothing to do with: a token, as in compare and swap.
    return operands.every((operand) => operand.kind === 'opaque')
  }
  return !assigns(statement.change, term.column)
}

const assigns = (change: Change | null, column: string): boolean =>
  change?.kind === 'set' && change.assignments.some((each) => each.column === column)

/** Judges a write as a claim. `pick` and `later` decide whether the row stays taken once the work is done. */
export function judgeStatement(
  statement: Statement,
  ground: Ground,
  pick: Predicate | null,
  later: readonly Change[],
  hasRow: boolean,
): Judgement {
  const table = statement.table === null ? null : ground.context.table(statement.table)
  const kind: ClaimKind = !hasRow ? 'single-flight' : 'row-claim'
  switch (statement.kind) {
    case 'update':
    case 'delete': {
      const conditions = stateConditions(statement, table)
      const change = statement.change ?? { kind: 'set', assignments: [] }
      if (change.kind === 'delete') return { kind: 'sound', claim: statement.pins.length > 0 ? kind : 'batch-claim' }
      if (conditions.length === 0) return flawed('unconditional-claim')
      const touched = table?.touched ?? []
      const where = allOf(conditions)
      const answer = falsifies(where, change, touched)
      if (answer === 'no') return flawed('claim-not-self-falsifying')
      if (answer === 'unproven')
        return flawed('unproven', 'whether the update makes its own condition false is not known')
      // Point 8 of domain 5.1: a lease that is given back after the work lets an older list claim the row again.
      if (hasRow && staysTaken({ where, change }, pick, later, touched) === 'no')
        return flawed('claim-not-self-falsifying')
      return { kind: 'sound', claim: statement.pins.length > 0 ? kind : hasRow ? 'batch-claim' : 'single-flight' }
    }
    case 'insert':
    case 'upsert': {
      if (statement.kind === 'upsert' && statement.onConflict === 'update') return flawed('upsert-as-claim')
      if (table === null)
        return flawed(
          'unproven',
          `no migration makes the table ${statement.table ?? ''}, so its unique keys are not known`,
        )
      switch (coverage(statement, table, ground)) {
        case 'yes':
          return { kind: 'sound', claim: hasRow ? 'insert-claim' : 'single-flight' }
        case 'unknown':
          return flawed('unproven', PARTIAL)
        case 'no':
          return flawed('insert-claim-without-unique')
      }
    }
    case 'call': {
      const answer = statement.answer
      if (!answer) return flawed('unproven')
      switch (answer.kind) {
        case 'rows':
        case 'flag': {
          const { soundness, reason } = answer.taking
          if (soundness === 'sound')
            return {
              kind: 'sound',
              claim:
                answer.kind === 'rows' && statement.pins.length === 0
                  ? hasRow
                    ? 'batch-claim'
                    : 'single-flight'
                  : kind,
            }
          return flawed(soundness, reason)
        }
        case 'insert':
          return judgeRoutineInsert(answer.insert, ground, hasRow)
        case 'lock':
          return flawed('session-lock-over-pool')
        case 'unknown':
          return flawed('unproven', answer.reason)
        default:
          return flawed('unproven')
      }
    }
    case 'select':
      return flawed('unproven')
  }
}

/** An insert within a routine: its values are not seen here, its columns are. A key of an outside store is one by itself. */
function judgeRoutineInsert(insert: SqlInsert, ground: Ground, hasRow: boolean): Judgement {
  const claim: ClaimKind = hasRow ? 'insert-claim' : 'single-flight'
  if (insert.outside) return { kind: 'sound', claim }
  const table = ground.context.table(insert.table)
  if (table === null)
    return flawed('unproven', `no migration makes the table ${insert.table}, so its unique keys are not known`)
  const given = new Map(insert.columns.map((column) => [column, null] as const))
  switch (coverageOf(table, given, () => true)) {
    case 'yes':
      return { kind: 'sound', claim }
    case 'unknown':
      return flawed('unproven', PARTIAL)
    case 'no':
      return flawed('insert-claim-without-unique')
  }
}

const PARTIAL = 'the unique index covers only some rows; whether the new one is among them is not known'

type Coverage = 'yes' | 'no' | 'unknown'

/** Is there a unique key all of whose columns the insert gives, none of them with a value that is new for every call? */
export function coverage(statement: Statement, table: Table, ground: Ground): Coverage {
  const { machine, recorder } = ground
  const given = new Map([...statement.inserted].map(([column, value]) => [column, constantOf(value)] as const))
  return coverageOf(table, given, (column) => {
    const value = statement.inserted.get(column)!
    const taints = machine.taints(value)
    if (taints.has('fresh') || (value.kind === 'time' && value.coarse !== true)) return false
    // The next number after those that are there: whoever comes later gets another one.
    return ![...taints].some((taint) => {
      const found = statementOf(taint)
      const read = found && recorder.statements.get(found.id)
      return read?.kind === 'select' && read.table === statement.table
    })
  })
}

const constantOf = (value: Value): Operand | null =>
  value.kind === 'const' && typeof value.value !== 'bigint' ? { kind: 'literal', value: value.value ?? null } : null

/** `given`: the columns of the new row, null where the value is not known; `stable`: is it the same in every run? */
function coverageOf(
  table: Table,
  given: ReadonlyMap<string, Operand | null>,
  stable: (column: string) => boolean,
): Coverage {
  const keys = table.keys.filter((key) =>
    key.columns.every((column) => column === null || (given.has(column) && stable(column))),
  )
  if (keys.some((key) => key.condition === null)) return 'yes'
  const row = newRow(table, given)
  const answers = keys.map((key) => {
    const condition = conditionOf(key.condition ?? '', table.name)
    return condition ? holdsFor(condition, row) : 'unknown'
  })
  return answers.includes('yes') ? 'yes' : answers.includes('unknown') ? 'unknown' : 'no'
}

/** What is known of the row that an insert makes: what it gives, and the defaults of the other columns. */
function newRow(table: Table, given: ReadonlyMap<string, Operand | null>): Map<string, Operand> {
  const row = new Map<string, Operand>()
  for (const column of table.columns) {
    const unnamed = table.defaults.has(column)
      ? table.defaults.get(column)
      : ({ kind: 'literal', value: null } as const)
    const value = given.has(column) ? given.get(column) : unnamed
    if (value) row.set(column, value)
  }
  return row
}

/** Do the statement's conditions or values come from a row of any of these statements? */
export function mentions(statement: Statement, sources: ReadonlySet<number>): boolean {
  for (const taint of statement.taints) {
    const found = statementOf(taint)
    if (found && sources.has(found.id)) return true
  }
  return false
}

/** Do they come from any row at all? */
export function mentionsRows(statement: Statement): boolean {
  for (const taint of statement.taints) if (statementOf(taint)) return true
  return false
}
