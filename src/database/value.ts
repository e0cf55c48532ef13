import { slice, type SqlText } from '../sql/source.js'
import type { RowSource } from './rows.js'

/**
 * Symbolic values: what an SQL expression can be, as far as the text of the project tells.
 * Text is a template of known runs and holes; every hole says what it is, so that a URL whose base is a setting still shows its path.
 */
export type Value =
  NullValue | BoolValue | NumberValue | TextValue | ObjectValue | ListValue | RowsValue | AnyValue | Unknown

export interface NullValue {
  readonly kind: 'null'
}

export interface BoolValue {
  readonly kind: 'bool'
  readonly value: boolean
}

export interface NumberValue {
  readonly kind: 'number'
  readonly value: number
}

/** A template; no parts: the empty string. */
export interface TextValue {
  readonly kind: 'text'
  readonly parts: readonly Part[]
}

export type Part = Run | Unknown

/** A run of known text; `from`: the same text with where it stands, where it stands somewhere letter by letter. */
export interface Run {
  readonly kind: 'run'
  readonly text: string
  readonly from: SqlText | null
}

/** A record, or a jsonb object. `open`: it has more fields than are known; `source`: it is a whole row of that source. */
export interface ObjectValue {
  readonly kind: 'object'
  readonly fields: ReadonlyMap<string, Value>
  readonly open: boolean
  readonly source: RowSource | null
}

/** An array (SQL or jsonb) whose elements are known one by one. */
export interface ListValue {
  readonly kind: 'list'
  readonly items: readonly Value[]
}

/** An array with one element for each row of the sources (jsonb_agg, array_agg): how many is not known. */
export interface RowsValue {
  readonly kind: 'rows'
  readonly element: Value
  readonly sources: readonly RowSource[]
}

/** One of several, by a condition that is not known. Never nested, never empty. */
export interface AnyValue {
  readonly kind: 'any'
  readonly values: readonly Value[]
}

/** Not known. `nonNull` where it cannot be null. */
export interface Unknown {
  readonly kind: 'unknown'
  readonly origin: Origin
  readonly nonNull: boolean
}

/** What an unknown value is. */
export type Origin =
  | { readonly kind: 'setting' | 'secret' | 'parameter'; readonly name: string }
  /** A value of the row of a table that `key` (a constant of the condition) picks. */
  | { readonly kind: 'cell'; readonly table: string; readonly column: string; readonly key: string | null }
  /** A column of the row at hand of a query. */
  | { readonly kind: 'column'; readonly source: RowSource; readonly column: string }
  /** The moment of the statement. */
  | { readonly kind: 'now' }
  | { readonly kind: 'expression' }

/** The most alternatives that one value keeps; beyond that it is unknown. */
const MOST_ALTERNATIVES = 32

export const NULL: NullValue = { kind: 'null' }
export const TRUE: BoolValue = { kind: 'bool', value: true }
export const FALSE: BoolValue = { kind: 'bool', value: false }
export const UNKNOWN: Unknown = { kind: 'unknown', origin: { kind: 'expression' }, nonNull: false }
/** Not known, but certainly there: an id, a moment, a count. */
export const SOMETHING: Unknown = { kind: 'unknown', origin: { kind: 'expression' }, nonNull: true }

export const NOW: Unknown = { kind: 'unknown', origin: { kind: 'now' }, nonNull: true }

export const bool = (value: boolean): BoolValue => (value ? TRUE : FALSE)
export const number = (value: number): NumberValue => ({ kind: 'number', value })
export const unknown = (origin: Origin, nonNull = false): Unknown => ({ kind: 'unknown', origin, nonNull })
export const list = (items: readonly Value[]): ListValue => ({ kind: 'list', items })
export const run = (content: string): Run => ({ kind: 'run', text: content, from: null })
export const text = (content: string): TextValue => ({ kind: 'text', parts: content === '' ? [] : [run(content)] })
/** A text that stands in a file. */
export const placed = (from: SqlText): TextValue => ({
  kind: 'text',
  parts: from.text === '' ? [] : [{ kind: 'run', text: from.text, from }],
})
/** The part of a run from `start` to `end` (exclusive). */
export const sliceRun = (part: Run, start: number, end: number = part.text.length): Run => ({
  kind: 'run',
  text: part.text.slice(start, end),
  from: part.from && slice(part.from, start, end),
})
export const template = (parts: readonly Part[]): TextValue => ({ kind: 'text', parts: joined(parts) })
export const object = (
  fields: ReadonlyMap<string, Value>,
  open = false,
  source: RowSource | null = null,
): ObjectValue => ({ kind: 'object', fields, open, source })

