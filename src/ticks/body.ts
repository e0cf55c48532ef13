import type { BodyValue } from '../model/index.js'
import { known, type RowSource, type Value } from '../database/index.js'

/** A request's body as the model has it. `rows`: the sources whose row this request is about. */
export function bodyOf(value: Value, rows: readonly RowSource[]): BodyValue {
  switch (value.kind) {
    case 'null':
      return { kind: 'literal', value: null }
    case 'bool':
    case 'number':
      return { kind: 'literal', value: value.value }
    case 'text': {
      const content = known(value)
      if (content !== null) return { kind: 'literal', value: content }
      const [only] = value.parts
      return value.parts.length === 1 && only?.kind === 'unknown' ? bodyOf(only, rows) : { kind: 'unknown' }
    }
    case 'list':
      return { kind: 'array', items: value.items.map((item) => bodyOf(item, rows)) }
    case 'rows':
      return { kind: 'rows', element: bodyOf(value.element, [...rows, ...value.sources]) }
    case 'object':
      // More fields than are known, of a row: with what is known of it, it stands for that row.
      if (value.open && (value.source !== null || sourcesIn(value).some((each) => rows.includes(each))))
        return { kind: 'row' }
      if (value.open && value.fields.size === 0) return { kind: 'unknown' }
      return {
        kind: 'object',
        fields: Object.fromEntries([...value.fields].map(([name, each]) => [name, bodyOf(each, rows)])),
      }
    case 'any':
      return joined(value.values.filter((each) => each.kind !== 'null').map((each) => bodyOf(each, rows)))
    case 'unknown': {
      const { origin } = value
      return origin.kind === 'column' && rows.includes(origin.source)
        ? { kind: 'column', column: origin.column }
        : { kind: 'unknown' }
    }
  }
}

/** What several bodies have in common. */
export function joined(bodies: readonly BodyValue[]): BodyValue {
  const [first, ...others] = bodies
  if (!first) return { kind: 'literal', value: null }
  return others.reduce(both, first)
}

function both(a: BodyValue, b: BodyValue): BodyValue {
  if (JSON.stringify(a) === JSON.stringify(b)) return a
  if (a.kind !== 'object' || b.kind !== 'object') return { kind: 'unknown' }
  const names = new Set([...Object.keys(a.fields), ...Object.keys(b.fields)])
  return {
    kind: 'object',
    fields: Object.fromEntries(
      [...names].map((name) => {
        const [x, y] = [a.fields[name], b.fields[name]]
        return [name, x && y ? both(x, y) : { kind: 'unknown' as const }]
      }),
    ),
  }
}

/** The sources whose rows stand in a value. */
export function sourcesIn(value: Value): RowSource[] {
  switch (value.kind) {
    case 'text':
      return value.parts.flatMap((part) => (part.kind === 'unknown' ? sourcesIn(part) : []))
    case 'unknown':
      return value.origin.kind === 'column' ? [value.origin.source] : []
    case 'object':
      return [...(value.source ? [value.source] : []), ...[...value.fields.values()].flatMap(sourcesIn)]
    case 'list':
      return value.items.flatMap(sourcesIn)
    case 'rows':
      return [...value.sources, ...sourcesIn(value.element)]
    case 'any':
      return value.values.flatMap(sourcesIn)
    default:
      return []
  }
}
