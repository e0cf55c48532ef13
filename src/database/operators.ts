import { compare, like, matches, not } from './compare.js'
import { append } from './functions.js'
import type { Frame } from './machine.js'
import { asJson } from './sql-text.js'
import { field, known, toParts } from './contents.js'
import { combine, FALSE, list, NULL, number, object, template, text, TRUE, UNKNOWN, type Value } from './value.js'

/** `left op right`. */
export function binary(frame: Frame, left: Value, op: string, right: Value): Value {
  switch (op) {
    case '||':
      return append(left, right)
    case '=':
    case '<>':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(left, op, right)
    case '~~':
    case '~~*':
      return like(left, right, op === '~~*')
    case '!~~':
    case '!~~*':
      return not(like(left, right, op === '!~~*'))
    case '~':
    case '~*':
      return matches(left, right, op === '~*')
    case '!~':
    case '!~*':
      return not(matches(left, right, op === '!~*'))
    case '->':
    case '->>':
      return combine([left, right], ([value, name]) => {
        const key = known(name!)
        return key === null ? UNKNOWN : field(asJson(frame.machine, value!), key)
      })
    case '#>':
    case '#>>': {
      const path = asArray(right)
      if (path.kind !== 'list') return UNKNOWN
      return path.items.reduce((value, name) => field(value, known(name) ?? ''), asJson(frame.machine, left))
    }
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return arithmetic(left, op, right)
    default:
      return UNKNOWN
  }
}

function arithmetic(a: Value, op: string, b: Value): Value {
  return combine([a, b], ([left, right]) => {
    if (left!.kind === 'null' || right!.kind === 'null') return NULL
    if (left!.kind === 'object' && op === '-') {
      const gone = known(right!)
      return gone === null ? UNKNOWN : object(new Map([...left!.fields].filter(([name]) => name !== gone)), left!.open)
    }
    const [x, y] = [left!, right!].map((each) => (each.kind === 'number' ? each.value : NaN)) as [number, number]
    const result = op === '+' ? x + y : op === '-' ? x - y : op === '*' ? x * y : op === '/' ? Math.trunc(x / y) : x % y
    return Number.isFinite(result) ? number(result) : UNKNOWN
  })
}

/** An array, also where it is written as '{a,b}' (PostgreSQL docs 8.15.2; nested ones are not read). */
export function asArray(value: Value): Value {
  if (value.kind !== 'text') return value
  const content = known(value)
  const inner = content === null ? undefined : /^\s*\{([^{}]*)\}\s*$/.exec(content)?.[1]
  if (inner === undefined) return UNKNOWN
  if (inner.trim() === '') return list([])
  const items = [...inner.matchAll(/\s*(?:"((?:[^"\\]|\\.)*)"|([^,]*?))\s*(?:,|$)/g)].slice(0, inner.split(',').length)
  return list(items.map((match) => text(match[1] !== undefined ? match[1].replace(/\\(.)/g, '$1') : (match[2] ?? ''))))
}

const NUMERIC = new Set(['int2', 'int4', 'int8', 'integer', 'bigint', 'smallint', 'numeric', 'float4', 'float8', 'oid'])

export function castValue(frame: Frame, value: Value, type: string): Value {
  return combine([value], ([each]) => {
    const one = each!
    if (one.kind === 'null' || one.kind === 'unknown') return one
    const base = type.split('.').at(-1)!
    if (base.endsWith('[]')) return asArray(one)
    if (base === 'json' || base === 'jsonb') return asJson(frame.machine, one)
    if (['text', 'varchar', 'bpchar', 'name', 'citext'].includes(base))
      return one.kind === 'text' ? one : template(toParts(one))
    const content = known(one)
    if (content === null) return one
    if (NUMERIC.has(base))
      return content.trim() !== '' && Number.isFinite(Number(content)) ? number(Number(content)) : UNKNOWN
    if (base === 'bool')
      return /^(t|true|yes|on|1)$/i.test(content) ? TRUE : /^(f|false|no|off|0)$/i.test(content) ? FALSE : UNKNOWN
    return one
  })
}
