import { tick, type Running } from './project.js'
import { repeats } from './providers.js'
import { labelOf } from './world.js'

/** Where a worker is killed: at its n-th request, before that is done or after, when the answer is on its way. */
export interface Crash {
  readonly at: number
  readonly phase: 'before' | 'after'
}

export interface Aftermath {
  /** The request at which the worker was killed. */
  readonly killedAt: string
  /** What was done again for a row that had had it. */
  readonly repeated: readonly string[]
  /** What a provider was asked for again, and knew by its key. */
  readonly replayed: readonly string[]
}

/** One run that nothing disturbs: its requests in order. */
export async function requestsOf(running: Running): Promise<string[]> {
  const labels: string[] = []
  await running.database.reset()
  running.world.gate = (arrival) => {
    labels.push(labelOf(arrival))
    return running.world.perform(arrival)
  }
  await ticks(running, 1, 0)
  return labels
}

/**
 * Kills the first tick's worker, then lets further ticks run.
 *
 * @param every Milliseconds between two ticks.
 * @param knowsKeys Does the provider of e-mails know idempotency keys?
 */
export async function crash(
  running: Running,
  { at, phase }: Crash,
  every: number,
  knowsKeys: boolean,
): Promise<Aftermath> {
  const { world, database } = running
  await database.reset()
  world.providers.clear()
  world.providers.knowsKeys = knowsKeys
  const start = world.now
  const [dispatched] = await tick(running)
  const { name, ...request } = dispatched!
  const worker = await running.worker(name)
  let count = 0
  const killedAt = await new Promise<string>((resolve) => {
    world.gate = async (arrival) => {
      if (count++ < at) return world.perform(arrival)
      if (phase === 'after') await world.perform(arrival)
      worker.kill()
      resolve(labelOf(arrival))
      return 'dead'
    }
    void worker.invoke({ id: `crash.${at}.${phase}`, now: world.now, ...request })
  })
  world.gate = (arrival) => world.perform(arrival)
  // The stale rows are looked for after ten minutes; what is given back then may wait for one tick more.
  await ticks(running, Math.ceil((11 * 60_000) / every) + 2, every)
  world.now = start
  return {
    killedAt,
    repeated: [...repeats(world.providers.effects).keys()].sort(),
    replayed: world.providers.replays.map(({ row, target }) => `${row} at ${target}`),
  }
}

let runs = 0

/** Ticks one after the other, each to its end. */
export async function ticks(running: Running, count: number, every: number): Promise<void> {
  const { world } = running
  for (let tickNumber = 0; tickNumber < count; tickNumber++) {
    world.now += every
    for (const { name, ...request } of await tick(running)) {
      const worker = await running.worker(name)
      await worker.invoke({ id: `tick.${runs++}`, now: world.now, ...request })
      running.release(name, worker)
    }
  }
}
