import type { Location } from '../model/index.js'
import { routinesNamed } from './catalog.js'
import { evaluate } from './evaluate.js'
import {
  EMPTY,
  report,
  type EvaluatedArgument,
  type Frame,
  type Machine,
  type Relation,
  type RelationRow,
} from './machine.js'
import { bodyOf, outputNames, type RoutineEntry, type RoutineInput } from './routines.js'
import { field } from './contents.js'
import { alternatives, anyOf, list, NULL, object, unknown, UNKNOWN, type Value } from './value.js'

/** Deeper calls are recursion. */
const DEEPEST = 25

/** The routine that a call means: by the number, the names and the kinds of its arguments (PostgreSQL docs 10.3, roughly). */
export function matchRoutine(
  machine: Machine,
  name: string,
  schema: string | null,
  args: readonly EvaluatedArgument[],
): RoutineEntry | null {
  const scored = routinesNamed(machine.catalog, name, schema)
    .map((entry) => ({ entry, score: fit(entry, args) }))
    .filter((each) => each.score >= 0)
  scored.sort((a, b) => b.score - a.score)
  return scored[0]?.entry ?? null
}

/** How well arguments fit; negative: not at all. */
function fit({ inputs }: RoutineEntry, args: readonly EvaluatedArgument[]): number {
  const variadic = inputs.at(-1)?.variadic === true
  if (args.length > inputs.length && !variadic) return -1
  const used = new Set<RoutineInput>()
  let score = 0
  for (const [index, arg] of args.entries()) {
    const input = arg.name === null ? (inputs[index] ?? inputs.at(-1)) : inputs.find((each) => each.name === arg.name)
    if (!input) return -1
    used.add(input)
    score += kindFits(arg.value, input)
  }
  if (inputs.some((input) => !used.has(input) && input.fallback === null && !input.variadic)) return -1
  return Math.max(0, (score + 1) * 100 - inputs.length)
}

function kindFits(value: Value, { type, variadic }: RoutineInput): number {
  const kind = alternatives(value)[0]!.kind
  const array = type.endsWith('[]') && !variadic
  if (kind === 'list' || kind === 'rows') return array || /json/.test(type) ? 2 : 0
  if (kind === 'number') return /int|numeric|float/.test(type) ? 2 : array ? 0 : 1
  if (kind === 'bool') return type === 'bool' ? 2 : 0
  if (kind === 'object') return array || /^(text|int\d|bool)$/.test(type) ? 0 : 2
  if (kind === 'text') return /^(text|varchar|citext)$/.test(type) ? 2 : array ? 0 : 1
  return 1
}

/** The frame in which a routine's body runs. */
function bodyFrame(frame: Frame, entry: RoutineEntry, args: readonly EvaluatedArgument[]): Frame {
  const inner: Frame = {
    ...frame,
    source: entry.source,
    variables: new Map(),
    parameters: [],
    scope: null,
    ctes: new Map(),
    withNodes: [],
    group: null,
    via: [...frame.via, entry.routine.name],
    routine: entry.routine,
    depth: frame.depth + 1,
  }
  const parameters = entry.inputs.map((input, index) => {
    if (input.variadic) return list(args.slice(index).map((arg) => arg.value))
    const given =
      args.find((arg) => arg.name !== null && arg.name === input.name) ??
      (args[index]?.name === null ? args[index] : undefined)
    return given ? given.value : input.fallback ? evaluate(inner, input.fallback) : NULL
  })
  const variables = new Map<string, Value>(outputNames(entry).map((name) => [name, NULL]))
  for (const [index, input] of entry.inputs.entries())
    if (input.name !== null) variables.set(input.name, parameters[index]!)
  return { ...inner, variables, parameters }
}

interface Ran {
  readonly values: readonly Value[]
  readonly relation: Relation
}

