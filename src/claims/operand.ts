import type { Operand } from '../model/index.js'
import {
  as,
  callArguments,
  constantOf,
  findAll,
  nameParts,
  columnParts,
  typeText,
  withoutCasts,
  type Node,
  type NodeOf,
} from '../sql/index.js'
import { resolve, type Scope } from './env.js'

const NOW = new Set(['now', 'clock_timestamp', 'statement_timestamp', 'transaction_timestamp'])
const FRESH = new Set([
  'gen_random_uuid',
  'uuid_generate_v1',
  'uuid_generate_v4',
  'uuidv4',
  'uuidv7',
  'random',
  'gen_random_bytes',
])

/** The value of an expression, as far as the algebra knows values. */
export function operandOf(node: Node | undefined, scope: Scope): Operand {
  const one = alternativesOf(node, scope)
  return one.length === 1 ? one[0]! : opaque(node, scope, one.every(isSet))
}

/** The values that a CASE, a GREATEST or a COALESCE of known values may give; one for everything else. */
export function alternativesOf(node: Node | undefined, scope: Scope): Operand[] {
  const choice = as(withoutCasts(node), 'CaseExpr')
  if (choice) {
    const results: Node[] = (choice.args ?? []).flatMap((each) => as(each, 'CaseWhen')?.result ?? [])
    const otherwise: Operand[] = choice.defresult
      ? alternativesOf(choice.defresult, scope)
      : [{ kind: 'literal', value: null }]
    const all = [...results.flatMap((each) => alternativesOf(each, scope)), ...otherwise]
    return all.length <= 8 ? all : [opaque(node, scope, all.every(isSet))]
  }
  return [single(node, scope)]
}

function isSet(operand: Operand): boolean {
  if (operand.kind === 'literal') return operand.value !== null
  return operand.kind === 'now' || operand.kind === 'fresh' || (operand.kind === 'opaque' && operand.nonNull)
}

function single(node: Node | undefined, scope: Scope): Operand {
  if (!node) return { kind: 'opaque', id: 'nothing', nonNull: false }
  const cast = as(node, 'TypeCast')
  if (cast) return castOperand(cast, scope)
  const constant = constantOf(node)
  if (constant !== undefined) return { kind: 'literal', value: constant }
  const reference = as(node, 'ColumnRef')
  if (reference) return referenceOperand(reference, scope)
  const parameter = as(node, 'ParamRef')
  if (parameter) return scope.env.parameter(parameter.number ?? 0)
  const moment = as(node, 'SQLValueFunction')
  if (moment) return momentOperand(moment.op ?? '', node, scope)
  const call = as(node, 'FuncCall')
  if (call) return callOperand(call, node, scope)
  const operation = as(node, 'A_Expr')
  if (operation?.kind === 'AEXPR_OP') return operationOperand(operation, node, scope)
  const coalesce = as(node, 'CoalesceExpr')
  if (coalesce) return coalesceOperand(coalesce, node, scope)
  return opaque(node, scope, as(node, 'A_ArrayExpr') !== undefined)
}

function castOperand(cast: NodeOf<'TypeCast'>, scope: Scope): Operand {
  const inner = single(cast.arg, scope)
  const type = typeText(cast.typeName)
  if (inner.kind === 'now' && type === 'date') return { ...inner, period: true }
  if (inner.kind === 'literal' && inner.value === 'now' && /^(timestamp|date)/.test(type))
    return { kind: 'now', offset: 0 }
  // Casts of what stands in a row to a coarser type do not keep it apart any more.
  if (inner.kind === 'column' && type === 'date') return { ...inner, delta: null }
  return inner
}

function referenceOperand(reference: NodeOf<'ColumnRef'>, scope: Scope): Operand {
  const path = columnParts(reference)
  const meaning = resolve(path, scope)
  if (meaning.kind === 'column') return { kind: 'column', column: meaning.column, delta: 0 }
  if (meaning.kind === 'value') return meaning.operand
  if (meaning.kind === 'foreign' && scope.others.get(meaning.alias)?.table === scope.target.name) {
    return { kind: 'read', column: meaning.column, delta: 0 }
  }
  return { kind: 'opaque', id: path.join('.'), nonNull: false }
}

function momentOperand(op: string, node: Node, scope: Scope): Operand {
  if (op === 'SVFOP_CURRENT_DATE') return { kind: 'now', offset: 0, period: true }
  return /TIMESTAMP/.test(op) ? { kind: 'now', offset: 0 } : opaque(node, scope, true)
}

function callOperand(call: NodeOf<'FuncCall'>, node: Node, scope: Scope): Operand {
  const name = nameParts(call.funcname).at(-1) ?? ''
  if (NOW.has(name)) return { kind: 'now', offset: 0 }
  if (FRESH.has(name)) return { kind: 'fresh' }
  const args = callArguments(call).map((each) => each.value)
  if (name === 'timezone') {
    const inner = single(args[1], scope)
    if (inner.kind === 'now' || inner.kind === 'column') return inner
  }
  if (name === 'date_trunc' || name === 'date') {
    const inner = single(args.at(name === 'date' ? 0 : 1), scope)
    if (inner.kind === 'now') return { ...inner, period: true }
  }
  return opaque(node, scope, false)
}

function operationOperand(operation: NodeOf<'A_Expr'>, node: Node, scope: Scope): Operand {
  const name = nameParts(operation.name).at(-1)
  if (name !== '+' && name !== '-') return opaque(node, scope, false)
  const sign = name === '+' ? 1 : -1
  const left = operation.lexpr ? single(operation.lexpr, scope) : undefined
  const right = single(operation.rexpr, scope)
  if (!left) {
    return right.kind === 'literal' && typeof right.value === 'number'
      ? { kind: 'literal', value: -right.value }
      : opaque(node, scope, false)
  }
  const amount = amountOf(operation.rexpr, scope)
  if (left.kind === 'now' || left.kind === 'column' || left.kind === 'read') return shiftedBy(left, amount, sign)
  if (sign === 1 && (right.kind === 'now' || right.kind === 'column' || right.kind === 'read')) {
    return shiftedBy(right, amountOf(operation.lexpr, scope), 1)
  }
  return opaque(node, scope, false)
}

