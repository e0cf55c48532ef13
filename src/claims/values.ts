import type { Comparison, Operand } from '../model/index.js'

/** The value of a column before the write, plus a shift; `delta` null: an expression over it that is not known. */
export interface OldValue {
  readonly kind: 'old'
  readonly column: string
  readonly delta: number | null
}

/** A value as it stands in the row after the write, or as the second run compares it. */
export type Value = Exclude<Operand, { readonly kind: 'column' }> | OldValue

/** What a condition can come out as. */
export interface Outcome {
  readonly true: boolean
  readonly false: boolean
  readonly null: boolean
  /** Every outcome that is listed can really happen; otherwise they are only not excluded. */
  readonly proven: boolean
}

export const TRUE: Outcome = { true: true, false: false, null: false, proven: true }
export const FALSE: Outcome = { true: false, false: true, null: false, proven: true }
export const NULL: Outcome = { true: false, false: false, null: true, proven: true }
/** Depends on the row: all of them happen. */
export const MAY: Outcome = { true: true, false: true, null: true, proven: true }
export const UNKNOWN: Outcome = { true: true, false: true, null: true, proven: false }

export function outcome(holds: boolean): Outcome {
  return holds ? TRUE : FALSE
}

export function not(one: Outcome): Outcome {
  return { true: one.false, false: one.true, null: one.null, proven: one.proven }
}

/** One of several, whichever the row is. */
export function either(all: readonly Outcome[]): Outcome {
  return all.reduce((left, right) => ({
    true: left.true || right.true,
    false: left.false || right.false,
    null: left.null || right.null,
    proven: left.proven && right.proven,
  }))
}

/** `shift` added to a value; null: by an amount that is not known. */
export function shifted(value: Value, shift: number | null): Value {
  if (shift === 0) return value
  if (value.kind === 'old' || value.kind === 'read') {
    return { ...value, delta: value.delta === null || shift === null ? null : value.delta + shift }
  }
  if (value.kind === 'now')
    return { kind: 'now', offset: value.offset === null || shift === null ? null : value.offset + shift }
  if (value.kind === 'literal') {
    if (value.value === null) return value
    if (typeof value.value === 'number' && shift !== null) return { kind: 'literal', value: value.value + shift }
  }
  return { kind: 'opaque', id: 'shifted', nonNull: false }
}

/**
 * Compares a value that the first run left in the row with one that the second run asks for.
 * `now` on the left is the first run's clock, on the right the second's; which of them is earlier is open.
 */
export function compare(left: Value, op: Comparison, right: Value): Outcome {
  if (isNull(left) || isNull(right)) return NULL
  // Two runs may pass different values for one parameter.
  if (op === '<>') return left.kind === 'opaque' && right.kind === 'opaque' ? UNKNOWN : not(compare(left, '=', right))
  if (left.kind === 'literal' && right.kind === 'literal') return compareLiterals(left.value, op, right.value)
  if (left.kind === 'fresh' || right.kind === 'fresh') return op === '=' ? FALSE : UNKNOWN
  if (left.kind === 'now' && right.kind === 'now') return compareMoments(left, op, right)
  if (left.kind === 'now' || right.kind === 'now') return compareWithMoment(left, op, right)
  if (left.kind === 'opaque' || right.kind === 'opaque') {
    // The same value for both runs, or else the first could not have found the row either.
    const same = left.kind === 'opaque' && right.kind === 'opaque' && left.id === right.id && left.id !== 'shifted'
    if (same) return op === '=' ? { ...TRUE, false: true } : UNKNOWN
    return left.kind === 'old' && left.delta !== null ? MAY : UNKNOWN
  }
  if (left.kind !== 'literal' && right.kind !== 'literal' && left.kind === right.kind && left.column === right.column) {
    if (left.delta === null || right.delta === null) return UNKNOWN
    return { ...outcome(holds(left.delta - right.delta, op)), null: true }
  }
  const open = [left, right].some((value) => value.kind !== 'literal' && value.delta === null)
  // A value that was read is that run's own; only what stands in the row is free.
  return open || left.kind === 'read' ? UNKNOWN : MAY
}

export function isNull(value: Value): boolean {
  return value.kind === 'literal' && value.value === null
}

type Moment = Extract<Operand, { readonly kind: 'now' }>

function compareMoments(left: Moment, op: Comparison, right: Moment): Outcome {
  if (left.period || right.period) return comparePeriods(left, op, right)
  if (op === '=') return FALSE
  if (left.offset !== null && right.offset !== null) {
    const difference = left.offset - right.offset
    return difference === 0 ? { ...TRUE, false: true } : outcome(holds(difference, op))
  }
  if (left.offset === null && left.later && right.offset !== null && right.offset <= 0) return outcome(holds(1, op))
  if (right.offset === null && right.later === false && left.offset !== null && left.offset >= 0)
    return outcome(holds(1, op))
  return UNKNOWN
}

/** A day against a day, or a moment against the day that it lies in, which starts before it. */
function comparePeriods(left: Moment, op: Comparison, right: Moment): Outcome {
  if (left.offset === null || right.offset === null) return UNKNOWN
  const difference = left.offset - right.offset
  if (left.period && right.period) return outcome(holds(difference, op))
  if (left.period) return difference <= 0 ? outcome(holds(-1, op)) : UNKNOWN
  return difference >= 0 ? outcome(holds(1, op)) : UNKNOWN
}

function compareWithMoment(left: Value, op: Comparison, right: Value): Outcome {
  if (op === '=') return left.kind === 'opaque' || right.kind === 'opaque' ? UNKNOWN : FALSE
  if (left.kind !== 'old' || right.kind !== 'now') return UNKNOWN
  if (left.delta === null) return UNKNOWN
  // A due date that moves on is the next occurrence, even where it is still in the past (truth table 18).
  if (left.delta !== 0) return op.startsWith('<') === left.delta > 0 ? FALSE : MAY
  return MAY
}

function compareLiterals(left: Literal, op: Comparison, right: Literal): Outcome {
  if (left === right) return outcome(holds(0, op))
  const numbers = [left, right].map((value) =>
    typeof value === 'string' && /^\s*[-+.\d]/.test(value) ? Number(value) : value,
  )
  const [one, two] = numbers as [Literal, Literal]
  if (typeof one === 'number' && typeof two === 'number' && !Number.isNaN(one) && !Number.isNaN(two)) {
    return outcome(holds(one - two, op))
  }
  const texts = [left, right].map((value) => String(value))
  // Two spellings of one moment, one json or one truth value differ as texts.
  if (texts.every((text) => /^\s*(\d{4}-\d\d-\d\d|[[{])/.test(text))) return UNKNOWN
  const [first, second] = texts.map(truthValue)
  return op === '=' ? outcome(first === second) : UNKNOWN
}

type Literal = string | number | boolean | null

/** PostgreSQL reads 't', 'yes', 'on', '1' as true (docs 8.6); only the usual two spellings matter here. */
function truthValue(text: string): string {
  return text === 't' ? 'true' : text === 'f' ? 'false' : text
}

function holds(difference: number, op: Comparison): boolean {
  switch (op) {
    case '=':
      return difference === 0
    case '<>':
      return difference !== 0
    case '<':
      return difference < 0
    case '<=':
      return difference <= 0
    case '>':
      return difference > 0
    case '>=':
      return difference >= 0
  }
}
