import { as, kindOf, nameParts, stringText, typeText, walk, type Node, type NodeOf } from '../sql/index.js'
import { aggregate, isAggregate } from './aggregate.js'
import { callSpan } from './call-span.js'
import { and, compare, isAmong, isDistinct, isNull, like, not, or, truth } from './compare.js'
import { callPure } from './functions.js'
import { Exhausted, spend, type EvaluatedArgument, type Frame } from './machine.js'
import { lookUp } from './names.js'
import { asArray, binary, castValue } from './operators.js'
import { fromSource, holeNamed } from './sql-text.js'
import { field, known } from './contents.js'
import {
  anyOf,
  bool,
  combine,
  FALSE,
  list,
  NOW,
  NULL,
  number,
  object,
  SOMETHING,
  text,
  TRUE,
  UNKNOWN,
  type Value,
} from './value.js'

/** The value of an expression in a frame. Calls in it are made: cron.schedule schedules, net.http_post sends. */
export function evaluate(frame: Frame, node: Node | undefined): Value {
  if (!node) return NULL
  spend(frame.machine)
  const { budget } = frame.machine
  if (++budget.depth > DEEPEST) throw new Exhausted('an expression is nested too deeply')
  try {
    const kind = kindOf(node)
    const rule = rules[kind]
    if (rule) return rule(frame, (node as unknown as Record<string, never>)[kind]!)
    return calledFor(frame, node)
  } finally {
    budget.depth--
  }
}

/** A long chain of || is as deep as it has parts. What is deeper would not fit on the stack everywhere. */
const DEEPEST = 1_500

type Rule = (frame: Frame, fields: never) => Value

const rules: Readonly<Record<string, Rule>> = {
  A_Const: (frame, constant: NodeOf<'A_Const'>) => constantValue(frame, constant),
  ColumnRef: (frame, reference: NodeOf<'ColumnRef'>) => columnValue(frame, reference),
  ParamRef: (frame, parameter: NodeOf<'ParamRef'>) => frame.parameters[(parameter.number ?? 0) - 1] ?? UNKNOWN,
  FuncCall: (frame, call: NodeOf<'FuncCall'>) => callValue(frame, call),
  A_Expr: (frame, expression: NodeOf<'A_Expr'>) => operatorValue(frame, expression),
  BoolExpr: (frame, expression: NodeOf<'BoolExpr'>) => logical(frame, expression),
  NullTest: (frame, test: NodeOf<'NullTest'>) => {
    const is = isNull(evaluate(frame, test.arg))
    return test.nulltesttype === 'IS_NOT_NULL' ? not(is) : is
  },
  BooleanTest: (frame, test: NodeOf<'BooleanTest'>) => booleanTest(evaluate(frame, test.arg), test.booltesttype ?? ''),
  TypeCast: (frame, cast: NodeOf<'TypeCast'>) => castValue(frame, evaluate(frame, cast.arg), typeText(cast.typeName)),
  CollateClause: (frame, clause: NodeOf<'CollateClause'>) => evaluate(frame, clause.arg),
  NamedArgExpr: (frame, named: NodeOf<'NamedArgExpr'>) => evaluate(frame, named.arg),
  CoalesceExpr: (frame, coalesce: NodeOf<'CoalesceExpr'>) => firstNonNull(frame, coalesce.args ?? []),
  MinMaxExpr: (frame, extreme: NodeOf<'MinMaxExpr'>) => {
    const values = (extreme.args ?? []).map((each) => evaluate(frame, each)).filter((each) => each.kind !== 'null')
    return callPure(extreme.op === 'IS_LEAST' ? 'least' : 'greatest', values) ?? UNKNOWN
  },
  CaseExpr: (frame, choice: NodeOf<'CaseExpr'>) => caseValue(frame, choice),
  A_ArrayExpr: (frame, array: NodeOf<'A_ArrayExpr'>) =>
    list((array.elements ?? []).map((each) => evaluate(frame, each))),
  RowExpr: (frame, row: NodeOf<'RowExpr'>) =>
    object(new Map((row.args ?? []).map((each, index) => [`f${index + 1}`, evaluate(frame, each)]))),
  A_Indirection: (frame, indirection: NodeOf<'A_Indirection'>) => indirect(frame, indirection),
  SubLink: (frame, link: NodeOf<'SubLink'>) => subLink(frame, link),
  SQLValueFunction: (_, { op }: NodeOf<'SQLValueFunction'>) => (/TIME/.test(op ?? '') ? NOW : SOMETHING),
  List: (frame, items: NodeOf<'List'>) => list((items.items ?? []).map((each) => evaluate(frame, each))),
}

