import { as, nameParts, type Node, type NodeOf } from '../sql/index.js'
import { tableNamed } from './catalog.js'
import { compare, truth } from './compare.js'
import { callSpan } from './call-span.js'
import { argumentsOf, evaluate } from './evaluate.js'
import { jobsAskedFor } from './job-rows.js'
import { jobRow } from './jobs.js'
import { Exhausted, spend, type Binding, type Frame, type Relation } from './machine.js'
import type { RowSource, StatementRows } from './rows.js'
import { setReturning } from './set-functions.js'
import { storedRows } from './store.js'
import { field, known } from './contents.js'
import { NULL, object, SOMETHING, text, unknown, type ObjectValue, type Value } from './value.js'

/** One combination of rows of the tables in FROM. */
export interface Tuple {
  readonly bindings: readonly Binding[]
  readonly sources: readonly RowSource[]
  readonly certain: boolean
  /** A row of a system catalogue that is taken to be there. */
  readonly assumed: boolean
}

const START: Tuple = { bindings: [], sources: [], certain: true, assumed: false }

/** What the items of FROM need to know of their query. */
export interface FromContext {
  readonly own: StatementRows
  /** The caller takes the first row only. */
  readonly one: boolean
  readonly where?: Node | undefined
}

/** More combinations than this are no configuration. */
const MOST_TUPLES = 2000

/** The combinations of rows of a FROM clause, before WHERE. */
export function fromTuples(frame: Frame, items: readonly Node[], context: FromContext): Tuple[] {
  return items.reduce<Tuple[]>((tuples, item) => joined(frame, tuples, item, context), [START])
}

/** The frame in which expressions over a tuple are evaluated. */
export function tupleFrame(frame: Frame, tuple: Tuple): Frame {
  return {
    ...frame,
    scope: { bindings: tuple.bindings, outer: frame.scope },
    rows: tuple.sources.length > 0 ? [...frame.rows, ...tuple.sources] : frame.rows,
  }
}

function joined(frame: Frame, tuples: readonly Tuple[], item: Node, context: FromContext): Tuple[] {
  const join = as(item, 'JoinExpr')
  if (join) return joinTuples(frame, tuples, join, context)
  const lateral = as(item, 'RangeFunction') ?? as(item, 'RangeSubselect')?.lateral
  const fixed = lateral ? null : itemTuples(frame, item, context)
  return product(frame, tuples, (tuple) => fixed ?? itemTuples(tupleFrame(frame, tuple), item, context))
}

function product(frame: Frame, tuples: readonly Tuple[], others: (tuple: Tuple) => readonly Tuple[]): Tuple[] {
  const result: Tuple[] = []
  for (const tuple of tuples) {
    for (const other of others(tuple)) {
      spend(frame.machine)
      result.push(both(tuple, other))
      if (result.length > MOST_TUPLES) throw new Exhausted('the query has too many rows')
    }
  }
  return result
}

function both(a: Tuple, b: Tuple): Tuple {
  return {
    bindings: [...a.bindings, ...b.bindings],
    sources: [...new Set([...a.sources, ...b.sources])],
    certain: a.certain && b.certain,
    assumed: a.assumed || b.assumed,
  }
}

function joinTuples(frame: Frame, tuples: readonly Tuple[], join: NodeOf<'JoinExpr'>, context: FromContext): Tuple[] {
  const left = joined(frame, tuples, join.larg!, context)
  const outer = join.jointype === 'JOIN_LEFT' || join.jointype === 'JOIN_FULL'
  return left.flatMap((tuple) => {
    const pairs = joined(frame, [tuple], join.rarg!, context)
    const kept = join.quals ? restrict(frame, pairs, join.quals) : pairs
    if (kept.length > 0 || !outer) return kept
    const empty = pairs[0]?.bindings.slice(tuple.bindings.length) ?? []
    return [{ ...tuple, bindings: [...tuple.bindings, ...empty.map((each) => ({ ...each, row: object(new Map()) }))] }]
  })
}

/** The tuples that a condition lets through, or may let through. */
export function restrict(frame: Frame, tuples: readonly Tuple[], condition: Node | undefined): Tuple[] {
  if (!condition) return [...tuples]
  return tuples.flatMap((tuple) => {
    const decided = truth(evaluate({ ...tupleFrame(frame, tuple), group: null }, condition))
    if (decided === 'no') return []
    return [decided === 'yes' || tuple.assumed ? tuple : { ...tuple, certain: false }]
  })
}

