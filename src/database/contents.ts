import {
  anyOf,
  bool,
  joined,
  list,
  NULL,
  number,
  object,
  run,
  SOMETHING,
  text,
  unknown,
  UNKNOWN,
  type Part,
  type Run,
  type Value,
} from './value.js'

/** The text that is certainly meant; null where a part is not known (or the value is null). */
export function known(value: Value): string | null {
  switch (value.kind) {
    case 'text':
      return value.parts.every((part) => part.kind === 'run')
        ? value.parts.map((part) => (part as Run).text).join('')
        : null
    case 'number':
      return String(value.value)
    case 'bool':
      return value.value ? 'true' : 'false'
    case 'object':
    case 'list': {
      const parts = toParts(value)
      return parts.every((part) => part.kind === 'run') ? parts.map((part) => (part as Run).text).join('') : null
    }
    default:
      return null
  }
}

/** The template's text with `hole` for what is not known. */
export const render = (value: Value, hole = '…'): string =>
  toParts(value)
    .map((part) => (part.kind === 'run' ? part.text : hole))
    .join('')

/** What a cast to text gives, as a template; null gives nothing (as in concat). */
export function toParts(value: Value): readonly Part[] {
  switch (value.kind) {
    case 'null':
      return []
    case 'text':
      return value.parts
    case 'bool':
    case 'number':
      return text(String(value.value)).parts
    case 'object':
    case 'list':
      return toJson(value) ?? [SOMETHING]
    case 'rows':
    case 'any':
      return [UNKNOWN]
    case 'unknown':
      return [value]
  }
}

/** The JSON text of a value; null where it has parts whose form is not known. */
function toJson(value: Value): readonly Part[] | null {
  switch (value.kind) {
    case 'null':
      return [run('null')]
    case 'bool':
    case 'number':
      return [run(String(value.value))]
    case 'text':
      return [
        run('"'),
        ...value.parts.map((part) => (part.kind === 'run' ? run(JSON.stringify(part.text).slice(1, -1)) : part)),
        run('"'),
      ]
    case 'list':
      return bracketed('[', value.items.map(toJson), ']')
    case 'object':
      if (value.open) return null
      return bracketed(
        '{',
        [...value.fields].map(([name, field]) => {
          const inner = toJson(field)
          return inner && [run(`${JSON.stringify(name)}: `), ...inner]
        }),
        '}',
      )
    default:
      return null
  }
}

function bracketed(open: string, items: readonly (readonly Part[] | null)[], close: string): readonly Part[] | null {
  const parts: Part[] = [run(open)]
  for (const [index, item] of items.entries()) {
    if (item === null) return null
    if (index > 0) parts.push(run(', '))
    parts.push(...item)
  }
  parts.push(run(close))
  return joined(parts)
}

/** A JSON document as a value; null where it is none. */
export function parseJson(source: string): Value | null {
  try {
    return fromJson(JSON.parse(source))
  } catch {
    return null
  }
}

function fromJson(json: unknown): Value {
  if (json === null || json === undefined) return NULL
  if (typeof json === 'boolean') return bool(json)
  if (typeof json === 'number') return number(json)
  if (typeof json === 'string') return text(json)
  if (Array.isArray(json)) return list(json.map(fromJson))
  return object(new Map(Object.entries(json).map(([name, value]) => [name, fromJson(value)])))
}

/** A field of a record or jsonb object, or an element of a list: what `->` and `.` give. */
export function field(value: Value, name: string): Value {
  switch (value.kind) {
    case 'object': {
      const found = value.fields.get(name)
      if (found !== undefined) return found
      if (!value.open) return NULL
      return value.source ? unknown({ kind: 'column', source: value.source, column: name }) : UNKNOWN
    }
    case 'list': {
      const index = Number(name)
      return Number.isInteger(index) ? (value.items.at(index) ?? NULL) : NULL
    }
    case 'any':
      return anyOf(value.values.map((each) => field(each, name)))
    case 'text': {
      const content = known(value)
      const json = content === null ? null : parseJson(content)
      return json === null || json.kind === 'text' ? UNKNOWN : field(json, name)
    }
    case 'null':
      return NULL
    case 'unknown':
      // A field of a jsonb column is still a part of that row.
      return value.origin.kind === 'column' ? unknown({ ...value.origin, column: name }) : UNKNOWN
    default:
      return UNKNOWN
  }
}
