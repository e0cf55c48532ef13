import { compare, truth } from './compare.js'
import * as templates from './template.js'
import { field, known, parseJson, toParts } from './contents.js'
import {
  combine,
  list,
  NOW,
  NULL,
  number,
  object,
  SOMETHING,
  template,
  text,
  unknown,
  UNKNOWN,
  type Value,
} from './value.js'

/** The SQL functions that need nothing but their arguments, by name; each gets arguments without alternatives. */
export type PureFunction = (args: readonly Value[]) => Value

/** Functions for which a null argument is no null result. */
const lenient = new Set([
  'concat',
  'concat_ws',
  'format',
  'jsonb_build_object',
  'json_build_object',
  'jsonb_build_array',
])
for (const name of ['json_build_array', 'to_jsonb', 'to_json', 'num_nulls', 'quote_nullable', 'row_to_json'])
  lenient.add(name)
for (const name of ['current_setting', 'array_append', 'array_cat', 'array_prepend', 'now', 'random']) lenient.add(name)

/** Calls a pure function; undefined where no such function is known. */
export function callPure(name: string, args: readonly Value[]): Value | undefined {
  const found = functions[name]
  if (!found || !Object.hasOwn(functions, name)) return undefined
  return combine(args, (each) => (!lenient.has(name) && each.some((arg) => arg.kind === 'null') ? NULL : found(each)))
}

const jsonOf = (value: Value | undefined): Value => {
  if (value?.kind !== 'text') return value ?? NULL
  const content = known(value)
  return content === null ? UNKNOWN : (parseJson(content) ?? UNKNOWN)
}

const integer = (value: Value | undefined): number | null => {
  const content = value ? Number(known(value) ?? NaN) : NaN
  return Number.isInteger(content) ? content : null
}

/** Applies a change to a text that is known through and through. */
const onKnown = (value: Value | undefined, change: (content: string) => Value): Value => {
  const content = value ? known(value) : null
  return content === null ? UNKNOWN : change(content)
}

function pairs(args: readonly Value[]): Value {
  if (args.length % 2 !== 0) return UNKNOWN
  const fields = new Map<string, Value>()
  for (let index = 0; index < args.length; index += 2) {
    const name = known(args[index]!)
    if (name === null) return object(fields, true)
    fields.set(name, args[index + 1]!)
  }
  return object(fields)
}

function split(args: readonly Value[]): readonly string[] | null {
  const content = known(args[0] ?? NULL)
  const separator = known(args[1] ?? NULL)
  return content === null || separator === null || separator === '' ? null : content.split(separator)
}

const trimmed =
  (sides: 'left' | 'right' | 'both'): PureFunction =>
  ([value, set]) => {
    const characters = set ? known(set) : ' '
    return characters === null ? UNKNOWN : templates.trim(value!, characters, sides)
  }

function substring([value, from, count]: readonly Value[]): Value {
  const start = integer(from)
  const length = count ? integer(count) : Infinity
  if (start === null || length === null) return UNKNOWN
  const first = Math.max(0, start - 1)
  return onKnown(value, (content) => text(content.slice(first, Math.max(first, start - 1 + length))))
}

