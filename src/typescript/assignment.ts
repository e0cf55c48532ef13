import { ts } from './ts.js'
import { lookup, keyOf } from './names.js'
import { propertyKey } from './literals.js'
import type { Machine } from './machine.js'
import { write } from './state.js'
import { joinMaybe, type Scope, type Value } from './value.js'

/** The expression within parentheses, casts and `!`. */
export const unwrap = (node: ts.Expression): ts.Expression => {
  let at = node
  while (ts.isParenthesizedExpression(at) || ts.isNonNullExpression(at) || ts.isAsExpression(at)) at = at.expression
  return at
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

/** Sets a property of an object or an item of a list; `key` null: one of them, which is not known. */
export function setProperty(machine: Machine, object: Value, key: string | null, value: Value): void {
  if (object.kind === 'alt') {
    for (const option of object.options) setProperty(machine, option.value, key, value)
    return
  }
  if (object.kind === 'object') {
    const cell = machine.objectCell(object)
    if (!cell) return
    if (key === null) {
      const rest = joinMaybe(cell.rest, value)
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
    const element = joinMaybe(cell.element, value)
    write(machine.state, object.cell, { ...cell, items: null, element, like: null })
  }
}