function itemTuples(frame: Frame, item: Node, context: FromContext): Tuple[] {
  const range = as(item, 'RangeVar')
  if (range) return tableTuples(frame, range, context)
  const sub = as(item, 'RangeSubselect')
  if (sub)
    return relationTuples(
      frame.machine.interpreter.query(frame, sub.subquery!),
      aliasOf(sub.alias),
      columnNames(sub.alias),
    )
  const call = as(item, 'RangeFunction')
  if (call) return functionTuples(frame, call, context)
  return [openTuple('', context)]
}

const aliasOf = (alias: NodeOf<'Alias'> | undefined, fallback = ''): string => alias?.aliasname ?? fallback
const columnNames = (alias: NodeOf<'Alias'> | undefined): readonly string[] => nameParts(alias?.colnames)

function relationTuples(relation: Relation, alias: string, names: readonly string[]): Tuple[] {
  return relation.rows.map(({ row, sources, certain }) => ({
    bindings: [{ alias, row: renamed(relation, row, names), scalar: false }],
    sources,
    certain,
    assumed: false,
  }))
}

function renamed(relation: Relation, row: ObjectValue, names: readonly string[]): ObjectValue {
  if (names.length === 0) return row
  const columns = relation.columns.length > 0 ? relation.columns : [...row.fields.keys()]
  const fields = new Map<string, Value>()
  for (const [index, column] of columns.entries()) fields.set(names[index] ?? column, field(row, column))
  return object(fields, row.open, row.source)
}

function openTuple(alias: string, { own }: FromContext): Tuple {
  return {
    bindings: [{ alias, row: object(new Map(), true, own), scalar: false }],
    sources: [own],
    certain: false,
    assumed: false,
  }
}

/** Schemas and tables that describe the database itself. */
const isCatalogue = (range: NodeOf<'RangeVar'>): boolean =>
  range.schemaname === 'pg_catalog' ||
  range.schemaname === 'information_schema' ||
  (range.relname ?? '').startsWith('pg_')

/** What a guard asks for before it schedules: that these are there is taken for granted. */
const ASSUMED = new Set(['pg_extension', 'pg_namespace', 'pg_available_extensions', 'pg_roles', 'pg_database'])

function tableTuples(frame: Frame, range: NodeOf<'RangeVar'>, context: FromContext): Tuple[] {
  const name = range.relname ?? ''
  const alias = aliasOf(range.alias, name)
  const single = (row: ObjectValue, certain: boolean, assumed = false): Tuple => ({
    bindings: [{ alias, row, scalar: false }],
    sources: [],
    certain,
    assumed,
  })
  const cte = range.schemaname ? undefined : frame.ctes.get(name)
  if (cte) return relationTuples(cte.relation(), alias, columnNames(range.alias))
  if (range.schemaname === 'cron' && name === 'job')
    return jobsAskedFor(frame.machine.jobs.rows, alias, context.where).map((job) => single(jobRow(job), true))
  if (isCatalogue(range)) {
    const assumed = ASSUMED.has(name)
    return [single(object(new Map(), true), assumed, assumed)]
  }
  if (range.schemaname === 'vault') return secretRows(frame, alias, context).map((row) => single(row, false))
  return rowsOfTable(frame, name, alias, context, single)
}

/** vault.decrypted_secrets: the value of a secret is known only where a migration makes it. */
function secretRows(frame: Frame, alias: string, { own }: FromContext): ObjectValue[] {
  const wanted = own.pinned.find(
    (each) => each.column === 'name' && (each.alias === null || each.alias === alias),
  )?.value
  const stored = storedRows(frame.machine, 'decrypted_secrets').filter(
    (row) => wanted === undefined || known(field(row, 'name')) === wanted,
  )
  if (wanted !== undefined && stored.length > 0) return stored.slice(-1)
  const secret = unknown({ kind: 'secret', name: wanted ?? '' })
  const name = wanted === undefined ? SOMETHING : text(wanted)
  return [
    object(
      new Map<string, Value>([
        ['name', name],
        ['decrypted_secret', secret],
        ['secret', secret],
      ]),
      true,
    ),
  ]
}

