import { createHash } from 'node:crypto'
import { tick, type Dispatched, type Running } from './project.js'
import { repeats } from './providers.js'
import { toDatabase, type Answered, type Arrival } from './world.js'

/**
 * Who goes on: the invocation whose request is answered next, all of it, statement and commit; or two at once, `A<B`:
 * A's statement runs, then B's begins while A has not committed, then A commits.
 */
export type Choice = string

export interface State {
  readonly choices: readonly Choice[]
  /** One that may be taken first without loss: it touches nothing that the others can see or change. */
  readonly free: Choice | null
  /** The same for two moments from which the same can follow: the rows, and what each invocation has asked and heard. */
  readonly key: () => Promise<string>
}

/** Chooses the next step; null ends the run there. */
export type Chooser = (state: State) => Promise<Choice | null>

export interface Played {
  readonly schedule: readonly Choice[]
  /** Rows whose effect was had more than once, and how often too much. */
  readonly repeated: ReadonlyMap<string, number>
  readonly effects: number
}

interface Held {
  readonly arrival: Arrival
  readonly answer: (answered: Answered) => void
}

/** One invocation, stopped at each of its requests. It is taken to have one request out at a time, as awaits do. */
interface Thread {
  readonly letter: string
  readonly heard: string[]
  held: Held | null
  finished: boolean
  /** Resolves when the invocation waits for an answer or is at its end. */
  settled: Promise<void>
  settle: () => void
  /** Gives its worker back as new. */
  readonly abandon: () => Promise<void>
}

let plays = 0

/** Runs two ticks' invocations over the kept rows, one step after the other as `choose` says. */
export async function play(running: Running, choose: Chooser): Promise<Played> {
  const { world, database } = running
  await database.reset()
  world.providers.clear()
  const number = plays++
  const threads = new Map<string, Thread>()
  world.gate = (arrival) =>
    new Promise((answer) => {
      const thread = threads.get(arrival.run)
      // What is left of an earlier play.
      if (!thread) return answer('dead')
      if (thread.held) {
        world.gaps.push(`two requests of one invocation at once: ${arrival.call.url.href}`)
        return answer('dead')
      }
      thread.held = { arrival, answer }
      thread.settle()
    })
  const dispatched = [...(await tick(running)), ...(await tick(running))]
  await Promise.all(
    dispatched.map((each, at) => start(running, threads, each, `${String.fromCharCode(65 + at)}.${number}`)),
  )
  const schedule: Choice[] = []
  for (;;) {
    const all = [...threads.values()].sort((one, two) => one.letter.localeCompare(two.letter))
    await Promise.all(all.map((thread) => thread.settled))
    const choices = choicesOf(all)
    const choice =
      choices.length === 0 ? null : await choose({ choices, free: freeOf(all), key: () => keyOf(running, all) })
    if (choice === null) break
    schedule.push(choice)
    const [first, second] = choice.split('<').map((letter) => all.find((thread) => thread.letter === letter)!)
    if (second) await overlap(running, first!, second)
    else await step(running, first!)
  }
  const effects = [...world.providers.effects]
  // Those that the choice has left behind go no further, and their workers are free.
  for (const thread of threads.values()) {
    thread.held?.answer('dead')
    if (!thread.finished) await thread.abandon()
  }
  return { schedule, repeated: repeats(effects), effects: effects.length }
}

async function start(
  running: Running,
  threads: Map<string, Thread>,
  dispatched: Dispatched,
  id: string,
): Promise<void> {
  const { name, ...request } = dispatched
  const worker = await running.worker(name)
  const thread: Thread = {
    letter: id[0]!,
    heard: [],
    held: null,
    finished: false,
    settled: Promise.resolve(),
    settle: () => {},
    abandon: async () => {
      await worker.reload()
      running.release(name, worker)
    },
  }
  unsettle(thread)
  threads.set(id, thread)
  void worker.invoke({ id, now: running.world.now, ...request }).then(() => {
    thread.finished = true
    running.release(name, worker)
    thread.settle()
  })
}

function unsettle(thread: Thread): void {
  thread.settled = new Promise((resolve) => (thread.settle = resolve))
}

function choicesOf(threads: readonly Thread[]): Choice[] {
  const waiting = threads.filter((thread) => thread.held && !thread.finished)
  const pairs = waiting.flatMap((one) =>
    waiting.filter((two) => two !== one && canMeet(one, two)).map((two) => `${one.letter}<${two.letter}`),
  )
  return [...waiting.map((thread) => thread.letter), ...pairs]
}

/**
 * Two writes that can get into each other's way: a call of a routine, or the same table, and not two rows that `id`
 * tells apart. Any other pair ends as one after the other does.
 */
function canMeet(one: Thread, two: Thread): boolean {
  const [a, b] = [one.held!.arrival.call, two.held!.arrival.call]
  if (!toDatabase(a) || !toDatabase(b) || a.method === 'GET' || b.method === 'GET') return false
  if (a.url.pathname.includes('/rpc/') || b.url.pathname.includes('/rpc/')) return true
  const [mine, yours] = [a.url.searchParams.get('id'), b.url.searchParams.get('id')]
  const apart = mine?.startsWith('eq.') && yours?.startsWith('eq.') && mine !== yours
  return a.url.pathname === b.url.pathname && !apart
}

/** A call of a provider: it is counted whenever it comes, and nobody but its caller hears of it. */
function freeOf(threads: readonly Thread[]): Choice | null {
  return threads.find(({ held, finished }) => held && !finished && !toDatabase(held.arrival.call))?.letter ?? null
}

/** Hands the answer over; the invocation goes on. */
function deliver(thread: Thread, answered: Answered): void {
  const { arrival, answer } = thread.held!
  const { method, url, body } = arrival.call
  thread.held = null
  thread.heard.push(`${method} ${url.href} ${body} ${JSON.stringify(answered)}`)
  unsettle(thread)
  answer(answered)
}

async function step({ world }: Running, thread: Thread): Promise<void> {
  deliver(thread, await world.perform(thread.held!.arrival))
}

/** Two transactions that are open at once. The order of events is fixed: which waits for which is PostgreSQL's answer. */
async function overlap(running: Running, first: Thread, second: Thread): Promise<void> {
  const { perform } = running.world
  let commit = (): void => {}
  const mayCommit = new Promise<void>((resolve) => (commit = resolve))
  let ran = (): void => {}
  const statement = new Promise<void>((resolve) => (ran = resolve))
  const one = perform(first.held!.arrival, { beforeCommit: () => (ran(), mayCommit) })
  await Promise.race([statement, one])
  let backend = 0
  let done = false
  const two = perform(second.held!.arrival, { started: (pid) => (backend = pid) }).finally(() => (done = true))
  while (!done && !(await isBlocked(running, backend))) await new Promise(setImmediate)
  commit()
  deliver(first, await one)
  deliver(second, await two)
}

async function isBlocked({ database }: Running, backend: number): Promise<boolean> {
  const { rows } = await database.pool.query<{ n: number }>('select cardinality(pg_blocking_pids($1)) as n', [backend])
  return rows[0]!.n > 0
}

async function keyOf({ database }: Running, threads: readonly Thread[]): Promise<string> {
  const hash = createHash('sha1').update(await database.digest())
  for (const { heard, finished } of threads) hash.update(`${finished}\n${heard.join('\n')}\n\n`)
  return hash.digest('hex')
}
