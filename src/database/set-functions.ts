import { asArray } from './operators.js'
import type { RowSource, StatementRows } from './rows.js'
import { known, parseJson } from './contents.js'
import { alternatives, NULL, number, object, text, UNKNOWN, type Value } from './value.js'

/** One row of a set-returning function. */
export interface Element {
  readonly value: Value
  readonly sources: readonly RowSource[]
}

const MOST = 1000

/** The rows of a set-returning function of PostgreSQL; null where it is none. A set that is not known is one row that stands for all. */
export function setReturning(name: string, args: readonly Value[], own: StatementRows): readonly Element[] | null {
  switch (name) {
    case 'jsonb_array_elements':
    case 'json_array_elements':
    case 'jsonb_array_elements_text':
    case 'json_array_elements_text':
    case 'jsonb_to_recordset':
    case 'json_to_recordset':
      return elementsOf(fromJson(args[0] ?? NULL), own)
    case 'jsonb_populate_recordset':
    case 'json_populate_recordset':
      return elementsOf(fromJson(args[1] ?? NULL), own)
    case 'unnest':
      return args.length > 1 ? zipped(args, own) : elementsOf(arrayOf(args[0] ?? NULL), own)
    case 'jsonb_each':
    case 'json_each':
    case 'jsonb_each_text':
    case 'json_each_text': {
      const value = fromJson(args[0] ?? NULL)
      if (value.kind !== 'object' || value.open) return value.kind === 'null' ? [] : unknownSet(value, own)
      return [...value.fields].map(([key, each]) => ({
        value: object(
          new Map<string, Value>([
            ['key', text(key)],
            ['value', each],
          ]),
        ),
        sources: [],
      }))
    }
    case 'jsonb_object_keys':
    case 'json_object_keys': {
      const value = fromJson(args[0] ?? NULL)
      if (value.kind !== 'object' || value.open) return value.kind === 'null' ? [] : unknownSet(value, own)
      return [...value.fields.keys()].map((key) => ({ value: text(key), sources: [] }))
    }
    case 'string_to_table':
    case 'regexp_split_to_table': {
      const [content, separator] = [known(args[0] ?? NULL), known(args[1] ?? NULL)]
      if (content === null || separator === null) return unknownSet(args[0] ?? NULL, own)
      return content.split(separator).map((part) => ({ value: text(part), sources: [] }))
    }
    case 'generate_series':
      return series(args)
    default:
      return null
  }
}

/** The elements of a list; those of an unknown one as one element that stands for all. */
export function elementsOf(value: Value, own: StatementRows): readonly Element[] {
  if (value.kind === 'null') return []
  if (value.kind === 'list') return value.items.slice(0, MOST).map((item) => ({ value: item, sources: [] }))
  if (value.kind === 'rows') return [{ value: value.element, sources: value.sources }]
  if (value.kind === 'any') return alternatives(value).flatMap((each) => elementsOf(each, own))
  return unknownSet(value, own)
}

function unknownSet(value: Value, own: StatementRows): readonly Element[] {
  if (value.kind === 'unknown' && value.origin.kind === 'column') return [{ value, sources: [value.origin.source] }]
  return [{ value: UNKNOWN, sources: [own] }]
}

const arrayOf = (value: Value): Value => (value.kind === 'text' ? asArray(value) : value)

function fromJson(value: Value): Value {
  const content = value.kind === 'text' ? known(value) : null
  return content === null ? value : (parseJson(content) ?? UNKNOWN)
}

function zipped(args: readonly Value[], own: StatementRows): readonly Element[] {
  const lists = args.map((arg) => arrayOf(arg))
  if (!lists.every((each) => each.kind === 'list')) return unknownSet(UNKNOWN, own)
  const length = Math.min(MOST, Math.max(...lists.map((each) => each.items.length)))
  return Array.from({ length }, (_, index) => ({
    value: object(new Map(lists.map((each, at) => [`f${at + 1}`, each.items[index] ?? NULL]))),
    sources: [],
  }))
}

function series(args: readonly Value[]): readonly Element[] {
  const [from, to, step] = args.map((arg) => (arg.kind === 'number' ? arg.value : NaN))
  const by = step ?? 1
  if (!Number.isFinite(from) || !Number.isFinite(to) || !Number.isFinite(by) || by === 0)
    return [{ value: UNKNOWN, sources: [] }]
  const count = Math.min(MOST, Math.max(0, Math.floor((to! - from!) / by) + 1))
  return Array.from({ length: count }, (_, index) => ({ value: number(from! + index * by), sources: [] }))
}
