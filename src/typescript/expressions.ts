import { ts } from './ts.js'
import type { Machine } from './machine.js'
import { assume, fork, joinStates, read, write, type State } from './state.js'
import { truthFacts } from './truth.js'
import {
  UNDEFINED,
  UNKNOWN,
  altOf,
  anyItem,
  constant,
  textOf,
  unknown,
  unite,
  type Const,
  type Fact,
  type Option,
  type Scope,
  type Value,
} from './value.js'

const K = ts.SyntaxKind

/** The value of an expression; what it calls happens on the way. */
export function evaluateExpression(machine: Machine, node: ts.Expression, scope: Scope): Value {
  switch (node.kind) {
    case K.Identifier:
      return readName(machine, node as ts.Identifier, scope)
    case K.StringLiteral:
    case K.NoSubstitutionTemplateLiteral:
      return constant((node as ts.StringLiteral).text)
    case K.NumericLiteral:
      return constant(Number((node as ts.NumericLiteral).text))
    case K.BigIntLiteral:
      return constant(BigInt((node as ts.BigIntLiteral).text.replace(/n$/, '')))
    case K.TrueKeyword:
      return constant(true)
    case K.FalseKeyword:
      return constant(false)
    case K.NullKeyword:
      return constant(null)
    case K.ThisKeyword:
      return selfOf(scope)
    case K.TemplateExpression: {
      const template = node as ts.TemplateExpression
      const parts: Value[] = [constant(template.head.text)]
      for (const span of template.templateSpans) {
        parts.push(machine.evaluate(span.expression, scope), constant(span.literal.text))
      }
      return textOf(parts)
    }
    case K.TaggedTemplateExpression: {
      const tagged = node as ts.TaggedTemplateExpression
      const tag = machine.evaluate(tagged.tag, scope)
      const template = tagged.template
      const strings = ts.isNoSubstitutionTemplateLiteral(template)
        ? [template.text]
        : [template.head.text, ...template.templateSpans.map((span) => span.literal.text)]
      const values = ts.isNoSubstitutionTemplateLiteral(template)
        ? []
        : template.templateSpans.map((span) => machine.evaluate(span.expression, scope))
      const known = machine.host.template(tag, strings, values, machine, machine.site(node, scope))
      return known ?? unknown(unite(values.map((value) => machine.taints(value))))
    }
    case K.ParenthesizedExpression:
    case K.AsExpression:
    case K.NonNullExpression:
    case K.SatisfiesExpression:
    case K.TypeAssertionExpression:
      return machine.evaluate((node as ts.ParenthesizedExpression).expression, scope)
    case K.ExpressionWithTypeArguments:
      return machine.evaluate((node as ts.ExpressionWithTypeArguments).expression, scope)
    case K.AwaitExpression: {
      const value = machine.evaluate((node as ts.AwaitExpression).expression, scope)
      return machine.await(value, machine.site((node as ts.AwaitExpression).expression, scope))
    }
    case K.VoidExpression:
      machine.evaluate((node as ts.VoidExpression).expression, scope)
      return UNDEFINED
    case K.DeleteExpression: {
      const target = (node as ts.DeleteExpression).expression
      machine.assign(target, UNDEFINED, scope) // and not sent: JSON leaves out what is undefined
      return constant(true)
    }
    case K.TypeOfExpression: {
      const value = machine.evaluate((node as ts.TypeOfExpression).expression, scope)
      return unknown(machine.taints(value))
    }
    case K.PropertyAccessExpression: {
      const access = node as ts.PropertyAccessExpression
      const target = machine.evaluate(access.expression, scope)
      return machine.property(target, access.name.text, machine.site(node, scope))
    }
    case K.ElementAccessExpression: {
      const access = node as ts.ElementAccessExpression
      const target = machine.evaluate(access.expression, scope)
      const index = machine.evaluate(access.argumentExpression, scope)
      return machine.property(target, keyOf(index), machine.site(node, scope))
    }
    case K.CallExpression:
      return call(machine, node as ts.CallExpression, scope)
    case K.NewExpression: {
      const made = node as ts.NewExpression
      const callee = machine.evaluate(made.expression, scope)
      return machine.construct(callee, argumentsOf(machine, made.arguments ?? [], scope), machine.site(node, scope))
    }
    case K.ObjectLiteralExpression:
      return objectLiteral(machine, node as ts.ObjectLiteralExpression, scope)
    case K.ArrayLiteralExpression:
      return arrayLiteral(machine, node as ts.ArrayLiteralExpression, scope)
    case K.ArrowFunction:
    case K.FunctionExpression:
      return {
        kind: 'function',
        node: node as ts.ArrowFunction,
        scope,
        self: node.kind === K.ArrowFunction ? selfOf(scope) : null,
      }
    case K.ClassExpression:
      return { kind: 'class', node: node as ts.ClassExpression, scope }
    case K.ConditionalExpression: {
      const conditional = node as ts.ConditionalExpression
      const condition = machine.evaluate(conditional.condition, scope)
      return either(machine, condition, conditional.condition, scope, [
        () => machine.evaluate(conditional.whenTrue, scope),
        () => machine.evaluate(conditional.whenFalse, scope),
      ])
    }
    case K.PrefixUnaryExpression:
      return prefix(machine, node as ts.PrefixUnaryExpression, scope)
    case K.PostfixUnaryExpression: {
      const operand = (node as ts.PostfixUnaryExpression).operand
      const before = machine.evaluate(operand, scope)
      machine.assign(operand, unknown(machine.taints(before)), scope)
      return before.kind === 'const' ? UNKNOWN : before
    }
    case K.BinaryExpression:
      return binary(machine, node as ts.BinaryExpression, scope)
    case K.SpreadElement:
      return machine.evaluate((node as ts.SpreadElement).expression, scope)
    case K.YieldExpression: {
      const yielded = node as ts.YieldExpression
      const value = yielded.expression ? machine.evaluate(yielded.expression, scope) : UNDEFINED
      const activation = machine.activations[machine.activations.length - 1]
      if (activation) {
        machine.state = fork(machine.state)
        const state = machine.state.base ?? machine.state
        const list = yielded.asteriskToken ? machine.listCell(value) : null
        activation.yields.push({ state, value: list?.element ?? value })
      }
      return UNKNOWN
    }
    default:
      return UNKNOWN
  }
}

