import type pg from 'pg'
import type { Server } from './server.js'

/** Eight rows in states that tell claims apart: fresh, stale, due, tried before, done. */
export const SCHEMA = `
  create table j (
    id int primary key, status text not null, locked_at timestamptz, locked_by text, sent_at timestamptz,
    due_at timestamptz not null, attempts int not null, done boolean not null, version int not null
  );
  create table l (name text primary key, holder text, locked_until timestamptz, n int not null default 0);
  create table log (id int generated always as identity, kind text, owner int);
`

const SEED = `
  truncate j; truncate l; truncate log;
  insert into j values
    (1, 'pending', null, null, null, now() - interval '1 minute', 0, false, 1),
    (2, 'pending', null, null, null, now() - interval '1 minute', 1, false, 1),
    (3, 'pending', now() - interval '1 hour', null, null, now() - interval '1 minute', 2, false, 1),
    (4, 'processing', now() - interval '1 hour', 'gone', null, now() - interval '1 minute', 1, false, 1),
    (5, 'processing', now() - interval '1 minute', 'busy', null, now() - interval '1 minute', 1, false, 1),
    (6, 'failed', null, null, null, now() - interval '1 minute', 2, false, 1),
    (7, 'pending', now() - interval '1 hour', 'gone', now() - interval '1 day', now() + interval '1 hour', 0, true, 2),
    (8, 'sent', null, null, now() - interval '1 hour', now() - interval '2 minutes', 5, true, 3);
  insert into l values ('old', 'gone', now() - interval '1 hour', 0), ('held', 'busy', now() + interval '1 hour', 2);
`

export interface Trial {
  /** The statement that both sessions run. */
  readonly sql: string
  /** `begin isolation level …` of both; READ COMMITTED where it is left out. */
  readonly isolation?: string
  /** A lock that the second session's statement waits for until the first has committed: its snapshot is older than that. */
  readonly gate?: number
}

export interface Result {
  /** The first session got something at all. */
  readonly some: boolean
  /** Both sessions got one row, while the first one's transaction was open. */
  readonly overlapping: boolean
  /** Both got one row, the second one after the first had committed. */
  readonly inSequence: boolean
}

/** Runs statements in two sessions at once and tells who got what. */
export interface Arena {
  readonly run: (trial: Trial) => Promise<Result>
  readonly execute: (sql: string) => Promise<void>
}

export async function openArena(server: Server): Promise<Arena> {
  const [first, second, watcher] = await Promise.all([server.connect(), server.connect(), server.connect()])
  await watcher.query(SCHEMA)
  const pid = ((await second.query('select pg_backend_pid() as pid')).rows[0] as { pid: number }).pid
  const begin = (trial: Trial): string => `begin${trial.isolation ? ` isolation level ${trial.isolation}` : ''}`

  /** The second session: its rows, or none where PostgreSQL refuses (serialisation, unique key). */
  const runSecond = async (trial: Trial): Promise<string[]> => {
    try {
      await second.query(begin(trial))
      const keys = keysOf(await second.query(trial.sql))
      await second.query('commit')
      return keys
    } catch (error) {
      await second.query('rollback')
      if (['40001', '23505'].includes((error as { code?: string }).code ?? '')) return []
      throw error
    }
  }

  const overlap = async (trial: Trial): Promise<{ one: string[]; two: string[] }> => {
    await watcher.query(SEED)
    if (trial.gate !== undefined) await watcher.query(`select pg_advisory_lock(${trial.gate})`)
    await first.query(begin(trial))
    // The gate is for the second session only.
    const sql = trial.gate === undefined ? trial.sql : trial.sql.replace(String(trial.gate), String(trial.gate + 1))
    const one = keysOf(await first.query(sql))
    let finished = false
    const pending = runSecond(trial).finally(() => (finished = true))
    while (!finished && !(await isBlocked())) await new Promise(setImmediate)
    await first.query('commit')
    if (trial.gate !== undefined) await watcher.query(`select pg_advisory_unlock(${trial.gate})`)
    return { one, two: await pending }
  }

  const isBlocked = async (): Promise<boolean> => {
    const { rows } = await watcher.query(`select cardinality(pg_blocking_pids(${pid})) as n`)
    return (rows[0] as { n: number }).n > 0
  }

  return {
    run: async (trial) => {
      const { one, two } = await overlap(trial)
      let inSequence = false
      if (trial.gate === undefined) {
        await watcher.query(SEED)
        const before = keysOf(await first.query(trial.sql))
        const after = await runSecond(trial)
        inSequence = share(before, after)
        await Promise.all([first, second].map((client) => client.query('select pg_advisory_unlock_all()')))
      }
      return { some: one.length > 0, overlapping: share(one, two), inSequence }
    },
    execute: async (sql) => {
      await watcher.query(sql)
    },
  }
}

/** What each row that came back stands for: its first column; false and null stand for nothing. */
function keysOf(result: pg.QueryResult): string[] {
  return result.rows
    .map((row: Record<string, unknown>) => Object.values(row)[0])
    .filter((value) => value !== null && value !== undefined && value !== false)
    .map(String)
}

function share(one: readonly string[], two: readonly string[]): boolean {
  return one.some((key) => two.includes(key))
}