/** Longer texts, or ones of more parts, are no command and no URL. */
const LONGEST = 1_000_000
const MOST_PARTS = 2000

/** Empty runs left out, neighbouring runs without a place made one; what is too big is not known. */
export function joined(parts: readonly Part[]): Part[] {
  if (parts.length > MOST_PARTS) return [SOMETHING]
  if (parts.reduce((sum, part) => sum + (part.kind === 'run' ? part.text.length : 1), 0) > LONGEST) return [SOMETHING]
  const result: Part[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (part.kind === 'run' && part.text === '') continue
    if (part.kind === 'run' && last?.kind === 'run' && part.from === null && last.from === null) {
      result[result.length - 1] = run(last.text + part.text)
    } else result.push(part)
  }
  return result
}

/** The values that `value` may be, one by one. */
export const alternatives = (value: Value): readonly Value[] => (value.kind === 'any' ? value.values : [value])

/** One of `values`; the same one counts once. */
export function anyOf(values: readonly Value[]): Value {
  const distinct = new Map<string, Value>()
  for (const value of values.flatMap(alternatives)) {
    const key = fingerprint(value)
    if (!distinct.has(key)) distinct.set(key, value)
  }
  const all = [...distinct.values()]
  if (all.length === 1) return all[0]!
  if (all.length === 0 || all.length > MOST_ALTERNATIVES) return UNKNOWN
  return { kind: 'any', values: all }
}

/** Applies `make` to every combination of what the arguments may be; too many combinations are unknown. */
export function combine(args: readonly Value[], make: (args: readonly Value[]) => Value): Value {
  if (!args.some((arg) => arg.kind === 'any')) return make(args)
  const combinations = args.reduce((count, arg) => count * alternatives(arg).length, 1)
  if (combinations > MOST_ALTERNATIVES) return UNKNOWN
  const rows = args.reduce<Value[][]>(
    (all, arg) => all.flatMap((row) => alternatives(arg).map((value) => [...row, value])),
    [[]],
  )
  return anyOf(rows.map(make))
}

const identities = new WeakMap<object, number>()
let lastIdentity = 0

function identity(thing: object): number {
  const known = identities.get(thing)
  if (known !== undefined) return known
  identities.set(thing, ++lastIdentity)
  return lastIdentity
}

/** A string that is equal for equal values; two holes are equal where their origins are. */
export function fingerprint(value: Value): string {
  switch (value.kind) {
    case 'null':
      return 'null'
    case 'bool':
    case 'number':
      return `${value.kind}:${value.value}`
    case 'text':
      return `text:${value.parts.map((part) => (part.kind === 'run' ? part.text : `\u0000${fingerprint(part)}\u0000`)).join('')}`
    case 'object':
      return `{${[...value.fields].map(([name, field]) => `${name}:${fingerprint(field)}`).join(',')}${value.open ? ',…' : ''}${value.source ? `@${identity(value.source)}` : ''}}`
    case 'list':
      return `[${value.items.map(fingerprint).join(',')}]`
    case 'rows':
      return `rows:${fingerprint(value.element)}@${value.sources.map(identity).join(',')}`
    case 'any':
      return `any:${value.values.map(fingerprint).join('|')}`
    case 'unknown':
      return `?${value.nonNull ? '!' : ''}${originKey(value.origin)}`
  }
}

function originKey(origin: Origin): string {
  switch (origin.kind) {
    case 'setting':
    case 'secret':
    case 'parameter':
      return `${origin.kind}:${origin.name}`
    case 'cell':
      return `cell:${origin.table}.${origin.column}:${origin.key}`
    case 'column':
      return `column:${identity(origin.source)}.${origin.column}`
    case 'now':
    case 'expression':
      return origin.kind
  }
}
