import {
  constant,
  foreign,
  type Foreign,
  type ForeignData,
  type Machine,
  type Site,
  type Value,
} from '../typescript/index.js'
import { conditionOf, filterOf, mark, parseLogic, type Filter } from './filters.js'
import type { OrmPart } from './builder.js'
import { EMPTY_DRAFT, type Draft } from './statement.js'

/** A PostgREST request while the code builds it: what supabase-js calls a builder. Nothing is sent until it is awaited. */
export interface Query {
  readonly verb: 'select' | 'update' | 'insert' | 'upsert' | 'delete' | 'call'
  readonly table: Value
  readonly schema: string | null
  readonly filters: readonly Filter[]
  readonly payload: Value | null
  readonly options: Value | null
  /** `.select()` after a write: the rows come back. */
  readonly returning: boolean
  readonly shape: 'list' | 'one' | 'maybe-one'
  readonly limit: Value | null
  readonly throws: boolean
  readonly site: Site
  readonly client: string | null
  readonly viaHttp: boolean
  /** What a query builder for SQL adds: drizzle, kysely. */
  readonly orm?: OrmPart
}

export type QueryData = ForeignData & { readonly type: 'query'; readonly query: Query }

export const isQuery = (value: Foreign): value is Foreign & { data: QueryData } => value.data.type === 'query'
export const queryValue = (query: Query): Foreign => foreign({ type: 'query', query } as QueryData)

const FILTERS = new Set([
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'is',
  'in',
  'like',
  'ilike',
  'contains',
  'containedBy',
  'overlaps',
  'isDistinct',
])

/** One more link of the chain (supabase-js 2: PostgrestQueryBuilder, PostgrestFilterBuilder, PostgrestTransformBuilder). */
export function extend(query: Query, name: string, args: readonly Value[], machine: Machine): Query | null {
  const [first, second, third] = args
  const column = first?.kind === 'const' ? String(first.value) : null
  const add = (filter: Filter): Query => ({ ...query, filters: [...query.filters, filter] })
  const unread = (text: string): Query => add({ kind: 'other', columns: column ? [column] : [], text })
  if (FILTERS.has(name)) {
    if (column === null) return add({ kind: 'other', columns: [], text: `.${name}(…)` })
    return add(filterOf(name.toLowerCase(), column, second ?? constant(undefined), machine))
  }
  switch (name) {
    case 'select':
      if (query.verb === 'select' || query.verb === 'call') return { ...query, options: second ?? query.options }
      return { ...query, returning: true }
    case 'insert':
    case 'update':
    case 'upsert':
      return { ...query, verb: name, payload: first ?? null, options: second ?? null }
    case 'delete':
      return { ...query, verb: 'delete', options: first ?? null }
    case 'not':
    case 'filter': {
      const op = second?.kind === 'const' ? String(second.value) : null
      if (column === null || op === null) return unread(`.${name}(…)`)
      // Lists are text here: `.not('status', 'in', '(sent,failed)')`.
      const listed =
        op.replace(/^not\./, '') === 'in' && third && (third.kind === 'const' || third.kind === 'text')
          ? mark(third)
          : null
      const filter = listed
        ? conditionOf(column, op, listed.text, listed, machine)
        : filterOf(op, column, third ?? constant(undefined), machine)
      return add(name === 'not' ? { kind: 'not', filter } : filter)
    }
    case 'match': {
      const cell = first ? machine.objectCell(first) : null
      if (!cell) return unread('.match(…)')
      const filters = [...cell.props].map(([name, value]): Filter => ({
        kind: 'compare',
        column: name,
        op: '=',
        value,
      }))
      return { ...query, filters: [...query.filters, ...filters] }
    }
    case 'or': {
      const marked = first ? mark(first) : null
      if (!marked) return unread('.or(…)')
      const filters = parseLogic(marked, marked.text, machine)
      return add(filters.length === 1 ? filters[0]! : { kind: 'any', filters })
    }
    case 'limit':
      return { ...query, limit: first ?? null }
    case 'range': {
      if (
        first?.kind === 'const' &&
        second?.kind === 'const' &&
        typeof first.value === 'number' &&
        typeof second.value === 'number'
      )
        return { ...query, limit: constant(second.value - first.value + 1) }
      return second?.kind === 'shifted' && second.delta !== null
        ? { ...query, limit: constant(second.delta + 1) }
        : query
    }
    case 'single':
      return { ...query, shape: 'one' }
    case 'maybeSingle':
      return { ...query, shape: 'maybe-one' }
    case 'throwOnError':
      return { ...query, throws: true }
    case 'order':
    case 'returns':
    case 'overrideTypes':
    case 'abortSignal':
    case 'csv':
    case 'retry':
    case 'maxAffected':
    case 'setHeader':
    case 'textSearch':
    case 'explain':
    case 'geojson':
      return name === 'textSearch' ? unread('.textSearch(…)') : query
    default:
      return null
  }
}

/** `select('*', { count: 'exact', head: true })`: a number and no rows. */
function asksForCountOnly(query: Query, machine: Machine): boolean {
  return (query.options ? machine.objectCell(query.options)?.props.has('head') : undefined) ?? false
}

export function tableOf(query: Query): string | null {
  if (query.table.kind !== 'const') return null
  const name = String(query.table.value)
  return query.schema && query.schema !== 'public' ? `${query.schema}.${name}` : name
}

/** What the request does, before the conditions are read against the table. */
export function draftOf(
  query: Query,
  machine: Machine,
): Pick<Draft, 'kind' | 'table' | 'result' | 'limit' | 'onConflict' | 'conflictColumns' | 'clientName' | 'viaHttp'> &
  Draft {
  const head = asksForCountOnly(query, machine)
  const isWrite = query.verb !== 'select' && query.verb !== 'call'
  const result =
    query.verb === 'call' && query.shape === 'list'
      ? 'answer'
      : query.shape !== 'list'
        ? query.shape
        : head || (isWrite && !query.returning)
          ? 'nothing'
          : 'rows'
  const options = query.options ? machine.objectCell(query.options) : null
  const ignore = options?.props.get('ignoreDuplicates')
  const target = options?.props.get('onConflict')
  const limit = query.limit?.kind === 'const' && typeof query.limit.value === 'number' ? query.limit.value : null
  return {
    ...EMPTY_DRAFT,
    kind: query.verb,
    table: tableOf(query),
    result,
    limit: query.shape === 'list' ? limit : 1,
    onConflict:
      query.verb === 'upsert' ? (ignore?.kind === 'const' && ignore.value === true ? 'nothing' : 'update') : 'error',
    conflictColumns:
      target?.kind === 'const' && typeof target.value === 'string'
        ? target.value.split(',').map((name) => name.trim())
        : null,
    clientName: query.client,
    viaHttp: query.viaHttp,
  }
}
