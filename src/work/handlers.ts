import type { BodyValue } from '../model/index.js'
import { columnOf, rowOf } from '../clients/results.js'
import {
  UNKNOWN,
  altOf,
  constant,
  instantiate,
  joinStates,
  fork,
  read,
  unknown,
  type Machine,
  type Modules,
  type Site,
  type Value,
} from '../typescript/index.js'
import type { Routes } from './routes.js'

const FROM_REQUEST = new Set(['request'])

/** The request's body as the dispatching SQL made it; `id` numbers the rows that stand in it. */
export function bodyOf(machine: Machine, body: BodyValue, id: number, depth = 0): Value {
  if (depth > 8) return UNKNOWN
  switch (body.kind) {
    case 'literal':
      return constant(body.value)
    case 'object':
      return machine.object(
        Object.entries(body.fields).map(([name, value]) => [name, bodyOf(machine, value, id, depth + 1)] as const),
      )
    case 'array': {
      const items = body.items.map((item) => bodyOf(machine, item, id, depth + 1))
      return machine.list({
        items,
        element: items.length > 0 ? altOf(items.map((value) => ({ value, facts: [] }))) : null,
      })
    }
    case 'column':
      return columnOf(id, body.column)
    case 'row':
      return rowOf(id)
    case 'rows':
      return machine.list({ element: bodyOf(machine, body.element, id, depth + 1) })
    case 'unknown':
      return unknown(FROM_REQUEST)
  }
}

/** Handlers that were registered, with the file that did so. */
export type Registered = readonly { readonly file: string; readonly handler: Value }[]

/**
 * The handlers that an entry file registers or exports, and those of the routers in the files that it imports.
 * `known`: those that earlier calls found, by entry.
 */
export function handlersOf(
  machine: Machine,
  modules: Modules,
  entry: string,
  registered: Registered,
  routes: Routes,
  known: Map<string, readonly Value[]>,
): readonly Value[] {
  const before = known.get(entry)
  if (before) return before
  // A module is set up outside of whatever is running now.
  const activations = machine.activations.splice(0)
  const { loops, calls } = machine
  machine.loops = []
  machine.calls = []
  const first = registered.length
  const instance = instantiate(machine, modules, entry)
  machine.activations.push(...activations)
  machine.loops = loops
  machine.calls = calls
  if (!instance) return []
  const added = registered.slice(first)
  const own = added.filter(({ file, handler }) => file === entry || routes.has(handler))
  const handlers = own.map((each) => each.handler)
  const cell = instance.exports.get('default')
  const site: Site = { node: null as never, file: entry, calls: [], loops: [], variants: [] }
  if (cell !== undefined) {
    const value = readCell(machine, cell)
    if (value?.kind === 'function') handlers.push(value)
    else if (value?.kind === 'object') {
      const fetch = machine.property(value, 'fetch', site)
      if (fetch.kind === 'function') handlers.push(fetch)
    }
  }
  // An entry file that only imports the one that serves
  const found = handlers.length > 0 ? handlers : added.map((each) => each.handler)
  known.set(entry, found)
  return found
}

function readCell(machine: Machine, cell: number): Value | null {
  const value = read(machine.state, cell)
  return value === undefined || value.kind.endsWith('-cell') ? null : (value as Value)
}

/** Runs each handler on a path of its own, with the request. A handler that throws answers 500: its caller goes on. */
export function runHandlers(machine: Machine, handlers: readonly Value[], request: Value, site: Site): Value {
  const base = machine.state
  const ends: (typeof base)[] = [fork(base)]
  const results: Value[] = []
  machine.tries.push({ thrown: [], last: null })
  for (const handler of handlers) {
    machine.state = fork(base)
    results.push(machine.apply(handler, [request, UNKNOWN, UNKNOWN], site))
    ends.push(machine.state)
  }
  machine.tries.pop()
  machine.state = joinStates(ends)
  return results.length === 0 ? UNKNOWN : altOf(results.map((value) => ({ value, facts: [] })))
}
