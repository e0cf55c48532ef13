import { bindAnswer } from '../claims/index.js'
import type { Operand, RoutineAnswer, RoutineSummary } from '../model/index.js'
import { operandOf } from '../clients/operand.js'
import { queueRoutine } from '../clients/pgmq.js'
import type { Query } from '../clients/query.js'
import type { Draft } from '../clients/statement.js'
import { UNKNOWN, placeOf, type Machine, type Value } from '../typescript/index.js'
import type { WorkContext } from './context.js'
import { columnsOfPayload } from './payload.js'

/** A call of a routine: what the migrations say that it does for its caller. */
export function withRoutine(
  context: WorkContext,
  query: Query,
  draft: Draft,
  machine: Machine,
  own: (statement: number) => boolean,
): Draft {
  const name = query.table.kind === 'const' ? String(query.table.value) : null
  const args = query.payload ? columnsOfPayload(query.payload, machine) : new Map<string, Value>()
  if (name === null)
    return {
      ...draft,
      args,
      answer: { kind: 'unknown', reason: 'the routine’s name is not known here', location: placeOf(query.site) },
    }
  const queue = queueRoutine(query.schema, name, args, query.site)
  const summary: RoutineSummary | null = queue ?? context.routine(query.schema, name, [...args.keys()])
  const operands = new Map([...args].map(([parameter, value]) => [parameter, operandOf(value, machine, own)] as const))
  const answer: RoutineAnswer = summary
    ? bindAnswer(summary.answer, operands)
    : {
        kind: 'unknown',
        reason: `no migration defines the routine ${name}; a migration that does, or an export of it, would tell whether it takes the rows`,
        location: placeOf(query.site),
      }
  return withAnswer({ ...draft, args }, answer, summary)
}

/** Gives a statement the table, condition and change of what its answer speaks of. */
export function withAnswer(draft: Draft, answer: RoutineAnswer, summary: Pick<RoutineSummary, 'writes'> | null): Draft {
  const common = { ...draft, answer, writes: summary?.writes ?? [] }
  if (answer.kind === 'rows' || answer.kind === 'flag') {
    const { taking } = answer
    const pins = taking.keys.flatMap(({ column, parameter }) => {
      const value = draft.args.get(parameter)
      return value ? [{ column, value, list: value.kind === 'list' }] : []
    })
    return {
      ...common,
      table: taking.table,
      where: taking.where,
      change: taking.change,
      limit: numberOf(taking.limit, draft.args) ?? draft.limit,
      pins: [...draft.pins, ...pins],
    }
  }
  if (answer.kind === 'read')
    return {
      ...common,
      table: answer.pick.table,
      where: answer.pick.where,
      limit: numberOf(answer.pick.limit, draft.args) ?? draft.limit,
    }
  if (answer.kind === 'insert')
    return {
      ...common,
      table: answer.insert.table,
      onConflict: answer.insert.onConflict,
      inserted: new Map(answer.insert.columns.map((column) => [column, UNKNOWN] as const)),
    }
  return common
}

function numberOf(operand: Operand | null, args: ReadonlyMap<string, Value>): number | null {
  if (operand?.kind === 'literal' && typeof operand.value === 'number') return operand.value
  if (operand?.kind !== 'opaque') return null
  const value = args.get(operand.id)
  return value?.kind === 'const' && typeof value.value === 'number' ? value.value : null
}
