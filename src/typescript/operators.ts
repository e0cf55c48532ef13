import { ts } from './ts.js'
import { either, truthOf } from './branches.js'
import type { Machine } from './machine.js'
import { fork, joinStates } from './state.js'
import {
  UNDEFINED,
  UNKNOWN,
  altOf,
  constant,
  textOf,
  unknown,
  unite,
  type Const,
  type Scope,
  type Value,
} from './value.js'

const K = ts.SyntaxKind

/** `!a`, `-a`, `++a`. */
export function prefix(machine: Machine, node: ts.PrefixUnaryExpression, scope: Scope): Value {
  const value = machine.evaluate(node.operand, scope)
  switch (node.operator) {
    case K.ExclamationToken:
      if (value.kind === 'const') return constant(!value.value)
      return { kind: 'test', op: 'not', left: value, right: UNDEFINED }
    case K.MinusToken:
      return value.kind === 'const' && typeof value.value === 'number'
        ? constant(-value.value)
        : unknown(machine.taints(value))
    case K.PlusToken:
      return value
    case K.PlusPlusToken:
    case K.MinusMinusToken:
      machine.assign(node.operand, unknown(machine.taints(value)), scope)
      return unknown(machine.taints(value))
    default:
      return unknown(machine.taints(value))
  }
}

const ASSIGNMENTS: ReadonlyMap<ts.SyntaxKind, ts.SyntaxKind> = new Map([
  [K.PlusEqualsToken, K.PlusToken],
  [K.MinusEqualsToken, K.MinusToken],
  [K.AsteriskEqualsToken, K.AsteriskToken],
  [K.SlashEqualsToken, K.SlashToken],
])

/** Assignments, comparisons, arithmetic, `a && b`: an operator between two expressions. */
export function binary(machine: Machine, node: ts.BinaryExpression, scope: Scope): Value {
  const op = node.operatorToken.kind
  if (op === K.EqualsToken) {
    const value = machine.evaluate(node.right, scope)
    machine.assign(node.left, value, scope)
    return value
  }
  if (op === K.AmpersandAmpersandToken || op === K.BarBarToken || op === K.QuestionQuestionToken)
    return logical(machine, op, node, scope)
  if (op === K.QuestionQuestionEqualsToken || op === K.BarBarEqualsToken || op === K.AmpersandAmpersandEqualsToken) {
    const plain =
      op === K.QuestionQuestionEqualsToken
        ? K.QuestionQuestionToken
        : op === K.BarBarEqualsToken
          ? K.BarBarToken
          : K.AmpersandAmpersandToken
    const value = logical(machine, plain, node, scope)
    machine.assign(node.left, value, scope)
    return value
  }
  const arithmeticOp = ASSIGNMENTS.get(op)
  if (arithmeticOp !== undefined) {
    const left = machine.evaluate(node.left, scope)
    const right = machine.evaluate(node.right, scope)
    const value = arithmetic(machine, arithmeticOp, left, right)
    machine.assign(node.left, value, scope)
    return value
  }
  if (op >= K.FirstCompoundAssignment && op <= K.LastCompoundAssignment) {
    machine.assign(node.left, UNKNOWN, scope)
    return UNKNOWN
  }
  const left = machine.evaluate(node.left, scope)
  if (op === K.CommaToken) return machine.evaluate(node.right, scope)
  const right = machine.evaluate(node.right, scope)
  switch (op) {
    case K.EqualsEqualsEqualsToken:
    case K.EqualsEqualsToken:
      return comparison('==', left, right)
    case K.ExclamationEqualsEqualsToken:
    case K.ExclamationEqualsToken: {
      const equal = comparison('==', left, right)
      return equal.kind === 'const'
        ? constant(!equal.value)
        : { kind: 'test', op: 'not', left: equal, right: UNDEFINED }
    }
    case K.LessThanToken:
      return comparison('<', left, right)
    case K.LessThanEqualsToken:
      return comparison('<=', left, right)
    case K.GreaterThanToken:
      return comparison('>', left, right)
    case K.GreaterThanEqualsToken:
      return comparison('>=', left, right)
    case K.InKeyword:
    case K.InstanceOfKeyword:
      return unknown(unite([machine.taints(left), machine.taints(right)]))
    default:
      return arithmetic(machine, op, left, right)
  }
}

function comparison(op: '==' | '<' | '<=' | '>' | '>=', left: Value, right: Value): Value {
  if (left.kind === 'const' && right.kind === 'const') {
    const a = left.value as string
    const b = right.value as string
    if (op === '==') return constant(a === b || (a == null && b == null))
    return constant(op === '<' ? a < b : op === '<=' ? a <= b : op === '>' ? a > b : a >= b)
  }
  return { kind: 'test', op, left, right }
}

