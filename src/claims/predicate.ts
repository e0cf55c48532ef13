import type { Comparison, Operand, Predicate } from '../model/index.js'
import {
  as,
  columnParts,
  constantOf,
  findAll,
  nameParts,
  tokenIndexAt,
  tokensOf,
  typeText,
  walk,
  withoutCasts,
  type Node,
} from '../sql/index.js'
import { resolve, type Scope } from './env.js'
import { amountOf, operandOf } from './operand.js'
import { compare } from './values.js'

const FLIPPED: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

/** A WHERE clause as a predicate over the target's columns; what is not read becomes `other`. */
export function predicateOf(node: Node, scope: Scope): Predicate {
  const logic = as(node, 'BoolExpr')
  if (logic) {
    const terms = (logic.args ?? []).map((each) => predicateOf(each, scope))
    if (logic.boolop === 'NOT_EXPR') return { kind: 'not', term: terms[0]! }
    return { kind: logic.boolop === 'OR_EXPR' ? 'or' : 'and', terms }
  }
  const constant = constantOf(node)
  if (constant !== undefined) return constant === true ? { kind: 'and', terms: [] } : { kind: 'or', terms: [] }
  const column = ownColumn(node, scope)
  if (column !== null) return { kind: 'compare', column, op: '=', operand: { kind: 'literal', value: true } }
  const nullTest = as(node, 'NullTest')
  const tested = nullTest && ownColumn(nullTest.arg, scope)
  if (nullTest && tested) {
    const isNull: Predicate = { kind: 'null', column: tested }
    return nullTest.nulltesttype === 'IS_NOT_NULL' ? { kind: 'not', term: isNull } : isNull
  }
  return booleanTest(node, scope) ?? comparison(node, scope) ?? otherCondition(node, scope)
}

/** `flag IS [NOT] TRUE | FALSE | UNKNOWN`. */
function booleanTest(node: Node, scope: Scope): Predicate | null {
  const test = as(node, 'BooleanTest')
  const column = test ? ownColumn(test.arg, scope) : null
  if (!test || column === null) return null
  const type = test.booltesttype ?? ''
  const unknown: Predicate = { kind: 'null', column }
  if (type.endsWith('UNKNOWN')) return type === 'IS_UNKNOWN' ? unknown : { kind: 'not', term: unknown }
  const operand: Operand = { kind: 'literal', value: type.endsWith('TRUE') }
  return type.startsWith('IS_NOT')
    ? { kind: 'distinct', column, operand }
    : { kind: 'compare', column, op: '=', operand }
}

function comparison(node: Node, scope: Scope): Predicate | null {
  const expression = as(node, 'A_Expr')
  if (!expression) return null
  const name = nameParts(expression.name).at(-1) ?? ''
  const { lexpr, rexpr } = expression
  switch (expression.kind) {
    case 'AEXPR_OP':
      return isComparison(name) ? sides(lexpr, name === '!=' ? '<>' : name, rexpr, scope) : null
    case 'AEXPR_DISTINCT':
    case 'AEXPR_NOT_DISTINCT': {
      const column = ownColumn(lexpr, scope)
      if (column === null) return null
      const distinct: Predicate = { kind: 'distinct', column, operand: operandOf(rexpr, scope) }
      return expression.kind === 'AEXPR_DISTINCT' ? distinct : { kind: 'not', term: distinct }
    }
    case 'AEXPR_IN':
      return among(lexpr, as(rexpr, 'List')?.items ?? [], name === '<>', scope)
    case 'AEXPR_OP_ANY':
      return name === '=' ? among(lexpr, elementsOf(rexpr), false, scope) : null
    case 'AEXPR_OP_ALL':
      return name === '<>' ? among(lexpr, elementsOf(rexpr), true, scope) : null
    case 'AEXPR_BETWEEN': {
      const [low, high] = as(rexpr, 'List')?.items ?? []
      const from = sides(lexpr, '>=', low, scope)
      const to = sides(lexpr, '<=', high, scope)
      return from && to ? { kind: 'and', terms: [from, to] } : null
    }
    default:
      return null
  }
}

