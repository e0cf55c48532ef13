import type { Dispatch, DispatchRows, FunctionWork, Handoff, Location, Reason, WorkLoop } from '../model/index.js'
import { EMPTY_DRAFT, type Statement } from '../clients/statement.js'
import {
  TooLarge,
  UNKNOWN,
  createMachine,
  fork,
  unknown,
  type Machine,
  type Modules,
  type Site,
  type Value,
} from '../typescript/index.js'
import type { WorkContext } from './context.js'
import { bodyOf, runHandlers } from './handlers.js'
import { requestValue, urlOfDispatch } from './incoming.js'
import { handoffsOf } from './handoffs.js'
import { createHost } from './host.js'
import { loopsOf } from './loops.js'
import { createRecorder, type Recorder } from './recorder.js'

/** One way in which a function is entered: by a tick's request, or (null) by another function. */
export type Entrance = Dispatch | null

const BODY_ROWS = 1_000_000
const MOST_ENTRANCES = 6

/** Follows the rows through one edge function, once for each different request that ticks send it. */
export function analyseFunction(
  name: string,
  entry: string,
  entrances: readonly Entrance[],
  context: WorkContext,
  freshModules: () => Modules,
): FunctionWork {
  const loops: WorkLoop[] = []
  const unknowns: Reason[] = []
  const handoffs: Handoff[] = []
  const calls = new Set<string>()
  for (const entrance of different(entrances, name).slice(0, MOST_ENTRANCES)) {
    const found = analyseEntrance(name, entry, entrance, context, freshModules())
    for (const loop of found.loops) addLoop(loops, loop)
    for (const reason of found.unknowns)
      if (!unknowns.some((known) => known.message === reason.message)) unknowns.push(reason)
    handoffs.push(...found.handoffs)
    found.calls.forEach((call) => calls.add(call))
  }
  return { name, loops, handoffs, unknowns, calls: [...calls].sort() }
}

/** Requests that say the same thing lead the same way. */
function different(entrances: readonly Entrance[], name: string): Entrance[] {
  const seen = new Set<string>()
  return entrances.filter((entrance) => {
    const key =
      entrance === null
        ? ''
        : JSON.stringify([
            entrance.body,
            entrance.method,
            urlOfDispatch(entrance.url, name),
            entrance.fanout,
            entrance.rows?.taking?.soundness ?? null,
            entrance.rows?.table ?? null,
          ])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** The same loop, entered in another way: it is as bad as its worst run. */
function addLoop(loops: WorkLoop[], loop: WorkLoop): void {
  const at = loops.findIndex(
    (other) =>
      other.location.file === loop.location.file &&
      other.location.startLine === loop.location.startLine &&
      other.location.startColumn === loop.location.startColumn,
  )
  if (at < 0) loops.push(loop)
  else if (loops[at]!.effects.every((effect) => effect.ownedBy !== null)) loops[at] = loop
}

function analyseEntrance(
  name: string,
  entry: string,
  entrance: Entrance,
  context: WorkContext,
  modules: Modules,
): FunctionWork {
  const recorder = createRecorder()
  const bodies = new Map<number, DispatchRows>()
  const host = createHost(context, recorder, modules)
  const machine = createMachine(host, modules)
  const unknowns: Reason[] = []
  const place: Location = { file: entry, startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 }
  try {
    const method = entrance === null ? null : entrance.method
    const url = entrance === null ? null : urlOfDispatch(entrance.url, name)
    const all = host.handlers(machine, modules, entry, requestValue(UNKNOWN, method, url))
    for (const problem of modules.problems) unknowns.push(problem)
    if (all.length === 0 && unknowns.length === 0)
      unknowns.push({
        message: 'no request handler was found in its entry file (Deno.serve, serve, or a default export)',
        location: place,
      })
    const site: Site = {
      node: all[0]?.kind === 'function' ? all[0].node : (null as never),
      file: entry,
      calls: [],
      loops: [],
      variants: [],
    }
    const body = requestBody(machine, entrance, recorder, bodies, site)
    machine.state = fork(machine.state)
    machine.state.dead = false
    if (all.length > 0) runHandlers(machine, all, requestValue(body, method, url), site)
  } catch (error) {
    if (!(error instanceof TooLarge) && !(error instanceof RangeError)) throw error
    unknowns.push({ message: 'too large to follow to its end', location: place })
  }
  const found = loopsOf(name, recorder, bodies, entrance?.fanout ? entrance.location : null, context, machine)
  const handoffs = found.loops.length === 0 ? handoffsOf(recorder, bodies, context, machine) : []
  return { name, loops: found.loops, handoffs, unknowns: [...unknowns, ...found.unknowns], calls: [...host.callees] }
}

/** The body of the request; rows that the SQL put in it stand under a number of their own. */
function requestBody(
  machine: Machine,
  entrance: Entrance,
  recorder: Recorder,
  bodies: Map<number, DispatchRows>,
  site: Site,
): Value {
  if (entrance === null) return unknown(new Set(['request']))
  if (entrance.rows) {
    const { rows } = entrance
    bodies.set(BODY_ROWS, rows)
    const statement: Statement = {
      ...EMPTY_DRAFT,
      id: BODY_ROWS,
      sent: true,
      table: rows.table,
      where: rows.taking?.where ?? rows.pick?.where ?? null,
      limit: limitOf(rows),
      location: rows.taking?.location ?? rows.pick?.location ?? entrance.location,
      site,
      taints: new Set(),
      facts: new Set(),
      keys: [],
    }
    recorder.statements.set(BODY_ROWS, statement)
  }
  return entrance.body.kind === 'unknown' && !entrance.rows ? UNKNOWN_BODY : bodyOf(machine, entrance.body, BODY_ROWS)
}

const UNKNOWN_BODY: Value = unknown(new Set(['request']))

function limitOf(rows: DispatchRows): number | null {
  const limit = rows.taking?.limit ?? rows.pick?.limit
  return limit?.kind === 'literal' && typeof limit.value === 'number' ? limit.value : null
}