/** A node of another kind: its value is not known, the calls in it are made all the same. */
function calledFor(frame: Frame, node: Node): Value {
  walk(node, (kind, fields) => {
    if (kind !== 'FuncCall' && kind !== 'SubLink') return true
    evaluate(frame, { [kind]: fields } as unknown as Node)
    return false
  })
  return UNKNOWN
}

function constantValue(frame: Frame, constant: NodeOf<'A_Const'>): Value {
  if (constant.isnull) return NULL
  if (constant.sval) {
    const source = stringText(frame.source, { A_Const: constant })
    return source ? fromSource(frame.machine, source) : text(constant.sval.sval ?? '')
  }
  if (constant.ival) return number(constant.ival.ival ?? 0)
  if (constant.fval) return number(Number(constant.fval.fval))
  if (constant.boolval) return bool(constant.boolval.boolval ?? false)
  return UNKNOWN
}

function columnValue(frame: Frame, reference: NodeOf<'ColumnRef'>): Value {
  const parts = nameParts(reference.fields)
  const star = (reference.fields ?? []).some((each) => as(each, 'A_Star'))
  if (star && parts.length === 0) return wholeRow(frame)
  const hole = holeNamed(frame.machine, parts.at(-1) ?? '')
  if (hole) return hole
  return lookUp(frame, parts)
}

function wholeRow(frame: Frame): Value {
  const rows = frame.scope?.bindings.map((binding) => binding.row) ?? []
  return rows.length === 1 ? rows[0]! : object(new Map(rows.flatMap((row) => [...row.fields])), true)
}

function callValue(frame: Frame, call: NodeOf<'FuncCall'>): Value {
  const name = nameParts(call.funcname)
  if (frame.group && isAggregate(name) && !call.over) return aggregate(frame, name.at(-1)!, call, evaluate)
  const args = argumentsOf(frame, call)
  if (call.over) return UNKNOWN
  return frame.machine.interpreter.call(frame, name, args, callSpan(frame.source, call.location ?? 0))
}

/** The arguments of a call, evaluated; VARIADIC over a known array gives its elements. */
export function argumentsOf(frame: Frame, call: NodeOf<'FuncCall'>): EvaluatedArgument[] {
  const given = (call.args ?? []).map((node): EvaluatedArgument => {
    const named = as(node, 'NamedArgExpr')
    return named
      ? { name: named.name ?? null, value: evaluate(frame, named.arg) }
      : { name: null, value: evaluate(frame, node) }
  })
  const last = given.at(-1)
  if (!call.func_variadic || last?.value.kind !== 'list') return given
  return [...given.slice(0, -1), ...last.value.items.map((value) => ({ name: null, value }))]
}

function logical(frame: Frame, expression: NodeOf<'BoolExpr'>): Value {
  const args = expression.args ?? []
  if (expression.boolop === 'NOT_EXPR') return not(evaluate(frame, args[0]))
  const decisive = expression.boolop === 'AND_EXPR' ? 'no' : 'yes'
  const values: Value[] = []
  for (const arg of args) {
    const value = evaluate(frame, arg)
    values.push(value)
    if (value.kind === 'bool' && truth(value) === decisive) break
  }
  return expression.boolop === 'AND_EXPR' ? and(values) : or(values)
}

function booleanTest(value: Value, test: string): Value {
  return combine([value], ([each]) => {
    const nil = isNull(each!)
    const is = each!.kind === 'null' ? null : truth(each!)
    switch (test) {
      case 'IS_TRUE':
        return is === 'unknown' ? UNKNOWN : bool(is === 'yes')
      case 'IS_NOT_TRUE':
        return is === 'unknown' ? UNKNOWN : bool(is !== 'yes')
      case 'IS_FALSE':
        return is === 'unknown' ? UNKNOWN : bool(is === 'no')
      case 'IS_NOT_FALSE':
        return is === 'unknown' ? UNKNOWN : bool(is !== 'no')
      default:
        return test === 'IS_UNKNOWN' ? nil : not(nil)
    }
  })
}

function firstNonNull(frame: Frame, args: readonly Node[]): Value {
  const possible: Value[] = []
  for (const arg of args) {
    const value = evaluate(frame, arg)
    const nil = isNull(value)
    if (nil.kind === 'bool' && nil.value) continue
    const rest = value.kind === 'any' ? anyOf(value.values.filter((each) => each.kind !== 'null')) : value
    possible.push(rest)
    if (nil.kind === 'bool') break
  }
  return possible.length === 0 ? NULL : anyOf(possible)
}

function caseValue(frame: Frame, choice: NodeOf<'CaseExpr'>): Value {
  const subject = choice.arg ? evaluate(frame, choice.arg) : null
  const possible: Value[] = []
  for (const node of choice.args ?? []) {
    const when = as(node, 'CaseWhen')
    const condition = evaluate(frame, when?.expr)
    const decided = truth(subject ? compare(subject, '=', condition) : condition)
    if (decided === 'no') continue
    possible.push(evaluate(frame, when?.result))
    if (decided === 'yes') return anyOf(possible)
  }
  return anyOf([...possible, evaluate(frame, choice.defresult)])
}

