import type { Machine } from './machine.js'
import { assume, deadEnd, fork, joinStates, type State } from './state.js'
import { UNDEFINED, UNKNOWN, altOf, contrary, type Alt, type Option, type Value } from './value.js'

/**
 * Runs `act` for each option that can be, each on a path of its own. Options of which nothing is known are passed over
 * where another is known: `client ?? makeClient()` is that client.
 */
export function eachOption(machine: Machine, value: Alt, act: (option: Value) => Value): Value {
  const possible = value.options.filter(
    (option) =>
      !(option.value.kind === 'const' && option.value.value == null) &&
      !option.facts.some((fact) => machine.state.facts.has(contrary(fact))),
  )
  const used = possible.some((option) => isService(option.value, machine))
    ? possible.filter((option) => option.value.kind !== 'unknown')
    : possible
  if (used.length === 0) return UNDEFINED
  if (used.length === 1 && value.options.length === 1) return act(used[0]!.value)
  const base = machine.state
  const ends: State[] = []
  const results: Option[] = []
  used.forEach((option, index) => {
    machine.state = fork(base)
    assume(machine.state, option.facts)
    if (machine.state.dead) return
    const result = used.length > 1 ? machine.variant(100 + index, () => act(option.value)) : act(option.value)
    if (machine.state.dead) return
    results.push({ value: result, facts: mergeOwn(machine, base, option.facts) })
    ends.push(machine.state)
  })
  if (ends.length === 0) {
    machine.state = deadEnd(base)
    return UNKNOWN
  }
  const nothing = value.options.filter((option) => option.value.kind === 'const' && option.value.value == null)
  if (nothing.length > 0) {
    // `rows?.map(…)`: where there is nothing, nothing happens.
    const without = fork(base)
    ends.push(without)
    for (const option of nothing) results.push({ value: UNDEFINED, facts: option.facts })
  }
  machine.state = joinStates(ends)
  return altOf(results)
}

/** Something that is there to be called, rather than data: a client, a package, a function. */
const isService = (value: Value, machine: Machine): boolean =>
  value.kind === 'function' ||
  value.kind === 'class' ||
  value.kind === 'external' ||
  (value.kind === 'foreign' && machine.taints(value).size === 0)

const mergeOwn = (machine: Machine, base: State, facts: readonly string[]): readonly string[] => [
  ...new Set([...facts, ...[...machine.state.facts].filter((fact) => !base.facts.has(fact))]),
]
