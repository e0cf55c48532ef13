import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { canRun, whyNot } from './able.js'
import { startPostgres, type Database, type Postgres } from './postgres.js'
import { postgrest, type Answer, type Call } from './postgrest.js'
import { unpackShapes } from './shapes.js'
import { NOON } from './world.js'

/** Who gets a row is decided by PostgreSQL's row locks and by nothing of ours: two transactions really wait on each other. */
describe.skipIf(!canRun)(`two claims at once${whyNot}`, () => {
  let postgres: Postgres
  let database: Database
  let shapes: Awaited<ReturnType<typeof unpackShapes>>

  beforeAll(async () => {
    shapes = await unpackShapes()
    const { folder, seed } = await shapes.shape('s01-status')
    postgres = await startPostgres()
    database = await postgres.project(`${folder}/supabase`)
    await database.fill(seed.replaceAll('$rows', '2'))
  }, 60_000)
  beforeEach(() => database.reset())
  afterAll(async () => {
    await postgres.stop()
    await shapes.remove()
  })

  const claim = (filters: string): Call => ({
    method: 'PATCH',
    url: new URL(`http://project.test/rest/v1/letters?${filters}&select=id`),
    headers: { prefer: 'return=representation' },
    body: JSON.stringify({ status: 'posting' }),
  })

  /** Sends the second while the first has run and not committed; tells whom the second waited for. */
  async function meet(first: Call, second: Call): Promise<{ waited: unknown; bodies: unknown[] }> {
    let commit = (): void => {}
    const held = new Promise<void>((resolve) => (commit = resolve))
    const backends: number[] = []
    let ran = (): void => {}
    const statement = new Promise<void>((resolve) => (ran = resolve))
    const started = (pid: number): void => void backends.push(pid)
    const one = postgrest(database.pool, first, { now: NOON, started, beforeCommit: () => (ran(), held) })
    await statement
    let answered: Answer | null = null
    const two = postgrest(database.pool, second, { now: NOON, started }).then((answer) => (answered = answer))
    let waited: unknown = null
    while (answered === null && waited === null) {
      const { rows } = await database.pool.query<{ blockers: number[]; kind: string }>(
        'select pg_blocking_pids(pid) as blockers, wait_event_type as kind from pg_stat_activity where pid = $1',
        [backends[1] ?? 0],
      )
      if (rows[0]?.blockers.length)
        waited = { on: rows[0].blockers.map((pid) => backends.indexOf(pid)), kind: rows[0].kind }
    }
    expect(answered === null).toBe(waited !== null)
    commit()
    return { waited, bodies: [JSON.parse((await one).body), JSON.parse((await two).body)] }
  }

  const FIRST = { on: [0], kind: 'Lock' }

  it('waits for the other one, then looks at the row again and finds it taken', async () => {
    const both = claim('id=eq.1&status=eq.waiting')
    expect(await meet(both, both)).toEqual({ waited: FIRST, bodies: [[{ id: 1 }], []] })
  })

  it('waits as well, and takes the row again, where the condition is still true', async () => {
    const both = claim('id=eq.1')
    expect(await meet(both, both)).toEqual({ waited: FIRST, bodies: [[{ id: 1 }], [{ id: 1 }]] })
  })

  it('does not wait for another row', async () => {
    const claims = [claim('id=eq.1&status=eq.waiting'), claim('id=eq.2&status=eq.waiting')] as const
    expect(await meet(...claims)).toEqual({ waited: null, bodies: [[{ id: 1 }], [{ id: 2 }]] })
  })
})
