import type { Change } from '../model/index.js'

/** A record, with the columns that tell it from others where the analysis knows them. */
export interface Recorded {
  readonly change: Change | null
  readonly key?: readonly string[]
}

/**
 * The columns of an insert that can say what one effect is: not moments (a day is one's period), values new for every call, or flags.
 */
export function insertedKey({ change, key }: Recorded): readonly string[] {
  if (key?.length) return key
  if (change?.kind !== 'set') return []
  return change.assignments
    .filter(({ operand }) => operand.kind !== 'fresh' && (operand.kind !== 'now' || operand.period === true))
    .filter(({ operand }) => operand.kind !== 'literal' || typeof operand.value === 'string')
    .map(({ column }) => column)
}

/** The same without constants: what an upsert's conflict can be about. */
export function conflictKey(record: Recorded): readonly string[] {
  const { change } = record
  if (record.key?.length) return record.key
  if (change?.kind !== 'set') return []
  const constant = new Set(
    change.assignments.filter(({ operand }) => operand.kind === 'literal').map(({ column }) => column),
  )
  return insertedKey(record).filter((column) => !constant.has(column))
}