const functions: Readonly<Record<string, PureFunction>> = {
  concat: templates.concat,
  concat_ws: ([separator, ...rest]) =>
    template(
      rest
        .filter((value) => value.kind !== 'null')
        .flatMap((value, index) => (index === 0 ? toParts(value) : [...toParts(separator!), ...toParts(value)])),
    ),
  format: ([pattern, ...rest]) => templates.format(pattern ?? NULL, rest),
  replace: ([value, from, to]) => {
    const wanted = known(from ?? NULL)
    return wanted === null ? UNKNOWN : templates.replace(value!, wanted, to ?? NULL)
  },
  regexp_replace: ([value, pattern, to, flags]) => {
    const source = known(pattern ?? NULL)
    const substitute = known(to ?? NULL)
    const how = flags ? known(flags) : ''
    if (source === null || substitute === null || how === null) return UNKNOWN
    return onKnown(value, (content) => {
      try {
        const found = new RegExp(source, how.replace(/[^gi]/g, ''))
        return text(content.replace(found, substitute.replace(/\$/g, '$$$$').replace(/\\(\d)/g, '$$$1')))
      } catch {
        return UNKNOWN
      }
    })
  },
  rtrim: trimmed('right'),
  ltrim: trimmed('left'),
  btrim: trimmed('both'),
  lower: ([value]) => templates.lower(value!),
  upper: ([value]) => templates.upper(value!),
  left: ([value, count]) => {
    const length = integer(count)
    return length === null ? UNKNOWN : onKnown(value, (content) => text(content.slice(0, length)))
  },
  right: ([value, count]) => {
    const length = integer(count)
    if (length === null) return UNKNOWN
    return onKnown(value, (content) => text(content.slice(length > 0 ? Math.max(0, content.length - length) : -length)))
  },
  substr: substring,
  substring,
  length: ([value]) => onKnown(value, (content) => number([...content].length)),
  char_length: ([value]) => onKnown(value, (content) => number([...content].length)),
  strpos: ([value, part]) => {
    const wanted = known(part ?? NULL)
    return wanted === null ? UNKNOWN : onKnown(value, (content) => number(content.indexOf(wanted) + 1))
  },
  position: ([value, part]) => {
    const wanted = known(part ?? NULL)
    return wanted === null ? UNKNOWN : onKnown(value, (content) => number(content.indexOf(wanted) + 1))
  },
  split_part: (args) => {
    const parts = split(args)
    const index = integer(args[2])
    if (parts === null || index === null) return UNKNOWN
    return text(parts.at(index > 0 ? index - 1 : index) ?? '')
  },
  string_to_array: (args) => {
    const parts = split(args)
    return parts === null ? UNKNOWN : list(parts.map((part) => text(part)))
  },
  array_to_string: ([items, separator]) =>
    items?.kind === 'list'
      ? template(
          items.items.flatMap((item, index) =>
            index === 0 ? toParts(item) : [...toParts(separator!), ...toParts(item)],
          ),
        )
      : UNKNOWN,
  quote_literal: ([value]) => templates.quoteLiteral(value!),
  quote_nullable: ([value]) => (value!.kind === 'null' ? text('NULL') : templates.quoteLiteral(value!)),
  quote_ident: ([value]) => templates.quoteIdent(value!),
  chr: ([code]) => {
    const point = integer(code)
    return point === null || point < 1 || point > 0x10ffff ? UNKNOWN : text(String.fromCodePoint(point))
  },
  jsonb_build_object: pairs,
  json_build_object: pairs,
  jsonb_build_array: (args) => list(args),
  json_build_array: (args) => list(args),
  to_jsonb: ([value]) => value ?? NULL,
  to_json: ([value]) => value ?? NULL,
  row_to_json: ([value]) => value ?? NULL,
  jsonb_strip_nulls: ([value]) => value!,
  jsonb_extract_path: ([value, ...path]) =>
    path.reduce((at, name) => (known(name) === null ? UNKNOWN : field(at, known(name)!)), jsonOf(value)),
  jsonb_extract_path_text: ([value, ...path]) =>
    path.reduce((at, name) => (known(name) === null ? UNKNOWN : field(at, known(name)!)), jsonOf(value)),
  jsonb_array_length: ([value]) => lengthOf(jsonOf(value)),
  json_array_length: ([value]) => lengthOf(jsonOf(value)),
  array_length: ([value]) => (value?.kind === 'list' && value.items.length === 0 ? NULL : lengthOf(value!)),
  cardinality: ([value]) => lengthOf(value!),
  array_append: ([items, value]) =>
    items?.kind === 'null' ? list([value!]) : items?.kind === 'list' ? list([...items.items, value!]) : UNKNOWN,
  array_cat: ([a, b]) => append(a!, b!),
  jsonb_set: ([value, path, to]) => {
    const name = path?.kind === 'list' && path.items.length === 1 ? known(path.items[0]!) : null
    const target = jsonOf(value)
    if (target.kind !== 'object' || name === null) return UNKNOWN
    return object(new Map([...target.fields, [name, jsonOf(to)]]), target.open)
  },
  current_setting: ([name]) => {
    const setting = known(name ?? NULL)
    return setting === null ? UNKNOWN : unknown({ kind: 'setting', name: setting })
  },
  greatest: (args) => extreme(args, '>'),
  least: (args) => extreme(args, '<'),
  to_regclass: () => SOMETHING,
  to_regproc: () => SOMETHING,
  to_regprocedure: () => SOMETHING,
  to_regnamespace: () => SOMETHING,
  now: () => NOW,
  random: () => SOMETHING,
}
for (const name of ['clock_timestamp', 'statement_timestamp', 'transaction_timestamp'])
  Object.assign(functions, { [name]: () => NOW })
for (const name of ['gen_random_uuid', 'uuid_generate_v4', 'timeofday'])
  Object.assign(functions, { [name]: () => SOMETHING })

function lengthOf(value: Value): Value {
  return value.kind === 'list' ? number(value.items.length) : value.kind === 'null' ? NULL : UNKNOWN
}

function extreme(args: readonly Value[], op: string): Value {
  return args.reduce((best, each) => {
    const wins = truth(compare(each, op, best))
    return wins === 'unknown' ? UNKNOWN : wins === 'yes' ? each : best
  })
}

/** `a || b`: text, arrays, jsonb objects. */
export function append(a: Value, b: Value): Value {
  return combine([a, b], (both) => appendOne(both[0]!, both[1]!))
}

function appendOne(left: Value, right: Value): Value {
  if (left.kind === 'list' && right.kind === 'list') return list([...left.items, ...right.items])
  if (left.kind === 'list' || right.kind === 'list') {
    const other = left.kind === 'list' ? right : left
    if (other.kind === 'null') return left.kind === 'list' ? left : right
    if (other.kind === 'unknown' || other.kind === 'rows') return UNKNOWN
    return left.kind === 'list'
      ? list([...left.items, other])
      : right.kind === 'list'
        ? list([other, ...right.items])
        : UNKNOWN
  }
  if (left.kind === 'null' || right.kind === 'null') return NULL
  if (left.kind === 'object' || right.kind === 'object') return merged(jsonOf(left), jsonOf(right))
  return templates.concat([left, right])
}

function merged(left: Value, right: Value): Value {
  const fields = new Map(left.kind === 'object' ? left.fields : [])
  if (right.kind === 'object') for (const [name, value] of right.fields) fields.set(name, value)
  const open = [left, right].some((each) => each.kind !== 'object' || each.open)
  return object(fields, open)
}
