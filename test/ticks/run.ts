import { beforeAll } from 'vitest'
import { loadParser } from '../../src/sql/index.js'
import { replay } from '../../src/database/index.js'
import { findTicks, type Ticks } from '../../src/ticks/index.js'
import type { Dispatch } from '../../src/model/index.js'

beforeAll(loadParser)

/** The ticks of migrations, in a project with these functions. */
export function ticksOf(functions: readonly string[], ...texts: readonly string[]): Ticks {
  const files = texts.map((text, index) => ({
    path: `supabase/migrations/${index + 1}_m.sql`,
    text,
    origin: 'migration' as const,
  }))
  return findTicks(
    replay(files),
    functions.map((name) => ({ name })),
  )
}

/** The dispatches of one job with this command, after these migrations. */
export function dispatchesOf(
  command: string,
  functions: readonly string[] = [],
  before = '',
  job = 'job',
): readonly Dispatch[] {
  const schedule = `select cron.schedule('${job}', '* * * * *', $job$ ${command} $job$);`
  return ticksOf(functions, before, schedule).ticks[0]?.dispatches ?? []
}

/** Where a request to this URL expression goes: the function, `none` (another address), or why it is not known. */
export function targetOf(url: string, functions: readonly string[] = [], before = '', job = 'job'): string {
  return dispatchesOf(`select net.http_post(url := ${url})`, functions, before, job)
    .map(
      (each) =>
        `${each.function ?? (each.unresolved === undefined ? 'none' : 'unresolved')}${each.assumed ? ` by ${each.assumed}` : ''}`,
    )
    .join(' + ')
}
