import { beforeAll } from 'vitest'
import { loadParser } from '../../src/sql/index.js'
import { replay, render, type Database, type FileOrigin } from '../../src/database/index.js'

beforeAll(loadParser)

/** Replays texts as migrations, in order. */
export const migrate = (...texts: readonly string[]): Database =>
  replay(texts.map((text, index) => ({ path: `supabase/migrations/${index + 1}_m.sql`, text, origin: 'migration' })))

/** Replays files of any origin. */
export const replayFiles = (...files: readonly (readonly [FileOrigin, string])[]): Database =>
  replay(files.map(([origin, text], index) => ({ path: `supabase/${origin}/${index + 1}.sql`, text, origin })))

/** The jobs as lines: `name | schedule | command`, with `off` where a job is not active. */
export const jobsOf = (database: Database): string[] =>
  database.jobs.map(
    (job) => `${job.name ?? '-'} | ${job.schedule} | ${render(job.command).trim()}${job.active ? '' : ' | off'}`,
  )

/** The value of an SQL expression as text ("…" for what is not known), by making it the command of a job. */
export function valueOf(expression: string, before = ''): string {
  const job = migrate(`${before}; select cron.schedule('x', '* * * * *', (${expression})::text)`).jobs[0]
  return job ? render(job.command) : 'no job'
}
