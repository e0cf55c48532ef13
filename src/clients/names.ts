import { constant, type Machine, type Value } from '../typescript/index.js'
import type { Filter } from './filters.js'

/**
 * The columns of a row by the names that the code has for them. A query builder gives rows other keys than the table's:
 * `dueAt` for due_at, an alias, a table's name with its row behind it where tables are joined.
 */
export interface Names {
  readonly columns: ReadonlyMap<string, string | Names>
  /** Names that are not listed are the columns' own in camelCase. */
  readonly snake: boolean
}

export const AS_THEY_ARE: Names = { columns: new Map(), snake: false }

/** `dueAt` → due_at, as kysely's CamelCasePlugin and drizzle's `casing` have it. */
export const snakeCase = (name: string): string => name.replace(/(?<=[a-z\d])[A-Z]/g, '_$&').toLowerCase()

/** The column that a key of the row stands for, or the names of the row that stands behind it. */
export const columnFor = (names: Names, key: string): string | Names =>
  names.columns.get(key) ?? (names.snake ? snakeCase(key) : key)

const plain = (names: Names, key: string): string => {
  const column = columnFor(names, key)
  return typeof column === 'string' ? column : key
}

/** What an insert or update is given, by column. */
export function byColumn(payload: Value, names: Names, machine: Machine): Value {
  if (payload.kind === 'alt')
    return {
      kind: 'alt',
      options: payload.options.map((option) => ({ ...option, value: byColumn(option.value, names, machine) })),
    }
  const cell = machine.objectCell(payload)
  if (cell)
    return machine.object(
      [...cell.props].map(([key, value]) => [plain(names, key), value] as const),
      cell.rest,
    )
  const list = machine.listCell(payload)
  if (!list) return payload
  return machine.list({
    ...list,
    items: list.items?.map((item) => byColumn(item, names, machine)) ?? null,
    element: list.element ? byColumn(list.element, names, machine) : null,
  })
}

/**
 * Conditions speak of `table.column`; those of the query's own table lose that name. A condition on another table says
 * nothing that is asked of the row again, and so proves nothing.
 */
export function onOwnTable(filter: Filter, own: ReadonlySet<string>, snake: boolean): Filter {
  const rename = (column: string): string | null => {
    const at = column.lastIndexOf('.')
    const name = column.slice(at + 1)
    if (at >= 0 && !own.has(column.slice(0, at))) return null
    return snake ? snakeCase(name) : name
  }
  switch (filter.kind) {
    case 'compare':
    case 'in':
    case 'is':
    case 'distinct':
    case 'found': {
      const column = rename(filter.column)
      return column === null ? { kind: 'other', columns: [], text: `${filter.column} …` } : { ...filter, column }
    }
    case 'other':
      return { ...filter, columns: filter.columns.flatMap((column) => rename(column) ?? []) }
    case 'sql':
      return { ...filter, snake }
    case 'not':
      return { ...filter, filter: onOwnTable(filter.filter, own, snake) }
    case 'any':
    case 'all':
      return { ...filter, filters: filter.filters.map((each) => onOwnTable(each, own, snake)) }
  }
}

/** A condition that must be there as a value: `where(undefined)` is none. */
export const isNothing = (value: Value | undefined): boolean =>
  value === undefined || (value.kind === 'const' && (value.value === undefined || value.value === null))

export const textOrNull = (value: Value | undefined): string | null =>
  value?.kind === 'const' && typeof value.value === 'string' ? value.value : null

export const YES = constant(true)