type Shiftable = Extract<Operand, { readonly kind: 'now' | 'column' | 'read' }>

function shiftedBy(base: Shiftable, amount: number | null, sign: number): Operand {
  if (base.kind !== 'now') {
    return { ...base, delta: base.delta === null || amount === null ? null : base.delta + sign * amount }
  }
  if (base.offset !== null && amount !== null) return { ...base, offset: base.offset + sign * amount }
  // Nobody leases into the past: an interval that is not known is taken to be positive.
  const later = sign > 0
  const clear = base.offset === null ? base.later === later : later ? base.offset >= 0 : base.offset <= 0
  return { kind: 'now', offset: null, ...(clear ? { later } : {}) }
}

/** A number, or an interval in milliseconds; null where it is not known. */
export function amountOf(node: Node | undefined, scope: Scope): number | null {
  const cast = as(node, 'TypeCast')
  if (cast && typeText(cast.typeName) === 'interval') {
    const text = constantOf(cast.arg)
    return typeof text === 'string' ? intervalOf(text) : null
  }
  const constant = constantOf(node)
  if (typeof constant === 'number') return constant
  if (typeof constant === 'string') return intervalOf(constant)
  const call = as(node, 'FuncCall')
  if (call && nameParts(call.funcname).at(-1) === 'make_interval') return madeInterval(call)
  const product = as(node, 'A_Expr')
  if (product?.kind === 'AEXPR_OP' && nameParts(product.name).at(-1) === '*') {
    const left = amountOf(product.lexpr, scope)
    const right = amountOf(product.rexpr, scope)
    return left === null || right === null ? null : left * right
  }
  const value = node && as(node, 'ColumnRef') ? single(node, scope) : null
  return value?.kind === 'literal' && typeof value.value === 'number' ? value.value : null
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(ms|msecs?|milliseconds?)$/, 1],
  [/^(s|secs?|seconds?)$/, 1000],
  [/^(m|mins?|minutes?)$/, 60_000],
  [/^(h|hrs?|hours?)$/, 3_600_000],
  [/^(d|days?)$/, 86_400_000],
  [/^(w|weeks?)$/, 604_800_000],
  [/^(mons?|months?)$/, 2_592_000_000],
  [/^(y|yrs?|years?)$/, 31_557_600_000],
]

/** Milliseconds of an interval as PostgreSQL writes them (docs 8.5.4), months counted as 30 days; null where not read. */
export function intervalOf(text: string): number | null {
  const clock = /^\s*(-?)(\d+):(\d\d)(?::(\d\d))?\s*$/.exec(text)
  if (clock) {
    const seconds = Number(clock[2]) * 3600 + Number(clock[3]) * 60 + Number(clock[4] ?? 0)
    return (clock[1] ? -1 : 1) * seconds * 1000
  }
  const parts = [...text.matchAll(/([-+]?\d+(?:\.\d+)?)\s*([a-z]+)/gi)]
  if (parts.length === 0 || text.replace(/([-+]?\d+(?:\.\d+)?)\s*([a-z]+)/gi, '').trim() !== '') return null
  let sum = 0
  for (const [, count, unit] of parts) {
    const size = UNITS.find(([name]) => name.test(unit!.toLowerCase()))?.[1]
    if (size === undefined) return null
    sum += Number(count) * size
  }
  return sum
}

const MADE = ['years', 'months', 'weeks', 'days', 'hours', 'mins', 'secs'] as const

function madeInterval(call: NodeOf<'FuncCall'>): number | null {
  let sum = 0
  for (const [index, { name, value }] of callArguments(call).entries()) {
    const unit = name ?? MADE[index] ?? ''
    const count = constantOf(value)
    const milliseconds = typeof count === 'number' ? intervalOf(`${count} ${unit}`) : null
    if (milliseconds === null) return null
    sum += milliseconds
  }
  return sum
}

function coalesceOperand(coalesce: NodeOf<'CoalesceExpr'>, node: Node, scope: Scope): Operand {
  const all = (coalesce.args ?? []).map((each) => single(each, scope))
  const first = all[0]
  // `coalesce(attempts, 0) + 1` counts on from the column.
  if (first?.kind === 'column' && all.slice(1).every((each) => each.kind === 'literal')) return first
  if (first && isSet(first)) return first
  return opaque(node, scope, all.some(isSet))
}

/** A value that is not known; one that is computed from the row's own column says which. */
function opaque(node: Node | undefined, scope: Scope, nonNull: boolean): Operand {
  const references = node ? findAll(node, 'ColumnRef') : []
  const columns = new Set(
    references.flatMap((each) => {
      const meaning = resolve(columnParts(each), scope)
      return meaning.kind === 'column' ? meaning.column : []
    }),
  )
  if (columns.size === 1 && !as(node, 'SubLink')) return { kind: 'column', column: [...columns][0]!, delta: null }
  return { kind: 'opaque', id: `expression:${placeOf(node)}`, nonNull }
}

function placeOf(node: Node | undefined): number {
  let place = -1
  for (const each of node ? findAll(node, 'FuncCall') : []) place = Math.max(place, each.location ?? 0)
  for (const each of node ? findAll(node, 'ColumnRef') : []) place = Math.max(place, each.location ?? 0)
  return place
}
