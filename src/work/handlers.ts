import type { BodyValue } from '../model/index.js'
import { columnOf, rowOf } from '../clients/results.js'
import {
  UNKNOWN,
  altOf,
  constant,
  foreign,
  instantiate,
  joinStates,
  fork,
  read,
  unknown,
  type Foreign,
  type ForeignData,
  type Machine,
  type Modules,
  type Site,
  type Value,
} from '../typescript/index.js'

/** The request that a handler is given; a framework's context answers for it too. */
export type RequestData = ForeignData & {
  readonly type: 'request'
  readonly body: Value
  readonly method: string | null
}

export const isRequest = (value: Foreign): value is Foreign & { data: RequestData } => value.data.type === 'request'
export const requestValue = (body: Value, method: string | null): Foreign =>
  foreign({ type: 'request', body, method } as RequestData)

const FROM_REQUEST = new Set(['request'])

export function requestProperty(value: Foreign & { data: RequestData }, name: string | null): Value {
  if (name === 'req' || name === 'request' || name === 'raw') return value
  if (name === 'method' && value.data.method !== null) return constant(value.data.method)
  if (name === 'body') return value.data.body
  return unknown(FROM_REQUEST)
}

export function requestMethod(
  value: Foreign & { data: RequestData },
  name: string,
  args: readonly Value[],
): Value | undefined {
  if (args.length === 0 && (name === 'json' || name === 'text' || name === 'formData' || name === 'parseBody'))
    return name === 'text' ? { kind: 'json', of: value.data.body } : value.data.body
  if (args.length === 0 && name === 'clone') return value
  if (name === 'get' || name === 'query' || name === 'param' || name === 'header') return unknown(FROM_REQUEST)
  return undefined
}

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

/** The handlers that a module registered or exports. */
export function handlersOf(
  machine: Machine,
  modules: Modules,
  entry: string,
  registered: Map<string, Value[]>,
): Value[] {
  registered.set(entry, registered.get(entry) ?? [])
  // A module is set up outside of whatever is running now.
  const activations = machine.activations.splice(0)
  const loops = machine.loops.splice(0)
  const calls = machine.calls.splice(0)
  const instance = instantiate(machine, modules, entry)
  machine.activations.push(...activations)
  machine.loops.push(...loops)
  machine.calls.push(...calls)
  if (!instance) return []
  const handlers = [...(registered.get(entry) ?? [])]
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
  return handlers
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