function indirect(frame: Frame, indirection: NodeOf<'A_Indirection'>): Value {
  return (indirection.indirection ?? []).reduce(
    (value, node) => {
      const name = as(node, 'String')?.sval
      if (name !== undefined) return field(value, name)
      const indices = as(node, 'A_Indices')
      if (!indices || indices.is_slice) return as(node, 'A_Star') ? value : UNKNOWN
      const index = known(evaluate(frame, indices.uidx))
      if (index === null) return UNKNOWN
      // SQL arrays count from 1, jsonb from 0 or by name: jsonb lists are not told apart, arrays are what people subscript.
      return value.kind === 'list' ? (value.items[Number(index) - 1] ?? NULL) : field(value, index)
    },
    evaluate(frame, indirection.arg),
  )
}

function operatorValue(frame: Frame, expression: NodeOf<'A_Expr'>): Value {
  const op = nameParts(expression.name).at(-1) ?? ''
  const left = expression.lexpr ? evaluate(frame, expression.lexpr) : NULL
  const right = evaluate(frame, expression.rexpr)
  switch (expression.kind) {
    case 'AEXPR_OP':
      return expression.lexpr
        ? binary(frame, left, op, right)
        : op === '-'
          ? binary(frame, number(0), '-', right)
          : UNKNOWN
    case 'AEXPR_OP_ANY':
      if (op === '=') return combine([left, right], ([value, items]) => isAmong(value!, asArray(items!)))
      return combine([left, right], ([value, items]) =>
        eachOf(asArray(items!), (item) => binary(frame, value!, op, item), or),
      )
    case 'AEXPR_OP_ALL':
      return combine([left, right], ([value, items]) =>
        eachOf(asArray(items!), (item) => binary(frame, value!, op, item), and),
      )
    case 'AEXPR_IN': {
      const among = combine([left], ([value]) => isAmong(value!, right))
      return op === '<>' ? not(among) : among
    }
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE': {
      const does = like(left, right, expression.kind === 'AEXPR_ILIKE')
      return op.startsWith('!') ? not(does) : does
    }
    case 'AEXPR_NULLIF': {
      return combine([left, right], ([value, other]) => {
        const same = truth(compare(value!, '=', other!))
        return same === 'yes' ? NULL : value!
      })
    }
    case 'AEXPR_DISTINCT':
      return isDistinct(left, right)
    case 'AEXPR_NOT_DISTINCT':
      return not(isDistinct(left, right))
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN': {
      const [low = NULL, high = NULL] = right.kind === 'list' ? right.items : []
      const within = and([compare(left, '>=', low), compare(left, '<=', high)])
      return expression.kind === 'AEXPR_BETWEEN' ? within : not(within)
    }
    default:
      return UNKNOWN
  }
}

function eachOf(items: Value, test: (item: Value) => Value, join: (values: readonly Value[]) => Value): Value {
  return items.kind === 'list' ? join(items.items.map(test)) : items.kind === 'null' ? NULL : UNKNOWN
}

function subLink(frame: Frame, link: NodeOf<'SubLink'>): Value {
  const { rows, columns } = frame.machine.interpreter.query(
    { ...frame, group: null },
    link.subselect!,
    link.subLinkType === 'EXPR_SUBLINK',
  )
  const symbolic = rows.some((each) => each.sources.length > 0)
  const firstOf = (row: (typeof rows)[number]): Value => row.row.fields.get(columns[0] ?? '') ?? row.row
  switch (link.subLinkType) {
    case 'EXISTS_SUBLINK':
      if (rows.some((each) => each.certain && each.sources.length === 0)) return TRUE
      return rows.length === 0 ? FALSE : UNKNOWN
    case 'EXPR_SUBLINK': {
      if (rows.length === 0) return NULL
      const upTo = rows.findIndex((each) => each.certain)
      return anyOf(rows.slice(0, upTo < 0 ? rows.length : upTo + 1).map(firstOf))
    }
    case 'ARRAY_SUBLINK':
      if (!symbolic) return list(rows.map(firstOf))
      return { kind: 'rows', element: anyOf(rows.map(firstOf)), sources: rows.flatMap((each) => each.sources) }
    case 'ANY_SUBLINK': {
      const subject = evaluate(frame, link.testexpr)
      if (symbolic) return UNKNOWN
      return or(rows.map((row) => and([compare(subject, '=', firstOf(row)), row.certain ? TRUE : UNKNOWN])))
    }
    default:
      return UNKNOWN
  }
}
