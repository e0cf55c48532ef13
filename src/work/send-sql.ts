import { describeStatement, type StatementFacts } from '../claims/index.js'
import type { Operand, RoutineAnswer } from '../model/index.js'
import { operandOf } from '../clients/operand.js'
import { dataOf } from '../clients/results.js'
import type { SqlStatement } from '../clients/sql.js'
import { EMPTY_DRAFT, type Draft } from '../clients/statement.js'
import { parseStatements } from '../sql/index.js'
import { placeOf, unite, type Machine, type Value } from '../typescript/index.js'
import { withAnswer } from './answers.js'
import type { WorkContext } from './context.js'
import type { Recorder } from './recorder.js'
import { noteSent } from './sent.js'

/** Sends a text of SQL over a direct connection. */
export function sendSql(context: WorkContext, recorder: Recorder, run: SqlStatement, machine: Machine): Value {
  const parsed = parseStatements(run.text)
  const first = parsed.find((each) => each.ok)
  const taints = unite(run.values.map((value) => machine.taints(value)))
  const args = new Map(run.values.map((value, index) => [`$${index + 1}`, value] as const))
  const open = [...machine.state.facts].some((fact) => fact.startsWith('x'))
  const base: Draft = { ...EMPTY_DRAFT, kind: 'call', result: 'answer', args, openTransaction: open }
  if (!first?.ok) {
    const answer: RoutineAnswer = {
      kind: 'unknown',
      reason: 'the text of the SQL is not known here',
      location: placeOf(run.site),
    }
    const statement = noteSent(recorder, { ...base, answer }, run.site, taints, machine, true)
    return dataOf(statement.id, 'rows', null)
  }
  const tables = new Map<string, Operand>()
  const facts = describeStatement(first.tree, first.source, {
    variable: () => null,
    parameter: (number) => {
      const value = run.values[number - 1]
      if (!value) return { kind: 'opaque', id: `$${number}`, nonNull: false }
      const known = tables.get(`$${number}`)
      if (known) return known
      const operand = sqlOperand(value, number, machine)
      tables.set(`$${number}`, operand)
      return operand
    },
    parameters: new Set(run.values.map((_value, index) => `$${index + 1}`)),
    table: (schema, name) => context.table(schema && schema !== 'public' ? `${schema}.${name}` : name),
    routine: context.known,
  })
  const answer = answerOf(facts, run.repeatable)
  let draft = withAnswer(base, answer, facts)
  const write = facts.writes[0]
  if (answer.kind === 'other' && write)
    draft = { ...draft, kind: write.kind, table: write.table, where: write.where, change: write.change }
  if (write && draft.pins.length === 0) draft = { ...draft, pins: pinsOf(draft, run.values) }
  const statement = noteSent(recorder, draft, run.site, taints, machine, true)
  return dataOf(statement.id, 'rows', null)
}

/**
 * What the statement says to the program: its rows, else its number of rows, else a lock. At REPEATABLE READ the second
 * updater of a row gets an error instead of the row (domain 1.11, cases 24–26).
 */
function answerOf(facts: StatementFacts, repeatable: boolean): RoutineAnswer {
  const lock = facts.locks[0]
  if (lock && facts.writes.length === 0) return { kind: 'lock', scope: lock.scope, location: lock.location }
  const answer = facts.answer.kind === 'other' ? facts.count : facts.answer
  if (repeatable && (answer.kind === 'rows' || answer.kind === 'flag') && answer.taking.soundness !== 'lock-only-claim')
    return { ...answer, taking: { ...answer.taking, soundness: 'sound' } }
  return answer
}

/** `where id = $1` pins the row that the value is of. */
function pinsOf(draft: Draft, values: readonly Value[]): Draft['pins'] {
  const pins: { column: string; value: Value; list: boolean }[] = []
  const visit = (term: Draft['where']): void => {
    if (term?.kind === 'and') term.terms.forEach(visit)
    if (term?.kind === 'compare' && term.op === '=') {
      const operand = term.operand
      if (operand.kind === 'opaque' && operand.id.startsWith('$')) {
        const value = values[Number(operand.id.slice(1)) - 1]
        if (value) pins.push({ column: term.column, value, list: false })
      } else if (operand.kind === 'read') {
        const value = values.find(
          (each) => each.kind === 'foreign' && (each.data as { column?: string }).column === operand.column,
        )
        if (value) pins.push({ column: term.column, value, list: false })
      }
    }
    if (term?.kind === 'in')
      for (const operand of term.operands)
        if (operand.kind === 'opaque' && operand.id.startsWith('$')) {
          const value = values[Number(operand.id.slice(1)) - 1]
          if (value) pins.push({ column: term.column, value, list: true })
        }
  }
  visit(draft.where)
  return pins
}

/** A value in a text of SQL: what is not known keeps its number, so that the row it pins can be found again. */
function sqlOperand(value: Value, number: number, machine: Machine): Operand {
  const operand = operandOf(value, machine, () => true)
  if (operand.kind === 'opaque') return { ...operand, id: `$${number}` }
  return operand
}
