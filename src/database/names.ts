import type { Frame, Scope } from './machine.js'
import { field } from './contents.js'
import { UNKNOWN, type Value } from './value.js'

/** The value of a dotted name: a column of the tables in sight, a variable, a field of either. */
export function lookUp(frame: Frame, parts: readonly string[]): Value {
  const [first = '', second] = parts
  if (second === undefined) {
    return (
      inScopes(frame.scope, (scope) => knownColumn(scope, first)) ??
      frame.variables.get(first) ??
      inScopes(frame.scope, (scope) => openColumn(scope, first)) ??
      UNKNOWN
    )
  }
  const named = (alias: string): Value | undefined =>
    inScopes(frame.scope, (scope) => scope.bindings.find((each) => each.alias === alias)?.row)
  const rest = parts.slice(1)
  const base = named(first) ?? frame.variables.get(first)
  if (base) return rest.reduce((value, name) => field(value, name), base)
  // schema.table.column, routine.parameter
  const inner = parts.length > 2 ? named(second) : undefined
  if (inner) return parts.slice(2).reduce((value, name) => field(value, name), inner)
  if (frame.routine?.name === first) return frame.variables.get(second) ?? UNKNOWN
  return UNKNOWN
}

function inScopes(scope: Scope | null, find: (scope: Scope) => Value | undefined): Value | undefined {
  for (let at = scope; at; at = at.outer) {
    const found = find(at)
    if (found) return found
  }
  return undefined
}

function knownColumn(scope: Scope, name: string): Value | undefined {
  for (const { alias, row, scalar } of scope.bindings) {
    const found = row.fields.get(name)
    if (found) return found
    if (alias === name) return scalar ? ([...row.fields.values()][0] ?? row) : row
  }
  return undefined
}

function openColumn(scope: Scope, name: string): Value | undefined {
  const open = scope.bindings.find((binding) => binding.row.open)
  return open && field(open.row, name)
}
