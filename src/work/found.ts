import { allOf, conjuncts, judge, readCondition, readValue, type Rows, type SqlEnv } from '../claims/index.js'
import type { Operand, Predicate, RoutineAnswer, SqlTaking } from '../model/index.js'
import { isOrmQuery, type OrmQuery } from '../clients/builder.js'
import { textOfChunk, type Chunk } from '../clients/chunk.js'
import { readFilters, type Filter, type SqlFilter } from '../clients/filters.js'
import { tableOf, type Query } from '../clients/query.js'
import type { Draft, Pin } from '../clients/statement.js'
import { placeOf, type Value } from '../typescript/index.js'
import type { WorkContext } from './context.js'

/** What a query asks of its rows: conditions on the row itself, and queries among whose rows it must be. */
export interface Asked {
  readonly where: Predicate | null
  readonly pins: readonly Pin[]
  readonly finders: readonly Rows[]
}

const aboutOf = (query: Query) => ({
  schema: query.schema,
  name: query.table.kind === 'const' ? String(query.table.value) : '',
})

type ToOperand = (value: Value) => Operand

/** Reads the conditions of a query, those that are written in SQL and sub-queries too. */
export function askedBy(context: WorkContext, query: Query, operand: ToOperand): Asked {
  const about = aboutOf(query)
  const finders: Rows[] = []
  const pins: Pin[] = []
  const inSql = (filter: SqlFilter) => {
    const known = new Map<number, Operand>()
    const env = envOf(context, filter.chunk, operand, known)
    return { ...readCondition(textOfChunk(filter.chunk, filter.snake), about, env), known }
  }
  const plain: Filter[] = []
  const own: (Predicate | null)[] = []
  for (const filter of flat(query.filters)) {
    if (filter.kind === 'sql') {
      const read = inSql(filter)
      own.push(read.own)
      finders.push(...read.finders)
      pins.push(...pinsIn(read.own, filter.chunk, read.known))
    } else if (filter.kind === 'found' && tableOf(query) !== null && tableOf(filter.query) === tableOf(query))
      finders.push(rowsOf(context, filter.query, operand))
    else plain.push(filter)
  }
  const read = readFilters(plain, operand, (filter) => {
    const { own: inner, finders: found } = inSql(filter)
    return found.length > 0 || inner === null
      ? { kind: 'other', text: '(select …)', columns: filter.chunk.columns }
      : inner
  })
  return { where: allOf([read.where, ...own]), pins: [...read.pins, ...pins], finders }
}

const flat = (filters: readonly Filter[]): Filter[] =>
  filters.flatMap((filter) => (filter.kind === 'all' ? flat(filter.filters) : [filter]))

/** The rows of a sub-query, as finding rows of one table goes. */
function rowsOf(context: WorkContext, query: Query, operand: ToOperand): Rows {
  const asked = askedBy(context, query, operand)
  return {
    table: tableOf(query),
    where: allOf([asked.where, ...asked.finders.map((each) => each.where)]),
    limit: query.limit ? operand(query.limit) : null,
    lock: strongest([query.orm?.lock ?? 'none', ...asked.finders.map((each) => each.lock)]),
    location: placeOf(query.site),
    answer: null,
  }
}

const strongest = (locks: readonly Rows['lock'][]): Rows['lock'] =>
  locks.includes('update') ? 'update' : locks.includes('share') ? 'share' : 'none'

/** A value that is a piece of SQL (`now() + interval '5 minutes'`); null: it is none that can be read. */
export function sqlValue(context: WorkContext, query: Query, chunk: Chunk, operand: ToOperand): Operand | null {
  const about = aboutOf(query)
  return readValue(textOfChunk(chunk, query.orm?.snake), about, envOf(context, chunk, operand, new Map()))
}

const envOf = (context: WorkContext, chunk: Chunk, operand: ToOperand, known: Map<number, Operand>): SqlEnv => ({
  variable: () => null,
  parameter: (number) => {
    const value = chunk.values[number - 1]
    if (!value) return { kind: 'opaque', id: `$${number}`, nonNull: false }
    const given = known.get(number) ?? operand(value)
    known.set(number, given)
    return given
  },
  parameters: new Set(),
  table: (schema, name) => context.table(schema && schema !== 'public' ? `${schema}.${name}` : name),
  routine: context.known,
})

/** `id = $1` in a piece of SQL pins the row that the value is of. */
function pinsIn(where: Predicate | null, chunk: Chunk, known: ReadonlyMap<number, Operand>): Pin[] {
  const valueOf = (operand: Operand): Value | undefined => {
    for (const [number, each] of known) if (each === operand) return chunk.values[number - 1]
    return undefined
  }
  return conjuncts(where).flatMap((term): Pin[] => {
    const operand =
      term.kind === 'compare' && term.op === '='
        ? term.operand
        : term.kind === 'in' && term.operands.length === 1
          ? term.operands[0]!
          : null
    const value = operand && 'column' in term ? valueOf(operand) : undefined
    return value && value.kind !== 'const' && 'column' in term
      ? [{ column: term.column, value, list: term.kind === 'in' }]
      : []
  })
}

/**
 * What a query of an ORM does that PostgREST cannot: it finds the rows through a query that may lock them, or locks what it
 * reads. Judged as the same statement in SQL is (claims/update.ts, claims/statement.ts); null: nothing of the kind.
 */
export function takenBy(
  context: WorkContext,
  query: Query,
  draft: Draft,
  finders: readonly Rows[],
  operand: ToOperand,
): RoutineAnswer | null {
  if (!isOrmQuery(query)) return null
  const location = placeOf(query.site)
  if (query.orm.unjudged !== null) return { kind: 'unknown', reason: query.orm.unjudged, location }
  const locks = draft.kind === 'select' && strongest([query.orm.lock, ...finders.map((each) => each.lock)]) === 'update'
  const writes = draft.kind === 'update' || draft.kind === 'delete'
  if (!locks && !(writes && (finders.length > 0 || query.orm.repeatable))) return null
  const limit = query.limit ? operand(query.limit) : (finders.find((each) => each.limit)?.limit ?? null)
  const taking: SqlTaking = {
    table: draft.table,
    where: allOf([draft.where, ...finders.map((each) => each.where)]),
    change: draft.change,
    soundness: 'lock-only-claim',
    location,
    limit,
    keys: [],
  }
  return {
    kind: query.returning || locks ? 'rows' : 'flag',
    taking: writes ? judged(context, query, draft, finders, taking) : taking,
  }
}

function judged(
  context: WorkContext,
  query: OrmQuery,
  draft: Draft,
  finders: readonly Rows[],
  taking: SqlTaking,
): SqlTaking {
  // At REPEATABLE READ the second updater of a row gets an error instead of the row (domain 1.11, cases 24–26).
  if (query.orm.repeatable) return { ...taking, soundness: 'sound' }
  const table = draft.table === null ? null : context.table(draft.table)
  const verdict = judge(draft.where, finders, draft.change ? [draft.change] : [], table)
  // Where it is open whether the own condition protects, what an unlocked query found must not look like part of it.
  const sure = verdict.soundness === 'unproven' ? finders.filter((each) => each.lock !== 'none') : finders
  return {
    ...taking,
    where: allOf([draft.where, ...sure.map((each) => each.where)]),
    soundness: verdict.soundness,
    ...(verdict.reason ? { reason: verdict.reason } : {}),
  }
}
