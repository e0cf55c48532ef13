import type { EffectMatch, Reason } from '../model/index.js'
import { statementOf } from '../clients/statement.js'
import type { Request } from '../clients/postgrest.js'
import {
  UNKNOWN,
  constant,
  eachOption,
  foreign,
  noteThrow,
  placeOf,
  textOfNode,
  unite,
  unknown,
  type Machine,
  type Modules,
  type Site,
  type Value,
} from '../typescript/index.js'
import type { WorkContext } from './context.js'
import { handlersOf, runHandlers } from './handlers.js'
import { isStable, keyOfRequest } from './idempotency.js'
import { askedOf, requestValue, seenUrl, type Incoming } from './incoming.js'
import { walkedTaints, type Recorder } from './recorder.js'
import { propsOf, routeOf } from './requests.js'
import type { ResponseData } from './responses.js'
import { createRoutes, type Routes } from './routes.js'
import { sendQuery } from './send.js'

/** What a call can turn out to be; each writes to the recorder what it did, and gives the value that it returns. */
export interface Acts {
  readonly routes: Routes
  /** Functions of the project that were called. */
  readonly callees: Set<string>
  /** The handlers of an entry file that a request reaches. */
  handlers(machine: Machine, modules: Modules, entry: string, request: Incoming): readonly Value[]
  /** Handlers for requests: functions, or objects that have one. */
  register(args: readonly Value[], site: Site, machine: Machine): void
  /** An external effect; `timeoutSeconds`: the time limit that stands in the code. */
  effect(
    match: EffectMatch,
    args: readonly Value[],
    key: Value | null,
    timeoutSeconds: number | null,
    machine: Machine,
    site: Site,
  ): Value
  /** A call that cannot be followed. */
  lost(reason: Reason, args: readonly Value[], machine: Machine, site: Site): void
  /** `functions.invoke(name, { body })`. */
  invoke(args: readonly Value[], machine: Machine, site: Site): Value
  /** An HTTP request, to wherever it goes. */
  request(asked: Request, machine: Machine, site: Site): Value
}

export function createActs(context: WorkContext, recorder: Recorder, modules: Modules): Acts {
  const registered: { file: string; handler: Value }[] = []
  const known = new Map<string, readonly Value[]>()
  const routes = createRoutes()
  const callees = new Set<string>()

  const handlers: Acts['handlers'] = (machine, modulesOf, entry, request) =>
    routes.reached(handlersOf(machine, modulesOf, entry, registered, routes, known), askedOf(request))

  const effect: Acts['effect'] = (match, args, key, timeoutSeconds, machine, site) => {
    noteThrow(machine)
    const taints = unite(args.map((arg) => machine.taints(arg)))
    recorder.events.push({
      kind: 'effect',
      match,
      site,
      walked: walkedTaints(machine, site),
      taints,
      facts: machine.state.facts,
      seen: machine.state.seen,
      key,
      keyTaints: key ? machine.taints(key) : new Set(),
      keyStable: key !== null && isStable(key),
      timeoutSeconds,
    })
    return unknown(taints)
  }

  const lost: Acts['lost'] = (reason, args, machine, site) => {
    recorder.events.push({
      kind: 'lost',
      reason,
      site,
      walked: walkedTaints(machine, site),
      taints: unite(args.map((arg) => machine.taints(arg))),
      facts: machine.state.facts,
    })
  }

  /** Calls another function of the project: what it does happens here, with the body that it is sent. */
  const callFunction = (name: Value, body: Value, machine: Machine, site: Site): Value => {
    if (name.kind === 'alt') return eachOption(machine, name, (option) => callFunction(option, body, machine, site))
    if (name.kind !== 'const') {
      lost(
        {
          message: `calls an edge function whose name is not known here: ${textOfNode(site.node)}`,
          location: placeOf(site),
        },
        [body],
        machine,
        site,
      )
      return UNKNOWN
    }
    const address = String(name.value).replace(/^\//, '')
    const slug = address.split(/[/?]/)[0] ?? ''
    callees.add(slug)
    const entry = context.entry(slug)
    if (entry === null) {
      lost(
        { message: `calls the edge function ${slug}, whose source is not there`, location: placeOf(site) },
        [body],
        machine,
        site,
      )
      return UNKNOWN
    }
    if (machine.calls.filter((call) => call.targetFile === entry).length > 0 || machine.calls.length > 10)
      return UNKNOWN
    noteThrow(machine)
    // Where no row drives the call, what the callee does is its own work, and its own verdict speaks of it.
    const driven = [machine.taints(body), ...walkedTaints(machine, site)].some((taints) =>
      [...taints].some((taint) => statementOf(taint) !== null),
    )
    if (!driven) return UNKNOWN
    const walked = walkedTaints(machine, site)
    recorder.events.push({ kind: 'handoff', site, walked, taints: machine.taints(body), facts: machine.state.facts })
    const request = requestValue(body, 'POST', seenUrl(address))
    const reached = handlers(machine, context.modulesFor(slug, modules), entry, request)
    for (const handler of reached) if (handler.kind === 'function') recorder.boundaries.add(handler.node)
    return runHandlers(machine, reached, request, site)
  }

  const request: Acts['request'] = (asked, machine, site) => {
    const route = routeOf(asked, machine)
    switch (route.kind) {
      case 'database': {
        noteThrow(machine)
        const statement = sendQuery(context, recorder, route.query, machine)
        return foreign({ type: 'response', statement: statement.id } as ResponseData)
      }
      case 'function': {
        const body = route.body?.kind === 'json' ? route.body.of : (route.body ?? UNKNOWN)
        return callFunction(route.name, body, machine, site)
      }
      case 'own':
        return UNKNOWN
      case 'outside': {
        const match = context.effects.matchRequest({
          method: route.method ?? 'POST',
          host: route.host,
          path: route.path,
        })
        const args = [asked.url, ...(asked.body ? [asked.body] : []), ...asked.headers.values()]
        const taints = unite(args.map((arg) => machine.taints(arg)))
        if (match === 'read' || match === 'none') {
          noteThrow(machine)
          return unknown(taints)
        }
        const named: EffectMatch =
          match.unknownHost && route.host === null && route.variable !== null
            ? { ...match, title: `write to the address in ${route.variable}` }
            : match
        return effect(
          named,
          args,
          keyOfRequest(match.idempotency, asked.headers, asked.body, machine),
          asked.timeoutSeconds,
          machine,
          site,
        )
      }
    }
  }

  const invoke: Acts['invoke'] = (args, machine, site) => {
    const options = args[1] ? propsOf(args[1], machine) : new Map<string, Value>()
    const body = options.get('body')
    return callFunction(
      args[0] ?? UNKNOWN,
      body?.kind === 'json' ? body.of : (body ?? constant(undefined)),
      machine,
      site,
    )
  }

  function register(args: readonly Value[], site: Site, machine: Machine): void {
    const add = (value: Value): void => {
      if (value.kind === 'function') registered.push({ file: site.file, handler: value })
      else if (value.kind === 'alt') for (const option of value.options) add(option.value)
    }
    for (const arg of args)
      if (arg.kind === 'object') for (const name of ['handler', 'fetch']) add(machine.property(arg, name, site))
      else add(arg)
  }

  return { routes, callees, handlers, register, effect, lost, invoke, request }
}