function arithmetic(machine: Machine, op: ts.SyntaxKind, left: Value, right: Value): Value {
  if (left.kind === 'const' && right.kind === 'const') return fold(op, left, right)
  if (op === K.PlusToken || op === K.MinusToken) {
    const sign = op === K.PlusToken ? 1 : -1
    if (left.kind === 'time' && right.kind === 'const' && typeof right.value === 'number')
      return { kind: 'time', offset: left.offset === null ? null : left.offset + sign * right.value }
    if (left.kind === 'time' && right.kind === 'time') return unknown(machine.taints(left))
    if (left.kind === 'time' && op === K.MinusToken) return { kind: 'time', offset: null }
    if (left.kind === 'time' && right.kind === 'unknown') return { kind: 'time', offset: null }
    if (right.kind === 'time' && left.kind === 'const' && typeof left.value === 'number' && op === K.PlusToken)
      return { kind: 'time', offset: right.offset === null ? null : right.offset + left.value }
    if (right.kind === 'const' && typeof right.value === 'number') return shift(left, sign * right.value)
    if (left.kind === 'const' && typeof left.value === 'number' && op === K.PlusToken) return shift(right, left.value)
    if (op === K.PlusToken && (isTextual(left) || isTextual(right))) return textOf([left, right])
  }
  return unknown(unite([machine.taints(left), machine.taints(right)]))
}

const isTextual = (value: Value): boolean =>
  value.kind === 'text' || value.kind === 'json' || (value.kind === 'const' && typeof value.value === 'string')

/** `row.attempts + 1`; also `(row.attempts ?? 0) + 1`, which is the same number where there is one. */
function shift(value: Value, delta: number): Value {
  if (value.kind === 'shifted') return { ...value, delta: value.delta === null ? null : value.delta + delta }
  if (value.kind === 'alt')
    return altOf(value.options.map((option) => ({ ...option, value: shift(option.value, delta) })))
  if (value.kind === 'const') return typeof value.value === 'number' ? constant(value.value + delta) : UNKNOWN
  return { kind: 'shifted', of: value, delta }
}

function fold(op: ts.SyntaxKind, left: Const, right: Const): Value {
  // Mixed with a number, or divided by 0n, a bigint throws.
  if (typeof left.value === 'bigint' || typeof right.value === 'bigint') return UNKNOWN
  const a = left.value as number
  const b = right.value as number
  switch (op) {
    case K.PlusToken:
      return constant((a as number) + (b as number))
    case K.MinusToken:
      return constant(a - b)
    case K.AsteriskToken:
      return constant(a * b)
    case K.SlashToken:
      return constant(a / b)
    case K.PercentToken:
      return constant(a % b)
    default:
      return UNKNOWN
  }
}

/** `a && b`, `a || b`, `a ?? b`: the right side runs only where the left one lets it. */
function logical(machine: Machine, op: ts.SyntaxKind, node: ts.BinaryExpression, scope: Scope): Value {
  const left = machine.evaluate(node.left, scope)
  const site = machine.site(node.left, scope)
  if (op === K.QuestionQuestionToken) {
    if (left.kind === 'const') return left.value == null ? machine.evaluate(node.right, scope) : left
    if (left.kind === 'object' || left.kind === 'list' || left.kind === 'map' || left.kind === 'function') return left
    const base = machine.state
    machine.state = fork(base)
    machine.refine({ kind: 'test', op: '==', left, right: constant(null) }, true, site)
    if (machine.state.dead) {
      // Go on in a child: what was forked from `base` must not see what is written from here on.
      machine.state = fork(base)
      return left
    }
    const right = machine.evaluate(node.right, scope)
    const facts = [...machine.state.facts].filter((fact) => !base.facts.has(fact))
    const present = fork(base)
    const presentFacts = truthOf(machine, { kind: 'test', op: '==', left, right: constant(null) }, false, present)
    if (presentFacts === null) return right
    machine.state = joinStates([machine.state, present])
    return altOf([
      { value: withoutNothing(left), facts: presentFacts },
      { value: right, facts },
    ])
  }
  const right = () => machine.evaluate(node.right, scope)
  const stays = () => left
  return either(machine, left, node.left, scope, op === K.AmpersandAmpersandToken ? [right, stays] : [stays, right])
}

const withoutNothing = (value: Value): Value =>
  value.kind === 'alt'
    ? altOf(value.options.filter((option) => !(option.value.kind === 'const' && option.value.value == null)))
    : value
