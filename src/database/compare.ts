import { known, toParts } from './contents.js'
import { bool, combine, FALSE, NULL, TRUE, UNKNOWN, type TextValue, type Value } from './value.js'

/** NOT, in three-valued logic, with "not known" as a fourth value. */
export const not = (value: Value): Value =>
  combine([value], ([each]) => (each!.kind === 'bool' ? bool(!each!.value) : each!.kind === 'null' ? NULL : UNKNOWN))

export function and(values: readonly Value[]): Value {
  if (values.some((value) => value.kind === 'bool' && !value.value)) return FALSE
  const rest = values.filter((value) => value.kind !== 'bool')
  if (rest.length === 0) return TRUE
  return rest.every((value) => value.kind === 'null') ? NULL : UNKNOWN
}

export function or(values: readonly Value[]): Value {
  if (values.some((value) => value.kind === 'bool' && value.value)) return TRUE
  const rest = values.filter((value) => value.kind !== 'bool')
  if (rest.length === 0) return FALSE
  return rest.every((value) => value.kind === 'null') ? NULL : UNKNOWN
}

/** What a condition decides: NULL is no. */
export function truth(value: Value): 'yes' | 'no' | 'unknown' {
  if (value.kind === 'bool') return value.value ? 'yes' : 'no'
  return value.kind === 'null' ? 'no' : 'unknown'
}

/** `a op b` for = <> < <= > >=. */
export function compare(a: Value, op: string, b: Value): Value {
  return combine([a, b], ([left, right]) => compareOne(left!, op, right!))
}

function compareOne(a: Value, op: string, b: Value): Value {
  if (a.kind === 'null' || b.kind === 'null') return NULL
  const left = known(a)
  const right = known(b)
  if (left === null || right === null) {
    if (op !== '=' && op !== '<>' && op !== '!=') return UNKNOWN
    const differs = (left !== null && cannotBe(b, left)) || (right !== null && cannotBe(a, right))
    return differs ? bool(op !== '=') : UNKNOWN
  }
  const order = inOrder(left, right, a.kind === 'number' || b.kind === 'number')
  switch (op) {
    case '=':
      return bool(order === 0)
    case '<>':
    case '!=':
      return bool(order !== 0)
    case '<':
      return bool(order < 0)
    case '<=':
      return bool(order <= 0)
    case '>':
      return bool(order > 0)
    case '>=':
      return bool(order >= 0)
    default:
      return UNKNOWN
  }
}

function inOrder(left: string, right: string, asNumbers: boolean): number {
  if (asNumbers) return Math.sign(Number(left) - Number(right))
  return left === right ? 0 : left < right ? -1 : 1
}

/** A template whose known ends are not those of the text is another text. */
function cannotBe(value: Value, content: string): boolean {
  if (value.kind !== 'text') return false
  const first = value.parts[0]
  const last = value.parts.at(-1)
  return (
    (first?.kind === 'run' && !content.startsWith(first.text)) || (last?.kind === 'run' && !content.endsWith(last.text))
  )
}

/** LIKE and ILIKE. */
export function like(value: Value, pattern: Value, ignoreCase: boolean): Value {
  if (value.kind === 'text' && holds(value, pattern, ignoreCase)) return TRUE
  return matching(value, pattern, (source) => {
    const escaped = source.replace(/\\(.)|([%_])|([^\\%_])/gs, (_, literal?: string, wild?: string, other?: string) =>
      wild === '%' ? '[^]*' : wild === '_' ? '[^]' : escape(literal ?? other ?? ''),
    )
    return new RegExp(`^(?:${escaped})$`, ignoreCase ? 'iu' : 'u')
  })
}

/** `%text%`, where a known run of the template holds that text, whatever the holes are. */
function holds(value: TextValue, pattern: Value, ignoreCase: boolean): boolean {
  const wanted = /^%([^%_\\]+)%$/.exec(known(pattern) ?? '')?.[1]
  if (wanted === undefined || value.parts.some((part) => part.kind === 'unknown' && !part.nonNull)) return false
  const fold = (content: string): string => (ignoreCase ? content.toLowerCase() : content)
  return value.parts.some((part) => part.kind === 'run' && fold(part.text).includes(fold(wanted)))
}

/** `~`, `~*`: JavaScript's regular expressions are near enough for the plain patterns that people write on job names. */
export function matches(value: Value, pattern: Value, ignoreCase: boolean): Value {
  return matching(value, pattern, (source) => new RegExp(source, ignoreCase ? 'i' : ''))
}

function matching(value: Value, pattern: Value, compile: (source: string) => RegExp): Value {
  return combine([value, pattern], ([subject, template]) => {
    if (subject!.kind === 'null' || template!.kind === 'null') return NULL
    const content = known(subject!)
    const source = known(template!)
    if (content === null || source === null || source.length > 1000 || content.length > 100_000) return UNKNOWN
    try {
      return bool(compile(source).test(content))
    } catch {
      return UNKNOWN
    }
  })
}

const escape = (content: string): string => content.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** `value = ANY (list)`: yes if one is equal, no if all differ. */
export function isAmong(value: Value, items: Value): Value {
  if (items.kind === 'null') return NULL
  if (items.kind !== 'list') return UNKNOWN
  return or(items.items.map((item) => compare(value, '=', item)))
}

/** `IS NULL`. */
export function isNull(value: Value): Value {
  return combine([value], ([each]) => {
    switch (each!.kind) {
      case 'null':
        return TRUE
      case 'unknown':
        return each!.nonNull ? FALSE : UNKNOWN
      case 'text':
        // A null within || makes the whole null.
        return toParts(each!).every((part) => part.kind === 'run' || part.nonNull) ? FALSE : UNKNOWN
      case 'object':
        return each!.source ? UNKNOWN : FALSE
      case 'rows':
        return UNKNOWN
      default:
        return FALSE
    }
  })
}

/** `a IS DISTINCT FROM b`. */
export function isDistinct(a: Value, b: Value): Value {
  return combine([a, b], ([left, right]) => {
    if (left!.kind === 'null' && right!.kind === 'null') return FALSE
    if (left!.kind === 'null') return not(isNull(right!))
    if (right!.kind === 'null') return not(isNull(left!))
    return compareOne(left!, '<>', right!)
  })
}