export function selfOf(scope: Scope): Value {
  for (let at: Scope | null = scope; at; at = at.parent) if (at.self) return at.self
  return UNKNOWN
}

export function lookup(scope: Scope, name: string): { cell: number; scope: Scope } | null {
  for (let at: Scope | null = scope; at; at = at.parent) {
    const cell = at.names.get(name)
    if (cell !== undefined) return { cell, scope: at }
  }
  return null
}

function readName(machine: Machine, node: ts.Identifier, scope: Scope): Value {
  if (node.text === 'undefined') return UNDEFINED
  const found = lookup(scope, node.text)
  if (!found) return { kind: 'global', path: [node.text] }
  const value = read(machine.state, found.cell) as Value | undefined
  if (value === undefined) return UNKNOWN
  if (value.kind !== 'alt') return value
  // Queries that were built up on several paths are read as one.
  const merged = machine.host.merge?.(value, machine)
  return merged ?? value
}

/** The name of a property, where it is known. */
export function keyOf(value: Value): string | null {
  return value.kind === 'const' && (typeof value.value === 'string' || typeof value.value === 'number')
    ? String(value.value)
    : null
}

/** Runs one of two branches where the condition decides, else both, each knowing what it means that it runs. */
export function either(
  machine: Machine,
  condition: Value,
  node: ts.Node,
  scope: Scope,
  branches: readonly [() => Value, () => Value],
): Value {
  const site = machine.site(node, scope)
  const base = machine.state
  const ends: State[] = []
  const options: Option[] = []
  for (const wanted of [true, false]) {
    machine.state = fork(base)
    machine.refine(condition, wanted, site)
    if (!machine.state.dead) {
      const value = branches[wanted ? 0 : 1]()
      options.push({ value, facts: [...machine.state.facts].filter((fact) => !base.facts.has(fact)) })
    }
    ends.push(machine.state)
  }
  machine.state = joinStates(ends)
  return options.length === 0 ? UNKNOWN : altOf(options)
}

