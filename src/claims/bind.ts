import type { Change, Operand, Predicate, RoutineAnswer, SqlTaking } from '../model/index.js'
import { falsifies } from './algebra.js'

/**
 * What a routine answers when its parameters have these values (by parameter name). An unproven claim may prove sound with
 * them: `claim(p_id, p_from => 'new', p_to => 'busy')`.
 */
export function bindAnswer(answer: RoutineAnswer, values: ReadonlyMap<string, Operand>): RoutineAnswer {
  if (answer.kind === 'rows' || answer.kind === 'flag') return { ...answer, taking: bindTaking(answer.taking, values) }
  if (answer.kind !== 'read') return answer
  const { pick } = answer
  return {
    ...answer,
    pick: { ...pick, where: bindPredicate(pick.where, values), limit: pick.limit && bindOperand(pick.limit, values) },
  }
}

function bindTaking(taking: SqlTaking, values: ReadonlyMap<string, Operand>): SqlTaking {
  const where = bindPredicate(taking.where, values)
  const change = taking.change && bindChange(taking.change, values)
  const keys = taking.keys.flatMap((key) => {
    const value = values.get(key.parameter)
    return value === undefined ? [key] : value.kind === 'opaque' ? [{ ...key, parameter: value.id }] : []
  })
  const proven = taking.soundness === 'unproven' && change !== null && falsifies(where, change) === 'yes'
  const { reason, ...rest } = taking
  return {
    ...rest,
    where,
    change,
    keys,
    limit: taking.limit && bindOperand(taking.limit, values),
    soundness: proven ? 'sound' : taking.soundness,
    ...(reason && !proven ? { reason } : {}),
  }
}

function bindChange(change: Change, values: ReadonlyMap<string, Operand>): Change {
  if (change.kind === 'delete') return change
  const assignments = change.assignments.map((each) => ({ ...each, operand: bindOperand(each.operand, values) }))
  return { kind: 'set', assignments }
}

function bindOperand(operand: Operand, values: ReadonlyMap<string, Operand>): Operand {
  const value = operand.kind === 'opaque' ? values.get(operand.id) : undefined
  // A column of the caller's own row is no column of this one.
  return value === undefined || value.kind === 'column' || value.kind === 'read' ? operand : value
}

function bindPredicate<P extends Predicate | null>(predicate: P, values: ReadonlyMap<string, Operand>): P
function bindPredicate(predicate: Predicate | null, values: ReadonlyMap<string, Operand>): Predicate | null {
  switch (predicate?.kind) {
    case 'and':
    case 'or':
      return { ...predicate, terms: predicate.terms.map((term) => bindPredicate(term, values)) }
    case 'not':
      return { ...predicate, term: bindPredicate(predicate.term, values) }
    case 'compare':
    case 'distinct':
      return { ...predicate, operand: bindOperand(predicate.operand, values) }
    case 'in':
      return { ...predicate, operands: predicate.operands.map((each) => bindOperand(each, values)) }
    default:
      return predicate
  }
}
