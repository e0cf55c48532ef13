import type { Change } from '../model/index.js'

/**
 * The columns of an insert that can say what one effect is: not moments (a day is one's period), values new for every call, or flags.
 */
export function insertedKey(change: Change | null): readonly string[] {
  if (change?.kind !== 'set') return []
  return change.assignments
    .filter(({ operand }) => operand.kind !== 'fresh' && (operand.kind !== 'now' || operand.period === true))
    .filter(({ operand }) => operand.kind !== 'literal' || typeof operand.value === 'string')
    .map(({ column }) => column)
}

/** The same without constants: what an upsert's conflict can be about. */
export function conflictKey(change: Change | null): readonly string[] {
  if (change?.kind !== 'set') return []
  const constant = new Set(
    change.assignments.filter(({ operand }) => operand.kind === 'literal').map(({ column }) => column),
  )
  return insertedKey(change).filter((column) => !constant.has(column))
}
