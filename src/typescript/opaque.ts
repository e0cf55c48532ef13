import { callback } from './lists.js'
import type { Machine, Site } from './machine.js'
import { fork, joinStates } from './state.js'
import { altOf, unite, unknown, type Value } from './value.js'

/** Something that may or may not happen. */
export function maybe(machine: Machine, act: () => Value): Value {
  const base = machine.state
  machine.state = fork(base)
  const value = act()
  machine.state = joinStates([base, machine.state])
  return value
}

/** A call of which nothing is known: functions among its arguments may be called, and its value comes from all of them. */
export function opaqueCall(machine: Machine, from: readonly Value[], args: readonly Value[], site: Site): Value {
  const taints = unite(from.map((value) => machine.taints(value)))
  const results: Value[] = []
  const run = (value: Value) => {
    if (value.kind === 'function')
      results.push(maybe(machine, () => callback(machine, value, [unknown(taints), unknown(taints)], site)))
    else if (value.kind === 'object')
      for (const inner of machine.objectCell(value)?.props.values() ?? []) if (inner.kind === 'function') run(inner)
  }
  for (const arg of args) run(arg)
  const telling = results.filter((value) => value.kind !== 'const' && value.kind !== 'unknown')
  if (telling.length > 0)
    return altOf([...telling.map((value) => ({ value, facts: [] })), { value: unknown(taints), facts: [] }])
  return unknown(unite([taints, ...results.map((value) => machine.taints(value))]))
}
