import { join } from 'node:path'
import type { Database } from './postgres.js'
import type { Invocation, Worker } from './worker.js'
import { NOON, type World } from './world.js'

/** A project of which the ticks and functions run for real. */
export interface Running {
  readonly world: World
  readonly database: Database
  /** Rows, an hour old: `seed` is SQL, `$rows` in it their number. */
  readonly fill: (seed: string, rows: number) => Promise<void>
  /** A free worker of the function, new where there is none. */
  readonly worker: (name: string) => Promise<Worker>
  readonly release: (name: string, worker: Worker) => void
  /** Ends its workers. */
  readonly close: () => void
}

/** Sets up the migrations and the functions, without rows. */
export async function run(world: World, folder: string): Promise<Running> {
  const supabase = join(folder, 'supabase')
  const database = await world.postgres.project(supabase)
  const idle = new Map<string, Worker[]>()
  const all: Worker[] = []
  world.database = database
  world.now = NOON
  world.providers.clear()
  return {
    world,
    database,
    fill: async (seed, rows) => {
      const hourAgo = new Date(NOON - 3_600_000).toISOString()
      await database.fill(`set local clock.now = '${hourAgo}'; ${seed.replaceAll('$rows', String(rows))}`)
    },
    worker: async (name) => {
      const free = idle.get(name)?.pop()
      if (free) return free
      const worker = await world.host.open(join(supabase, 'functions', name, 'index.ts'))
      all.push(worker)
      return worker
    },
    release: (name, worker) => void idle.set(name, [...(idle.get(name) ?? []), worker]),
    close: () => all.forEach((worker) => worker.kill()),
  }
}

/** A request of pg_net for one of the project's functions. */
export interface Dispatched extends Omit<Invocation, 'id' | 'now'> {
  readonly name: string
}

/** Runs the commands of all jobs once, as pg_cron does, and takes the requests that they have queued. */
export async function tick({ database, world }: Running): Promise<Dispatched[]> {
  const { pool } = database
  const jobs = await pool.query<{ command: string }>('select command from cron.job where active order by jobid')
  const time = `set local clock.now = '${new Date(world.now).toISOString()}'`
  for (const { command } of jobs.rows) await pool.query(`begin; ${time}; ${command.replace(/;\s*$/, '')}; commit`)
  const queued = await pool.query<{ url: string; headers: Record<string, string>; body: unknown }>(
    'with q as (delete from net.http_request_queue returning *) select url, headers, body from q order by id',
  )
  return queued.rows.map(({ url, headers, body }) => ({
    name: /\/functions\/v1\/([\w-]+)/.exec(url)?.[1] ?? '',
    url,
    headers,
    body: JSON.stringify(body),
  }))
}
