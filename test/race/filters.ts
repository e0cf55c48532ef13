/** PostgREST's filters as SQL conditions. What is not here is refused aloud: a filter that is overlooked would decide a race. */

const COMPARISONS: Readonly<Record<string, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  isdistinct: 'is distinct from',
}
const IS = ['null', 'true', 'false', 'unknown']
/** Query parameters that are no filters. */
const RESERVED = ['select', 'order', 'limit', 'offset', 'columns', 'on_conflict']

/** A request that the stand-in does not know; the test must fail then, and not the code under it. */
export class NotSupported extends Error {}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The condition of all filters of a request, its values appended to `values`; `true` without any. */
export function condition(params: URLSearchParams, values: unknown[]): string {
  const terms: string[] = []
  for (const [name, value] of params) {
    if (RESERVED.includes(name)) continue
    if (name === 'or' || name === 'and') terms.push(group(name, value, values))
    else terms.push(term(name, value, values))
  }
  return terms.length === 0 ? 'true' : terms.join(' and ')
}

/** `(a.eq.1,b.is.null)` after `or` or `and`; groups may stand in groups. */
function group(word: 'and' | 'or', text: string, values: unknown[]): string {
  const terms = split(inner(text)).map((part) => {
    const nested = /^(not\.)?(and|or)(\(.*\))$/s.exec(part)
    if (nested) return `${nested[1] ? 'not ' : ''}${group(nested[2] as 'and' | 'or', nested[3]!, values)}`
    const [, name = '', value = ''] = /^("[^"]*"|[^.]*)\.(.*)$/s.exec(part) ?? []
    return term(name.replaceAll('"', ''), value, values, true)
  })
  return `(${terms.join(` ${word} `)})`
}

/** `eq.5`, `not.in.(a,b)` … for one column. Inside groups values may be quoted. */
function term(column: string, text: string, values: unknown[], grouped = false): string {
  if (!/^\w+$/.test(column)) throw new NotSupported(`filter on ${column}`)
  const [, not, operator = '', value = ''] = /^(not\.)?(\w+)\.(.*)$/s.exec(text) ?? []
  const plain = `t.${quoted(column)} ${test(operator, value, values, grouped)}`
  return not ? `not (${plain})` : plain
}

function test(operator: string, value: string, values: unknown[], grouped: boolean): string {
  if (operator === 'is') {
    if (!IS.includes(value)) throw new NotSupported(`is.${value}`)
    return `is ${value}`
  }
  if (operator === 'in') {
    values.push(split(inner(value)).map(unquote))
    return `= any($${values.length})`
  }
  const comparison = COMPARISONS[operator]
  if (comparison === undefined) throw new NotSupported(`operator ${operator}`)
  values.push(grouped ? unquote(value) : value)
  return `${comparison} $${values.length}`
}

const inner = (text: string): string => {
  if (!text.startsWith('(') || !text.endsWith(')')) throw new NotSupported(`list ${text}`)
  return text.slice(1, -1)
}

const unquote = (text: string): string =>
  text.startsWith('"') && text.endsWith('"') && text.length > 1 ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text

/** Splits at commas that stand in no quotes and no parentheses. */
function split(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = false
  let part = ''
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    if (quote && letter === '\\') part += letter + (text[++at] ?? '')
    else if (letter === ',' && depth === 0 && !quote) {
      parts.push(part)
      part = ''
    } else {
      if (letter === '"') quote = !quote
      else if (!quote && letter === '(') depth++
      else if (!quote && letter === ')') depth--
      part += letter
    }
  }
  return text === '' ? [] : [...parts, part]
}