function isComparison(name: string): name is Comparison | '!=' {
  return ['=', '<>', '!=', '<', '<=', '>', '>='].includes(name)
}

/** A comparison with the row's column on either side, or with a shift that can be moved over. */
function sides(left: Node | undefined, op: Comparison, right: Node | undefined, scope: Scope): Predicate | null {
  return (
    columnLeft(left, op, right, scope) ?? columnLeft(right, FLIPPED[op], left, scope) ?? elapsed(left, op, right, scope)
  )
}

function columnLeft(left: Node | undefined, op: Comparison, right: Node | undefined, scope: Scope): Predicate | null {
  if (!left || !right) return null
  const column = ownColumn(left, scope)
  if (column !== null) {
    // `t::date = current_date` speaks of whole days, `t` of a moment; only an order survives leaving the cast out.
    if (isCoarse(left) && (op === '=' || op === '<>')) return null
    return { kind: 'compare', column, op, operand: operandOf(right, scope) }
  }
  const coalesced = coalescedColumn(left, op, right, scope)
  if (coalesced) return coalesced
  // `locked_at + interval '5 minutes' < now()` asks for `locked_at < now() - interval '5 minutes'`.
  const shift = as(left, 'A_Expr')
  const sign = shift?.kind === 'AEXPR_OP' ? { '+': 1, '-': -1 }[nameParts(shift.name).at(-1) ?? ''] : undefined
  const base = sign && shift ? ownColumn(shift.lexpr, scope) : null
  const moment = base ? operandOf(right, scope) : null
  if (!base || !sign || moment?.kind !== 'now' || moment.period) return null
  const amount = amountOf(shift?.rexpr, scope)
  const offset = amount === null || moment.offset === null ? null : moment.offset - sign * amount
  const operand: Operand = offset === null ? { kind: 'now', offset, later: sign < 0 } : { kind: 'now', offset }
  return { kind: 'compare', column: base, op, operand }
}

/** `now() - locked_at > interval '5 minutes'` asks for `locked_at < now() - interval '5 minutes'`. */
function elapsed(left: Node | undefined, op: Comparison, right: Node | undefined, scope: Scope): Predicate | null {
  const difference = as(left, 'A_Expr')
  if (difference?.kind !== 'AEXPR_OP' || nameParts(difference.name).at(-1) !== '-') return null
  const column = ownColumn(difference.rexpr, scope)
  const moment = operandOf(difference.lexpr, scope)
  if (column === null || moment.kind !== 'now' || moment.offset === null) return null
  const amount = amountOf(right, scope)
  const operand: Operand =
    amount === null ? { kind: 'now', offset: null, later: false } : { kind: 'now', offset: moment.offset - amount }
  return { kind: 'compare', column, op: FLIPPED[op], operand }
}

/** `coalesce(attempts, 0) < 3`: the comparison, or null where the default satisfies it. */
function coalescedColumn(left: Node, op: Comparison, right: Node, scope: Scope): Predicate | null {
  const args = as(withoutCasts(left), 'CoalesceExpr')?.args
  const columns = args?.map((arg) => ownColumn(arg, scope)) ?? []
  if (columns.length > 1 && columns.every((each) => each !== null)) return firstOf(columns, op, operandOf(right, scope))
  const column = args?.length === 2 ? ownColumn(args[0], scope) : null
  if (!args || column === null) return null
  const operand = operandOf(right, scope)
  const fallback = operandOf(args[1], scope)
  const known: Predicate = { kind: 'compare', column, op, operand }
  if (fallback.kind !== 'literal' || operand.kind === 'column') return null
  const outcome = compare(fallback, op, operand)
  // '-infinity', 'epoch' and their like are before every moment that matters.
  const early = operand.kind === 'now' && /^(-infinity|epoch|(0001|19[0-9]{2})-)/.test(String(fallback.value))
  if (outcome.proven ? outcome.true : early && op.startsWith('<'))
    return { kind: 'or', terms: [known, { kind: 'null', column }] }
  return outcome.proven || early ? known : null
}

