import type { EvaluatedArgument } from './machine.js'
import type { Value } from './value.js'

/** Arguments by parameter name: those passed by name, and those by position. */
export function byName(args: readonly EvaluatedArgument[], names: readonly string[]): ReadonlyMap<string, Value> {
  const found = new Map<string, Value>()
  for (const [index, { name, value }] of args.entries()) {
    const key = name ?? names[index]
    if (key !== undefined) found.set(key, value)
  }
  return found
}