function rowsOfTable(
  frame: Frame,
  name: string,
  alias: string,
  { own, one }: FromContext,
  single: (row: ObjectValue, certain: boolean) => Tuple,
): Tuple[] {
  const { machine } = frame
  const pinned = own.pinned.filter((each) => each.alias === null || each.alias === alias)
  const draft = tableNamed(machine.catalog, name)
  const pinnedColumns = new Set(pinned.map((each) => each.column))
  const unique =
    draft?.keys.some(
      (key) => key.condition === null && key.columns.every((column) => column !== null && pinnedColumns.has(column)),
    ) ?? false
  if (machine.rowsAreAll || (pinned.length > 0 && (unique || one || own.single))) {
    const stored = storedRows(machine, name)
    const matching = stored.filter((row) =>
      pinned.every((each) => truth(compare(field(row, each.column), '=', text(each.value))) === 'yes'),
    )
    if (matching.length > 0) return matching.map((row) => single(row, true))
    if (machine.rowsAreAll && stored.length > 0) return stored.map((row) => single(row, true))
  }
  const fields = new Map<string, Value>()
  for (const column of draft?.columns ?? []) fields.set(column, unknown({ kind: 'column', source: own, column }))
  for (const each of pinned) fields.set(each.column, text(each.value))
  const row = object(fields, true, own)
  // One row that the key picks is configuration or the row at hand, no list to walk over.
  const sources = unique || (own.single && !own.ordered) ? [] : [own]
  return [{ ...single(row, false), sources }]
}

function functionTuples(frame: Frame, range: NodeOf<'RangeFunction'>, context: FromContext): Tuple[] {
  return (range.functions ?? []).reduce<Tuple[]>(
    (tuples, item) => {
      const node = as(item, 'List')?.items?.[0] ?? item
      return product(frame, tuples, () => oneFunction(frame, node, range, context))
    },
    [START],
  )
}

function oneFunction(frame: Frame, node: Node, range: NodeOf<'RangeFunction'>, context: FromContext): Tuple[] {
  const call = as(node, 'FuncCall')
  const name = nameParts(call?.funcname)
  const alias = aliasOf(range.alias, name.at(-1) ?? '')
  const names = columnNames(range.alias)
  const given = names.length > 0 ? names : (range.coldeflist ?? []).map((each) => as(each, 'ColumnDef')?.colname ?? '')
  if (!call) return [valueTuple(alias, given, evaluate(frame, node), [])]
  const args = argumentsOf(frame, call)
  const location = callSpan(frame.source, call.location ?? 0)
  const relation = frame.machine.interpreter.routineRows(frame, name, args, location)
  if (relation) {
    const scalar = relation.columns.length === 1
    return relationTuples(relation, alias, scalar && names.length === 0 ? [alias] : names)
  }
  const elements = setReturning(
    name.at(-1) ?? '',
    args.map((arg) => arg.value),
    context.own,
  )
  if (elements) return elements.map((each) => valueTuple(alias, given, each.value, each.sources))
  if (name[0] === 'pgmq' || name[0] === 'pgmq_public') return [openTuple(alias, context)]
  const value = frame.machine.interpreter.call(frame, name, args, location)
  return [valueTuple(alias, given, value, [])]
}

function valueTuple(alias: string, names: readonly string[], value: Value, sources: readonly RowSource[]): Tuple {
  const composite = value.kind === 'object' && (names.length > 1 || names.length === 0)
  const row = composite
    ? named(value, names)
    : object(new Map([[names[0] ?? (alias === '' ? 'value' : alias), value]]), value.kind === 'unknown')
  return { bindings: [{ alias, row, scalar: !composite }], sources, certain: sources.length === 0, assumed: false }
}

/** A record under the names of a column list. jsonb objects keep theirs: jsonb_to_recordset goes by name. */
function named(value: ObjectValue, names: readonly string[]): ObjectValue {
  if (names.length === 0 || names.some((name) => value.fields.has(name))) return value
  const values = [...value.fields.values()]
  return object(new Map(names.map((name, index) => [name, values[index] ?? NULL])), value.open, value.source)
}
