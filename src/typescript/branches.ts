import { ts } from './ts.js'
import type { Machine } from './machine.js'
import { assume, fork, joinStates, type State } from './state.js'
import { truthFacts } from './truth.js'
import { UNKNOWN, altOf, type Fact, type Option, type Scope, type Value } from './value.js'

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

/** Assumes that a value is truthy (or falsy) on a state of its own; null where it cannot be. */
export function truthOf(machine: Machine, value: Value, wanted: boolean, state: State): readonly Fact[] | null {
  const before = machine.state
  machine.state = state
  const facts = truthFacts(value, wanted, machine)
  if (facts) assume(state, facts)
  machine.state = before
  return facts === null || state.dead ? null : facts
}
