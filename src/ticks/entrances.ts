import type { Location } from '../model/index.js'
import {
  findSenders,
  findTriggers,
  runTriggerRoutine,
  text,
  type Database,
  type Send,
  type Trigger,
} from '../database/index.js'
import { addressesOf, type AddressBook } from './address.js'

/** A trigger that calls an edge function: one more entrance to what a tick may call too. */
export interface Entrance {
  readonly function: string
  readonly table: string
  /** The trigger. */
  readonly location: Location
  readonly via: readonly string[]
}

/** The triggers that call edge functions: database webhooks (`supabase_functions.http_request`) and functions that send requests. */
export function findEntrances(
  database: Database,
  functions: readonly { readonly name: string }[],
): readonly Entrance[] {
  const book: AddressBook = { functions: new Set(functions.map((each) => each.name)), job: null }
  const runs = new Map<string, readonly Send[]>()
  const triggers = findTriggers(database)
  const senders = triggers.length > 0 ? findSenders(database) : new Set<string>()
  return triggers.flatMap((trigger) =>
    targetsOf(database, trigger, senders, runs).flatMap(({ url, via }) =>
      addressesOf(url, book).flatMap((address): Entrance[] =>
        address.function !== null && address.assumed === undefined
          ? [{ function: address.function, table: trigger.table, location: trigger.location, via }]
          : [],
      ),
    ),
  )
}

function targetsOf(
  database: Database,
  trigger: Trigger,
  senders: ReadonlySet<string>,
  runs: Map<string, readonly Send[]>,
): Pick<Send, 'url' | 'via'>[] {
  const { routine, routineSchema, location } = trigger
  if (routine === 'http_request' && routineSchema === 'supabase_functions')
    return [{ url: text(trigger.arguments[0] ?? ''), via: [] }]
  if (!senders.has(routine)) return []
  const key = `${routineSchema}.${routine}`
  const known = runs.get(key)
  if (known) return [...known]
  const sends = runTriggerRoutine(database, routine, routineSchema, location)
  runs.set(key, sends)
  return [...sends]
}
