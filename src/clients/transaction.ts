import { UNKNOWN, assume, forget, type Machine, type Site, type Value } from '../typescript/index.js'

let transactions = 0

/**
 * Runs what happens within one transaction: a fact holds for so long, by which a lock that is taken inside is known to last
 * over the work inside.
 */
export function inTransaction(fn: Value | undefined, inner: Value, machine: Machine, site: Site): Value {
  if (!fn) return UNKNOWN
  transactions += 1
  const fact = `x${transactions}`
  assume(machine.state, [fact])
  const result = machine.await(machine.apply(fn, [inner], site), site)
  forget(machine.state, (known) => known === fact)
  return result
}

export const isRepeatable = (level: string): boolean => /repeatable read|serializable/i.test(level)