function prefix(machine: Machine, node: ts.PrefixUnaryExpression, scope: Scope): Value {
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

function binary(machine: Machine, node: ts.BinaryExpression, scope: Scope): Value {
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

/** Assumes that a value is truthy (or falsy) on a state of its own; null where it cannot be. */
function truthOf(machine: Machine, value: Value, wanted: boolean, state: State): readonly Fact[] | null {
  const before = machine.state
  machine.state = state
  const facts = truthFacts(value, wanted, machine)
  if (facts) assume(state, facts)
  machine.state = before
  return facts === null || state.dead ? null : facts
}

const withoutNothing = (value: Value): Value =>
  value.kind === 'alt'
    ? altOf(value.options.filter((option) => !(option.value.kind === 'const' && option.value.value == null)))
    : value

export function argumentsOf(machine: Machine, nodes: readonly ts.Expression[], scope: Scope): Value[] {
  const args: Value[] = []
  for (const node of nodes) {
    const value = machine.evaluate(node, scope)
    if (ts.isSpreadElement(node)) {
      const cell = machine.listCell(value)
      if (cell?.items) args.push(...cell.items)
      // A framework's list of handlers is the last of them here.
      else args.push(cell?.element ? maybeThere(machine, cell.element) : value.kind === 'function' ? value : UNKNOWN)
    } else args.push(value)
  }
  return args
}

/** A part of something that is built (a condition of a query), from a list that it may or may not be in. */
const maybeThere = (machine: Machine, element: Value): Value =>
  element.kind === 'foreign' && machine.taints(element).size === 0 ? anyItem(element, []) : element

function call(machine: Machine, node: ts.CallExpression, scope: Scope): Value {
  const callee = unwrap(node.expression)
  const site = machine.site(node, scope)
  if (callee.kind === K.ImportKeyword) {
    const specifier = node.arguments[0] ? machine.evaluate(node.arguments[0], scope) : UNKNOWN
    return specifier.kind === 'const' ? machine.import(String(specifier.value), scope.file) : UNKNOWN
  }
  if (callee.kind === K.SuperKeyword) {
    argumentsOf(machine, node.arguments, scope)
    return UNDEFINED
  }
  if (ts.isPropertyAccessExpression(callee)) {
    const target =
      callee.expression.kind === K.SuperKeyword ? selfOf(scope) : machine.evaluate(callee.expression, scope)
    const args = argumentsOf(machine, node.arguments, scope)
    if (machine.state.dead) return UNKNOWN
    // Date's setters change the object in place.
    if (target.kind === 'time' && callee.name.text.startsWith('set') && ts.isIdentifier(callee.expression)) {
      machine.assign(callee.expression, { kind: 'time', offset: null }, scope)
      return { kind: 'time', offset: null }
    }
    return machine.method(target, callee.name.text, args, site)
  }
  if (ts.isElementAccessExpression(callee)) {
    const target = machine.evaluate(callee.expression, scope)
    const key = keyOf(machine.evaluate(callee.argumentExpression, scope))
    const args = argumentsOf(machine, node.arguments, scope)
    if (key !== null) return machine.method(target, key, args, site)
    return machine.apply(machine.property(target, null, site), args, site)
  }
  const value = machine.evaluate(callee as ts.Expression, scope)
  const args = argumentsOf(machine, node.arguments, scope)
  if (machine.state.dead) return UNKNOWN
  return machine.apply(value, args, site)
}

const unwrap = (node: ts.Expression): ts.Expression => {
  let at = node
  while (ts.isParenthesizedExpression(at) || ts.isNonNullExpression(at) || ts.isAsExpression(at)) at = at.expression
  return at
}

function objectLiteral(machine: Machine, node: ts.ObjectLiteralExpression, scope: Scope): Value {
  const props = new Map<string, Value>()
  let rest: Value | null = null
  for (const property of node.properties) {
    if (ts.isPropertyAssignment(property)) {
      const key = propertyKey(machine, property.name, scope)
      const value = machine.evaluate(property.initializer, scope)
      const several = key === null ? computedKeys(machine, property.name, scope) : []
      // `[task.flag]: true` for one of several columns: each may be the one.
      for (const each of several)
        props.set(
          each,
          altOf([
            { value, facts: [] },
            { value: props.get(each) ?? UNDEFINED, facts: [] },
          ]),
        )
      if (key === null && several.length > 0) continue
      if (key === null)
        rest =
          rest === null
            ? value
            : altOf([
                { value: rest, facts: [] },
                { value, facts: [] },
              ])
      else props.set(key, value)
    } else if (ts.isShorthandPropertyAssignment(property)) {
      props.set(property.name.text, machine.evaluate(property.name, scope))
    } else if (ts.isSpreadAssignment(property)) {
      const value = machine.evaluate(property.expression, scope)
      const spread = spreadInto(machine, props, value)
      if (spread)
        rest =
          rest === null
            ? spread
            : altOf([
                { value: rest, facts: [] },
                { value: spread, facts: [] },
              ])
    } else if (ts.isMethodDeclaration(property)) {
      const key = propertyKey(machine, property.name, scope)
      if (key !== null) props.set(key, { kind: 'function', node: property, scope, self: null })
    }
  }
  return machine.object(props, rest)
}

/** Copies known properties; returns what may stand under other names. */
function spreadInto(machine: Machine, props: Map<string, Value>, value: Value): Value | null {
  if (value.kind === 'const') return null
  if (value.kind === 'alt') {
    // Properties that only some options have may be there: `...(x ? { a } : {})`.
    let rest: Value | null = null
    const names = new Set<string>()
    const cells = value.options.map((option) => ({ option, cell: machine.objectCell(option.value) }))
    for (const { cell } of cells) for (const name of cell?.props.keys() ?? []) names.add(name)
    for (const name of names) {
      props.set(
        name,
        altOf(
          cells.map(({ option, cell }) => ({
            value: cell?.props.get(name) ?? props.get(name) ?? UNDEFINED,
            facts: option.facts,
          })),
        ),
      )
    }
    for (const { option, cell } of cells)
      if (!cell && option.value.kind !== 'const') rest = spreadInto(machine, props, option.value) ?? rest
    return rest
  }
  const cell = machine.objectCell(value)
  if (cell) {
    for (const [name, item] of cell.props) props.set(name, item)
    return cell.rest
  }
  return unknown(machine.taints(value))
}

/** The names that a computed key may have, where they are known. */
function computedKeys(machine: Machine, name: ts.PropertyName, scope: Scope): string[] {
  if (!ts.isComputedPropertyName(name)) return []
  const value = machine.evaluate(name.expression, scope)
  if (value.kind !== 'alt') return []
  const keys = value.options.map((option) => keyOf(option.value))
  return keys.every((key) => key !== null) ? keys : []
}

export function propertyKey(machine: Machine, name: ts.PropertyName, scope: Scope): string | null {
  if (ts.isComputedPropertyName(name)) return keyOf(machine.evaluate(name.expression, scope))
  return ts.isPrivateIdentifier(name) ? name.text : (name as ts.Identifier).text
}

function arrayLiteral(machine: Machine, node: ts.ArrayLiteralExpression, scope: Scope): Value {
  const items: Value[] = []
  let known = true
  let element: Value | null = null
  let like: Value | null = null
  let facts: readonly string[] | null = null
  const add = (value: Value) => {
    element =
      element === null
        ? value
        : altOf([
            { value: element, facts: [] },
            { value, facts: [] },
          ])
  }
  for (const part of node.elements) {
    if (ts.isOmittedExpression(part)) continue
    const value = machine.evaluate(part, scope)
    if (!ts.isSpreadElement(part)) {
      items.push(value)
      add(value)
      facts = []
      continue
    }
    const spread = machine.items(value)
    if (spread === null) continue
    if (spread.items) items.push(...spread.items)
    else known = false
    if (spread.element) {
      add(spread.element)
      facts = facts === null ? spread.facts : facts.filter((fact) => spread.facts.includes(fact))
    }
    if (node.elements.length === 1) like = value
  }
  return machine.list({ items: known ? items : null, element, facts: facts ?? [], like })
}

/** Sets a variable, a property or a pattern. */
export function assignTo(machine: Machine, target: ts.Expression, value: Value, scope: Scope): void {
  const node = unwrap(target)
  if (ts.isIdentifier(node)) {
    const found = lookup(scope, node.text)
    if (!found) {
      const cell = machine.alloc(value)
      scope.names.set(node.text, cell)
      return
    }
    if (found.scope.module && machine.activations.length > 0)
      machine.host.moduleVariable(`${found.scope.file}#${node.text}`, value, machine, machine.site(node, scope))
    write(machine.state, found.cell, value)
    return
  }
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    const object = machine.evaluate(node.expression, scope)
    const key = ts.isPropertyAccessExpression(node)
      ? node.name.text
      : keyOf(machine.evaluate(node.argumentExpression, scope))
    setProperty(machine, object, key, value)
    return
  }
  if (ts.isObjectLiteralExpression(node)) {
    for (const property of node.properties) {
      if (ts.isShorthandPropertyAssignment(property))
        assignTo(
          machine,
          property.name,
          machine.property(value, property.name.text, machine.site(property, scope)),
          scope,
        )
      else if (ts.isPropertyAssignment(property)) {
        const key = propertyKey(machine, property.name, scope)
        assignTo(machine, property.initializer, machine.property(value, key, machine.site(property, scope)), scope)
      }
    }
    return
  }
  if (ts.isArrayLiteralExpression(node)) {
    node.elements.forEach((element, index) => {
      if (!ts.isOmittedExpression(element))
        assignTo(machine, element, machine.property(value, String(index), machine.site(element, scope)), scope)
    })
  }
}

export function setProperty(machine: Machine, object: Value, key: string | null, value: Value): void {
  if (object.kind === 'alt') {
    for (const option of object.options) setProperty(machine, option.value, key, value)
    return
  }
  if (object.kind === 'object') {
    const cell = machine.objectCell(object)
    if (!cell) return
    if (key === null) {
      const rest =
        cell.rest === null
          ? value
          : altOf([
              { value: cell.rest, facts: [] },
              { value, facts: [] },
            ])
      write(machine.state, object.cell, { ...cell, rest })
      return
    }
    const props = new Map(cell.props)
    props.set(key, value)
    write(machine.state, object.cell, { ...cell, props })
    return
  }
  if (object.kind === 'list' && key !== 'length') {
    const cell = machine.listCell(object)
    if (!cell) return
    const element =
      cell.element === null
        ? value
        : altOf([
            { value: cell.element, facts: [] },
            { value, facts: [] },
          ])
    write(machine.state, object.cell, { ...cell, items: null, element, like: null })
  }
}
