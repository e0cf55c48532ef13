import type { Assignment, Change, Predicate, Soundness, Table } from '../model/index.js'
import { allOf, conjuncts, falsifies, stillHolds, type Answer } from './algebra.js'
import type { Rows } from './rows.js'

export interface Judgement {
  readonly soundness: Soundness
  readonly reason?: string
}

/**
 * Can two callers of this UPDATE or DELETE both get one row? (domain 1.11, 5.1, 5.2)
 *
 * @param own conditions on the target row itself; PostgreSQL asks them again after waiting
 * @param finders queries over the same table that find the row; asked again only where they lock
 * @param changes what the write may leave, the shown one first
 */
export function judge(
  own: Predicate | null,
  finders: readonly Rows[],
  changes: readonly Change[],
  table: Table | null,
): Judgement {
  const touched = table?.touched ?? []
  const alone = worst(changes, (change) => falsifies(own, change, touched))
  if (alone === 'yes') return { soundness: 'sound' }
  const locked = finders.filter((each) => each.lock !== 'none')
  if (locked.length > 0) {
    const whole = allOf([own, ...locked.map((each) => each.where)])
    const answer = worst(changes, (change) => falsifies(whole, change, touched))
    if (answer === 'yes') return { soundness: 'sound' }
    return answer === 'unproven' ? unproven() : { soundness: flawOf(whole, table) }
  }
  if (alone === 'unproven') return unproven()
  return { soundness: finders.length > 0 ? 'claim-subselect-unlocked' : flawOf(own, table) }
}

/** ON CONFLICT DO UPDATE: sound only if its WHERE is false for the row that the first caller inserted or updated. */
export function judgeUpsert(
  where: Predicate | null,
  changes: readonly Change[],
  inserted: readonly Assignment[],
  table: Table | null,
): Judgement {
  const updated = worst(changes, (change) => falsifies(where, change, table?.touched ?? []))
  if (updated === 'no') return { soundness: 'upsert-as-claim' }
  if (updated === 'unproven') return unproven()
  const made = where === null ? 'yes' : stillHolds(where, inserted)
  if (made === 'no') return { soundness: 'sound' }
  return made === 'yes' ? { soundness: 'upsert-as-claim' } : unproven('what the inserted row holds is not known')
}

function unproven(reason = 'whether the new values make the condition false is not known'): Judgement {
  return { soundness: 'unproven', reason }
}

/** With several possible changes, the one that protects least counts. */
function worst(changes: readonly Change[], test: (change: Change) => Answer): Answer {
  // The first of several is only the shown summary.
  const answers = (changes.length > 1 ? changes.slice(1) : changes).map(test)
  return answers.includes('no') ? 'no' : answers.includes('unproven') ? 'unproven' : 'yes'
}

/** By its key alone, or by a state that the write leaves as it is? */
function flawOf(where: Predicate | null, table: Table | null): Soundness {
  const states = conjuncts(where).filter((term) => !pinsKey(term, table))
  return states.length === 0 ? 'unconditional-claim' : 'claim-not-self-falsifying'
}

/** Equality with a value that comes from outside, or with anything on a key's column. */
function pinsKey(term: Predicate, table: Table | null): boolean {
  if (term.kind !== 'compare' && term.kind !== 'in') return false
  if (term.kind === 'compare' && term.op !== '=') return false
  const operands = term.kind === 'compare' ? [term.operand] : term.operands
  if (operands.every((each) => each.kind === 'opaque' || each.kind === 'read')) return true
  return (
    table?.keys.some((key) => key.condition === null && key.columns.length === 1 && key.columns[0] === term.column) ??
    false
  )
}
