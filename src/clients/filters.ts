import type { Comparison, Operand, Predicate } from '../model/index.js'
import { constant, textOf, type Machine, type Value } from '../typescript/index.js'
import type { Chunk } from './chunk.js'
import type { Query } from './query.js'
import type { Pin } from './statement.js'

/** One condition of a PostgREST request, with the values of the program still in it. */
export type Filter =
  | { readonly kind: 'compare'; readonly column: string; readonly op: Comparison; readonly value: Value }
  | { readonly kind: 'in'; readonly column: string; readonly values: readonly Value[] | null; readonly list: Value }
  | { readonly kind: 'is'; readonly column: string; readonly value: Value }
  | { readonly kind: 'distinct'; readonly column: string; readonly value: Value }
  | { readonly kind: 'other'; readonly columns: readonly string[]; readonly text: string }
  /** Among the rows of a query that is a part of this one. */
  | { readonly kind: 'found'; readonly column: string; readonly query: Query }
  | SqlFilter
  | { readonly kind: 'not'; readonly filter: Filter }
  | { readonly kind: 'any' | 'all'; readonly filters: readonly Filter[] }

/** A condition that is written in SQL; `snake`: its columns have their names in camelCase. */
export interface SqlFilter {
  readonly kind: 'sql'
  readonly chunk: Chunk
  readonly snake: boolean
}

