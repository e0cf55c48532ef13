import { ts } from './ts.js'
import { keyOf } from './names.js'
import type { Machine } from './machine.js'
import { UNDEFINED, altOf, joinMaybe, unknown, type Scope, type Value } from './value.js'

/** `{ a, b: 1, ...c }` */
export function objectLiteral(machine: Machine, node: ts.ObjectLiteralExpression, scope: Scope): Value {
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
      if (key === null) rest = joinMaybe(rest, value)
      else props.set(key, value)
    } else if (ts.isShorthandPropertyAssignment(property)) {
      props.set(property.name.text, machine.evaluate(property.name, scope))
    } else if (ts.isSpreadAssignment(property)) {
      const value = machine.evaluate(property.expression, scope)
      const spread = spreadInto(machine, props, value)
      if (spread) rest = joinMaybe(rest, spread)
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

/** The name of a property as it is written, or as its expression gives it; null: not known. */
export function propertyKey(machine: Machine, name: ts.PropertyName, scope: Scope): string | null {
  if (ts.isComputedPropertyName(name)) return keyOf(machine.evaluate(name.expression, scope))
  return ts.isPrivateIdentifier(name) ? name.text : (name as ts.Identifier).text
}

/** `[a, ...b]` */
export function arrayLiteral(machine: Machine, node: ts.ArrayLiteralExpression, scope: Scope): Value {
  const items: Value[] = []
  let known = true
  let element: Value | null = null
  let like: Value | null = null
  let facts: readonly string[] | null = null
  const add = (value: Value) => {
    element = joinMaybe(element, value)
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
