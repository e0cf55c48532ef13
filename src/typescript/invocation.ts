import { ts } from './ts.js'
import { selfOf, keyOf } from './names.js'
import { unwrap } from './assignment.js'
import { superCall, superMember } from './classes.js'
import type { Machine } from './machine.js'
import { UNDEFINED, UNKNOWN, anyItem, type Scope, type Value } from './value.js'

const K = ts.SyntaxKind

/** The arguments of a call; what a spread list of unknown length gives may not be there. */
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

/** `f(…)`, `a.f(…)`, `a?.f(…)`: the callee is evaluated first, then the arguments, then it runs. */
export function call(machine: Machine, node: ts.CallExpression, scope: Scope): Value {
  const callee = unwrap(node.expression)
  const site = machine.site(node, scope)
  if (callee.kind === K.ImportKeyword) {
    const specifier = node.arguments[0] ? machine.evaluate(node.arguments[0], scope) : UNKNOWN
    return specifier.kind === 'const' ? machine.import(String(specifier.value), scope.file) : UNKNOWN
  }
  if (callee.kind === K.SuperKeyword) {
    superCall(machine, argumentsOf(machine, node.arguments, scope), scope, site)
    return UNDEFINED
  }
  if (ts.isPropertyAccessExpression(callee)) {
    const inherited = callee.expression.kind === K.SuperKeyword && superMember(machine, callee.name.text, scope, site)
    if (inherited) return machine.apply(inherited, argumentsOf(machine, node.arguments, scope), site)
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
