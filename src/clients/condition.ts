import { foreign, type Foreign, type ForeignData, type Value } from '../typescript/index.js'
import { ANY_COLUMN, unreadFilter } from './builder.js'
import { isChunk } from './chunk.js'
import type { Filter } from './filters.js'
import { isNothing } from './names.js'

/** A condition that was made and not yet asked: `eq(crates.id, id)`. Its columns may be named `table.column`. */
export interface Condition extends ForeignData {
  readonly type: 'orm:condition'
  readonly filter: Filter
}

export const isCondition = (value: Value): value is Foreign & { data: Condition } =>
  value.kind === 'foreign' && value.data.type === 'orm:condition'

export const condition = (filter: Filter): Foreign => foreign({ type: 'orm:condition', filter } as Condition)

/** A value that stands where a condition is wanted. What may be one of several, or none, proves nothing. */
export function filterIn(value: Value): Filter {
  if (isCondition(value)) return value.data.filter
  if (isChunk(value)) return { kind: 'sql', chunk: value.data.chunk, snake: false }
  // `cond ? eq(…) : undefined`
  if (isNothing(value)) return { kind: 'all', filters: [] }
  if (value.kind === 'alt')
    return unreadFilter(
      'conditions on some paths',
      value.options.flatMap((option) => columnsOfFilter(filterIn(option.value))),
    )
  return unreadFilter('a condition that the program builds', [ANY_COLUMN])
}

/** The columns that a condition or a piece of SQL asks about. */
export function columnsOfCondition(value: Value): string[] {
  if (isChunk(value)) return [...value.data.chunk.columns]
  return isCondition(value) ? columnsOfFilter(value.data.filter) : []
}

export function columnsOfFilter(filter: Filter): string[] {
  switch (filter.kind) {
    case 'not':
      return columnsOfFilter(filter.filter)
    case 'any':
    case 'all':
      return filter.filters.flatMap(columnsOfFilter)
    case 'other':
      return [...filter.columns]
    case 'sql':
      return [...filter.chunk.columns]
    default:
      return [filter.column]
  }
}