const COMPARISONS: Readonly<Record<string, Comparison>> = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** A filter by the name of its PostgREST operator (https://docs.postgrest.org/en/v13/references/api/tables_views.html#operators). */
export function filterOf(op: string, column: string, value: Value, machine: Machine): Filter {
  const negated = /^not\.(.+)$/.exec(op)
  if (negated) return { kind: 'not', filter: filterOf(negated[1]!, column, value, machine) }
  const comparison = COMPARISONS[op]
  if (comparison) return { kind: 'compare', column, op: comparison, value }
  if (op === 'is') return { kind: 'is', column, value }
  if (op === 'isdistinct') return { kind: 'distinct', column, value }
  if (op === 'in') {
    const items = machine.items(value)
    return { kind: 'in', column, values: items?.items ?? null, list: value }
  }
  return { kind: 'other', columns: [column], text: `${column} ${op} …` }
}

/** Conditions as a predicate, and the equalities that may pin a row. */
export function readFilters(
  filters: readonly Filter[],
  operand: (value: Value) => Operand,
  sql: (filter: SqlFilter) => Predicate = unread,
): { where: Predicate | null; pins: Pin[] } {
  const pins: Pin[] = []
  const terms = filters.map((filter) => predicateOf(filter, operand, sql))
  for (const filter of filters) {
    if (filter.kind === 'compare' && filter.op === '=' && filter.value.kind !== 'const')
      pins.push({ column: filter.column, value: filter.value, list: false })
    if (filter.kind === 'in' && !filter.values?.every((value) => value.kind === 'const'))
      pins.push({ column: filter.column, value: filter.list, list: true })
  }
  return { where: terms.length === 0 ? null : terms.length === 1 ? terms[0]! : { kind: 'and', terms }, pins }
}

const unread = (filter: SqlFilter): Predicate => ({
  kind: 'other',
  text: filter.chunk.pieces.map((piece) => piece.text).join(''),
  columns: filter.chunk.columns,
})

function predicateOf(
  filter: Filter,
  operand: (value: Value) => Operand,
  sql: (filter: SqlFilter) => Predicate,
): Predicate {
  const inner = (each: Filter): Predicate => predicateOf(each, operand, sql)
  switch (filter.kind) {
    case 'compare':
      return { kind: 'compare', column: filter.column, op: filter.op, operand: operand(filter.value) }
    case 'distinct':
      return { kind: 'distinct', column: filter.column, operand: operand(filter.value) }
    case 'in':
      return {
        kind: 'in',
        column: filter.column,
        operands: filter.values ? filter.values.map(operand) : [operand(filter.list)],
      }
    case 'is': {
      const value = filter.value.kind === 'const' ? filter.value.value : undefined
      if (value === null || value === 'null') return { kind: 'null', column: filter.column }
      if (value === true || value === 'true')
        return { kind: 'compare', column: filter.column, op: '=', operand: { kind: 'literal', value: true } }
      if (value === false || value === 'false')
        return { kind: 'compare', column: filter.column, op: '=', operand: { kind: 'literal', value: false } }
      return { kind: 'other', text: `${filter.column} is …`, columns: [filter.column] }
    }
    case 'not': {
      return { kind: 'not', term: inner(filter.filter) }
    }
    case 'any':
      return { kind: 'or', terms: filter.filters.map(inner) }
    case 'all':
      return { kind: 'and', terms: filter.filters.map(inner) }
    case 'sql':
      return sql(filter)
    case 'found':
      return { kind: 'other', text: `${filter.column} in (select …)`, columns: [filter.column] }
    case 'other':
      return { kind: 'other', text: filter.text, columns: filter.columns }
  }
}

/** A text in which values of the program stand as marks; `back` gives a piece of it as a value again. */
export interface Marked {
  readonly text: string
  back(piece: string): Value
}

/** Puts a mark in the place of every part that is not known. */
export function mark(value: Value): Marked | null {
  if (value.kind === 'const') {
    const text = String(value.value)
    return { text, back: (piece) => constant(piece) }
  }
  const parts = value.kind === 'text' ? value.parts : [value]
  let text = ''
  parts.forEach((part, index) => {
    text += part.kind === 'const' ? String(part.value) : `\uE000${index}\uE001`
  })
  const back = (piece: string): Value => {
    const pieces: Value[] = []
    let at = 0
    for (const match of piece.matchAll(/\uE000(\d+)\uE001/g)) {
      if (match.index > at) pieces.push(constant(piece.slice(at, match.index)))
      pieces.push(parts[Number(match[1])]!)
      at = match.index + match[0].length
    }
    if (at < piece.length) pieces.push(constant(piece.slice(at)))
    return pieces.length === 1 ? pieces[0]! : textOf(pieces)
  }
  return { text, back }
}

/** Splits at commas that stand outside parentheses and quotes. */
function splitTop(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quoted = false
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') quoted = !quoted
    else if (quoted) continue
    else if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts.map((part) => part.trim()).filter(Boolean)
}

/** The expression that `.or('…')` and `or=(…)` take: `a.is.null,and(b.eq.x,c.lt.y)`. */
export function parseLogic(marked: Marked, text: string, machine: Machine): Filter[] {
  return splitTop(text).map((part) => {
    const group = /^(not\.)?(and|or)\((.*)\)$/s.exec(part)
    if (group) {
      const filters = parseLogic(marked, group[3]!, machine)
      const inner: Filter = { kind: group[2] === 'or' ? 'any' : 'all', filters }
      return group[1] ? { kind: 'not', filter: inner } : inner
    }
    const simple = /^([\w".>-]+?)\.((?:not\.)?[a-z]+)(?:\([a-z]+\))?\.(.*)$/s.exec(part)
    if (!simple) return { kind: 'other', columns: [], text: part }
    return conditionOf(simple[1]!.replace(/"/g, ''), simple[2]!, simple[3]!, marked, machine)
  })
}

/** `column op value` with the value as text: `in` lists and words such as null are read. */
export function conditionOf(column: string, op: string, text: string, marked: Marked, machine: Machine): Filter {
  const bare = op.replace(/^not\./, '')
  let value: Value
  if (bare === 'in') {
    const items = splitTop(text.replace(/^\((.*)\)$/s, '$1')).map((item) =>
      typed(marked.back(item.replace(/^"(.*)"$/s, '$1'))),
    )
    value = machine.list({ items, element: items[0] ?? null })
    // A list that the program joined is one mark.
    if (items.length === 1 && items[0]!.kind !== 'const') value = items[0]!
  } else if (bare === 'is')
    value = constant(text === 'null' ? null : text === 'true' ? true : text === 'false' ? false : text)
  else value = typed(marked.back(text.replace(/^"(.*)"$/s, '$1')))
  return filterOf(op, column, value, machine)
}

/** Text of a query string is typed by its column; numbers and booleans are read as what they look like. */
function typed(value: Value): Value {
  if (value.kind !== 'const' || typeof value.value !== 'string') return value
  if (value.value === 'true' || value.value === 'false') return constant(value.value === 'true')
  if (/^-?\d+(\.\d+)?$/.test(value.value)) return constant(Number(value.value))
  if (value.value === 'now()' || value.value === 'now') return { kind: 'time', offset: 0 }
  return value
}