function run(frame: Frame, entry: RoutineEntry, args: readonly EvaluatedArgument[]): Ran | null {
  if (frame.depth >= DEEPEST) return null
  frame.machine.called.add(entry.routine.name)
  const inner = bodyFrame(frame, entry, args)
  const body = bodyOf(entry)
  if (body.language === 'plpgsql') {
    const returned = frame.machine.interpreter.block(inner, body.block)
    const outputs = outputNames(entry)
    const outs = outputs.map((name): [string, Value] => [name, inner.variables.get(name) ?? NULL])
    const own: Value[] =
      outputs.length === 0 || entry.returnsRows ? [] : [outputs.length === 1 ? outs[0]![1] : object(new Map(outs))]
    const columns = [...(returned.rows[0]?.row.fields.keys() ?? [])]
    return { values: [...returned.values, ...own], relation: { columns, rows: returned.rows } }
  }
  if (body.language === 'sql') {
    let last: Relation = EMPTY
    for (const statement of body.statements) {
      if (statement.ok)
        last = frame.machine.interpreter.statement({ ...inner, source: statement.source }, statement.tree)
      else
        report(frame.machine, {
          code: 'sql-not-parsed',
          severity: 'warning',
          message: statement.message,
          location: statement.location,
        })
    }
    return { values: [], relation: last }
  }
  return null
}

/** Runs a routine where a value is wanted. */
export function valueOfRoutine(frame: Frame, entry: RoutineEntry, args: readonly EvaluatedArgument[]): Value {
  const ran = run(frame, entry, args)
  if (!ran) return UNKNOWN
  if (ran.values.length > 0) return anyOf(ran.values)
  const { rows, columns } = ran.relation
  if (rows.length === 0)
    return entry.returnsVoid ? NULL : ran.relation.columns.length > 0 || entry.returnsRows ? NULL : UNKNOWN
  const first = rows[0]!
  if (entry.returnsVoid) return NULL
  return columns.length === 1 ? field(first.row, columns[0]!) : first.row
}

/**
 * Runs a routine in FROM. Rows that are not known one by one come from the routine as a whole: whether it takes them is for its
 * body to say.
 */
export function rowsOfRoutine(
  frame: Frame,
  entry: RoutineEntry,
  args: readonly EvaluatedArgument[],
  location: Location,
): Relation {
  const ran = run(frame, entry, args)
  const names = outputNames(entry)
  if (ran && !entry.returnsRows) {
    const value = ran.values.length > 0 ? anyOf(ran.values) : rowValue(ran.relation)
    const row = value.kind === 'object' ? value : object(new Map([[entry.routine.name, value]]))
    return { columns: [...row.fields.keys()], rows: [{ row, sources: [], certain: true }] }
  }
  const source = { kind: 'routine' as const, routine: entry.routine, location }
  if (!ran || ran.relation.rows.length === 0) {
    if (ran && ran.values.length === 0 && bodyOf(entry).language === 'sql' && !ran.relation.columns.length) return EMPTY
    const row = object(
      new Map(names.map((name) => [name, unknown({ kind: 'column', source, column: name })])),
      true,
      source,
    )
    return { columns: names, rows: [{ row, sources: [source], certain: false }] }
  }
  const rows = ran.relation.rows.map((each): RelationRow => {
    const columns = [...each.row.fields.keys()]
    const fields = new Map(
      columns.map((column, index): [string, Value] => [names[index] ?? column, field(each.row, column)]),
    )
    if (each.sources.length === 0) return { ...each, row: object(fields, each.row.open, each.row.source) }
    for (const name of fields.keys()) fields.set(name, unknown({ kind: 'column', source, column: name }))
    for (const name of names) if (!fields.has(name)) fields.set(name, unknown({ kind: 'column', source, column: name }))
    return { row: object(fields, true, source), sources: [source], certain: false }
  })
  return { columns: [...(rows[0]?.row.fields.keys() ?? [])], rows }
}

function rowValue(relation: Relation): Value {
  const first = relation.rows[0]
  if (!first) return NULL
  return relation.columns.length === 1 ? field(first.row, relation.columns[0]!) : first.row
}
