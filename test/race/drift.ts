import { randomFrom } from './random.js'
import { tick, type Dispatched, type Running } from './project.js'
import { repeats } from './providers.js'
import { labelOf, toDatabase, type Answered, type Arrival } from './world.js'

export interface Day {
  /** Milliseconds between two ticks. */
  readonly every: number
  readonly ticks: number
  /** Every so many ticks one is late: pg_net sends it together with the next (src/worker.c: a batch runs to its end). None where left out. */
  readonly lateEvery?: number
  /** The longest that a worker lives, in milliseconds: 400 s on a paid plan (Supabase docs, functions/limits). */
  readonly life: number
  /** Seconds of one call, from the target's shortest to its longest; 0 ≤ `random` < 1. */
  readonly seconds: (target: string, random: number) => number
  readonly seed: number
}

export interface Drift {
  /** Rows that had an effect. */
  readonly worked: number
  readonly calls: number
  /** Rows that had one of their effects more than once. */
  readonly duplicates: number
  /** Calls that had been made before for the same row. */
  readonly wasted: number
  /** The most invocations that were running at once. */
  readonly atOnce: number
  /** Invocations that outlived their worker. */
  readonly killed: number
}

/** What a request to the database takes, in milliseconds. */
const DATABASE = 5

interface Event {
  readonly at: number
  readonly order: number
  readonly happen: () => Promise<void>
}

/**
 * Lets a simulated day pass: ticks come by the clock, each call takes its time, and what is due first happens first.
 * Only the time is simulated; the function, the database and what they say to each other are real. The same seed gives
 * the same day.
 */
export async function drift(running: Running, day: Day): Promise<Drift> {
  const { world } = running
  const random = randomFrom(day.seed)
  const events: Event[] = []
  let order = 0
  const at = (time: number, happen: () => Promise<void>): void => insert(events, { at: time, order: order++, happen })
  const alive = new Map<string, { readonly until: number; settle: () => void }>()
  let [atOnce, killed] = [0, 0]
  const start = world.now

  /** Until the invocation asks for something again, or ends. */
  const settled = (id: string): Promise<void> =>
    new Promise((resolve) => {
      const each = alive.get(id)
      if (each) each.settle = resolve
      else resolve()
    })

  world.gate = (arrival) =>
    new Promise<Answered>((answer) => {
      const takes = toDatabase(arrival.call) ? DATABASE : day.seconds(labelOf(arrival), random()) * 1000
      at(world.now + takes, () => respond(arrival, answer))
      alive.get(arrival.run)?.settle()
    })

  const respond = async (arrival: Arrival, answer: (answered: Answered) => void): Promise<void> => {
    const each = alive.get(arrival.run)
    if (!each || world.now > each.until) {
      // The worker is gone, but what it had asked of a provider is done.
      if (!toDatabase(arrival.call)) await world.perform(arrival)
      if (alive.delete(arrival.run)) killed++
      return answer('dead')
    }
    const answered = await world.perform(arrival)
    const next = settled(arrival.run)
    answer(answered)
    await next
  }

  const invoke = async ({ name, ...request }: Dispatched): Promise<void> => {
    const id = `day.${order++}`
    const worker = await running.worker(name)
    alive.set(id, { until: world.now + day.life, settle: () => {} })
    atOnce = Math.max(atOnce, alive.size)
    const next = settled(id)
    void worker.invoke({ id, now: world.now, ...request }).then(() => {
      running.release(name, worker)
      const each = alive.get(id)
      alive.delete(id)
      each?.settle()
    })
    await next
  }

  for (let count = 0; count < day.ticks; count++) {
    const late = day.lateEvery !== undefined && count % day.lateEvery === day.lateEvery - 1
    at(start + (late ? count + 1 : count) * day.every, async () => {
      for (const dispatched of await tick(running)) await invoke(dispatched)
    })
  }
  for (let event = events.shift(); event; event = events.shift()) {
    world.now = event.at
    await event.happen()
  }
  world.now = start
  const { effects } = world.providers
  const again = repeats(effects)
  return {
    worked: new Set(effects.map((effect) => effect.row)).size,
    calls: effects.length,
    duplicates: new Set([...again.keys()].map((key) => key.split(' ')[0])).size,
    wasted: [...again.values()].reduce((sum, count) => sum + count, 0),
    atOnce,
    killed,
  }
}

/** Keeps the list in the order of time; what comes next is near the front, ticks far behind. */
function insert(events: Event[], event: Event): void {
  let place = events.findIndex((each) => each.at > event.at || (each.at === event.at && each.order > event.order))
  if (place < 0) place = events.length
  events.splice(place, 0, event)
}
