import { ts } from './ts.js'
import type { Machine } from './machine.js'
import { read } from './state.js'
import { UNDEFINED, UNKNOWN, type Scope, type Value } from './value.js'

/** What `this` is. */
export function selfOf(scope: Scope): Value {
  for (let at: Scope | null = scope; at; at = at.parent) if (at.self) return at.self
  return UNKNOWN
}

/** The cell of a name, and the scope that holds it; null: no scope does. */
export function lookup(scope: Scope, name: string): { cell: number; scope: Scope } | null {
  for (let at: Scope | null = scope; at; at = at.parent) {
    const cell = at.names.get(name)
    if (cell !== undefined) return { cell, scope: at }
  }
  return null
}

/** The value of a name; one that no scope holds is something of the runtime. */
export function readName(machine: Machine, node: ts.Identifier, scope: Scope): Value {
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
