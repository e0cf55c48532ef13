import { dataOf } from '../clients/results.js'
import { EMPTY_DRAFT } from '../clients/statement.js'
import { placeOf, type Machine, type Site, type Value } from '../typescript/index.js'
import type { Recorder } from './recorder.js'
import { noteSent } from './sent.js'

/**
 * A key in a store outside that is set only if it is not there (`redis.set(key, …, { nx: true })`): like an insert under a
 * unique key, its answer says who was first (domain 5.4 S18).
 */
export function externalLock(
  recorder: Recorder,
  path: readonly string[],
  args: readonly Value[],
  machine: Machine,
  site: Site,
): Value | null {
  const method = path[path.length - 1]?.toLowerCase()
  if (method !== 'set' && method !== 'setnx') return null
  const words = args.flatMap((arg) =>
    arg.kind === 'const' && typeof arg.value === 'string' ? [arg.value.toLowerCase()] : [],
  )
  const option = args.some((arg) => {
    const nx = machine.objectCell(arg)?.props
    return ['nx', 'NX'].some(
      (name) => nx?.get(name)?.kind === 'const' && (nx.get(name) as { value: unknown }).value === true,
    )
  })
  if (method !== 'setnx' && !option && !words.slice(1).includes('nx')) return null
  const location = placeOf(site)
  const statement = noteSent(
    recorder,
    {
      ...EMPTY_DRAFT,
      kind: 'call',
      result: 'answer',
      answer: {
        kind: 'insert',
        insert: { table: 'a key of the store', columns: ['key'], onConflict: 'nothing', location, outside: true },
      },
    },
    site,
    args[0] ? machine.taints(args[0]) : new Set(),
    machine,
    true,
  )
  return dataOf(statement.id, 'answer', null)
}