/** `coalesce(claimed_at, tried_at) < x`: the first of the columns that is there is compared. */
function firstOf(columns: readonly string[], op: Comparison, operand: Operand): Predicate {
  const terms = columns.map((column, index): Predicate => {
    const absent = columns.slice(0, index).map((each): Predicate => ({ kind: 'null', column: each }))
    const compared: Predicate = { kind: 'compare', column, op, operand }
    return absent.length === 0 ? compared : { kind: 'and', terms: [...absent, compared] }
  })
  return { kind: 'or', terms }
}

function isCoarse(node: Node): boolean {
  const cast = as(node, 'TypeCast')
  return cast !== undefined && (typeText(cast.typeName) === 'date' || (cast.arg !== undefined && isCoarse(cast.arg)))
}

function among(
  left: Node | undefined,
  items: readonly Node[] | null,
  negated: boolean,
  scope: Scope,
): Predicate | null {
  const column = ownColumn(left, scope)
  if (column === null || items === null) return null
  const list: Predicate = { kind: 'in', column, operands: items.map((each) => operandOf(each, scope)) }
  return negated ? { kind: 'not', term: list } : list
}

/** The elements of an array; one that is not known stands for all of them; null for a sub-select. */
function elementsOf(node: Node | undefined): readonly Node[] | null {
  const bare = withoutCasts(node)
  if (!bare || as(bare, 'SubLink')) return null
  const elements = as(bare, 'A_ArrayExpr')?.elements
  if (elements) return elements
  const text = constantOf(bare)
  if (typeof text !== 'string' || !/^\{[^"{}\\]*\}$/.test(text)) return [bare]
  const items = text
    .slice(1, -1)
    .split(',')
    .filter((item) => item !== '')
  return items.map((item) => ({ A_Const: { sval: { sval: item.trim() } } }))
}

/** The target's column if the expression is just that, casts aside. */
export function ownColumn(node: Node | undefined, scope: Scope): string | null {
  const reference = as(withoutCasts(node), 'ColumnRef')
  if (!reference) return null
  const meaning = resolve(columnParts(reference), scope)
  return meaning.kind === 'column' ? meaning.column : null
}

/** A condition that is not read: its text, and the columns of the row that it mentions. */
export function otherCondition(node: Node, scope: Scope): Predicate {
  const columns = new Set<string>()
  for (const reference of findAll(node, 'ColumnRef')) {
    const meaning = resolve(columnParts(reference), scope)
    if (meaning.kind === 'column') columns.add(meaning.column)
  }
  return { kind: 'other', text: textOf(node, scope), columns: [...columns] }
}

/** `IS NOT NULL` and its like stand at IS. */
const TEST_WORDS = new Set(['is', 'not', 'null', 'true', 'false', 'unknown', 'isnull', 'notnull'])

/** The text of an expression. Trees say where nodes start, not where they end: the brackets opened on the way are closed. */
function textOf(node: Node, scope: Scope): string {
  let first = Infinity
  let last = 0
  walk(node, (_, fields) => {
    const location = (fields as { location?: number }).location
    if (location === undefined || location < 0) return
    first = Math.min(first, location)
    last = Math.max(last, location)
  })
  if (first === Infinity) return '…'
  let depth = 0
  let end = last
  const tokens = tokensOf(scope.source)
  for (let index = Math.max(0, tokenIndexAt(scope.source, first)); index < tokens.length; index++) {
    const { start, value, end: tokenEnd } = tokens[index]!
    const after = start > last && depth <= 0
    if (after && value !== '(' && !TEST_WORDS.has(value)) break
    if (value === '(' || value === '[') depth++
    if (value === ')' || value === ']') depth--
    if (depth < 0) break
    end = tokenEnd
  }
  return scope.source.text.slice(first, end).replace(/\s+/g, ' ')
}
