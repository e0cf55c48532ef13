import type { Fault } from './audit.js'
import type { Database } from './database/index.js'
import { CATALOGUE, extendCatalogue, latencyOf, matchCall, matchRequest } from './effects/index.js'
import { databaseFacts } from './facts.js'
import type { FunctionWork, Reason, Tick } from './model/index.js'
import type { FollowOptions } from './options.js'
import type { Project } from './project/index.js'
import type { Entrance } from './work/index.js'

/** One function that a tick reaches, straight or through another function. */
export interface Reached {
  readonly work: FunctionWork
  readonly entry: string | null
  readonly ticks: readonly Tick[]
  readonly calledBy: readonly string[]
}

/** Follows each function that an active tick reaches, then those that they call. Nothing is loaded where there is none. */
export async function followFunctions(
  project: Project,
  database: Database,
  ticks: readonly Tick[],
  faults: Fault[],
  options: FollowOptions,
): Promise<Map<string, Reached>> {
  const reached = new Map<string, Reached>()
  const active = ticks.filter((tick) => tick.active)
  const dispatched = new Map<string, { ticks: Tick[]; entrances: Entrance[] }>()
  for (const tick of active)
    for (const dispatch of tick.dispatches) {
      if (dispatch.function === null) continue
      const entry = dispatched.get(dispatch.function) ?? { ticks: [], entrances: [] }
      if (!entry.ticks.includes(tick)) entry.ticks.push(tick)
      entry.entrances.push(dispatch)
      dispatched.set(dispatch.function, entry)
    }
  if (dispatched.size === 0) return reached
  options.onProgress?.('loading TypeScript')
  const follower = await createFollower(project, database, options)
  const entries = new Map(project.functions.map((each) => [each.name, each]))
  const queue = [...dispatched].map(([name, { ticks: its, entrances }]) => ({
    name,
    its,
    entrances,
    calledBy: [] as string[],
  }))
  queue.sort((a, b) => (a.name < b.name ? -1 : 1))
  const queued = new Set(dispatched.keys())
  const callers = new Map<string, Set<string>>()
  for (let at = 0; at < queue.length; at++) {
    const { name, its, entrances } = queue[at]!
    options.onProgress?.(`following ${name}`)
    const entry = entries.get(name)
    const absent = reasonOfAbsence(name, entry)
    let work: FunctionWork
    if (absent) work = { name, loops: [], handoffs: [], unknowns: [absent], calls: [] }
    else
      try {
        work = follower(name, entry!.entry!, entrances)
      } catch (error) {
        const fault = error instanceof Error ? error : new Error(String(error))
        faults.push({
          where: `function ${name}`,
          message: fault.message,
          ...(fault.stack ? { stack: fault.stack } : {}),
        })
        work = {
          name,
          loops: [],
          handoffs: [],
          unknowns: [{ message: `a fault of tick-audit: ${fault.message}`, location: null }],
          calls: [],
        }
      }
    reached.set(name, { work, entry: entry?.entry ?? null, ticks: its, calledBy: [] })
    for (const callee of work.calls) {
      if (callee === name) continue
      callers.set(callee, (callers.get(callee) ?? new Set()).add(name))
      if (queued.has(callee)) continue
      queued.add(callee)
      queue.push({ name: callee, its: [], entrances: [null], calledBy: [] })
    }
  }
  const result = new Map<string, Reached>()
  for (const [name, each] of [...reached].sort(([a], [b]) => (a < b ? -1 : 1)))
    result.set(name, { ...each, calledBy: [...(callers.get(name) ?? [])].sort() })
  return result
}

type Follower = (name: string, entry: string, entrances: readonly Entrance[]) => FunctionWork

/** Loads the TypeScript side, which takes most of the start-up time, and connects it with the rest. */
async function createFollower(project: Project, database: Database, options: FollowOptions): Promise<Follower> {
  const { analyseFunction, createModules } = await import('./work/index.js')
  const facts = databaseFacts(database)
  const catalogue = extendCatalogue(CATALOGUE, options)
  const modules = createModules((path) => project.readText(path))
  const functionNames = project.functions.map((each) => each.name)
  const entries = new Map(project.functions.map(({ name, enabled, entry }) => [name, enabled ? entry : null]))
  const resolverOf = (name: string) => {
    const map = project.importMapFor(name)
    return (specifier: string, from: string) => map.resolve(specifier, from)
  }
  return (name, entry, entrances) =>
    analyseFunction(
      name,
      entry,
      entrances,
      {
        ...facts,
        entry: (callee) => entries.get(callee) ?? null,
        functionNames,
        modulesFor: (callee, from) => modules.within(from, resolverOf(callee)),
        effects: {
          matchRequest: (request) => matchRequest(catalogue, request),
          matchCall: (call) => matchCall(catalogue, call),
          latencyOf: (match) => latencyOf(match, options.latencies),
        },
      },
      () => modules.fresh(resolverOf(name)),
    )
}

function reasonOfAbsence(name: string, entry: Project['functions'][number] | undefined): Reason | null {
  if (!entry) return { message: `the source of ${name} is not in supabase/functions`, location: null }
  if (!entry.enabled)
    return { message: `${name} is switched off in config.toml`, location: entry.configLocation ?? null }
  if (entry.entry === null)
    return { message: `the entry file of ${name} is not there`, location: entry.configLocation ?? null }
  return null
}
