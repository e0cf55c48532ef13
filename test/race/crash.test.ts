import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canRun, whyNot } from './able.js'
import { crash, requestsOf, ticks, type Aftermath, type Crash } from './crash.js'
import { run, type Running } from './project.js'
import { repeats } from './providers.js'
import { REFERENCE } from './fixtures.js'
import { startWorld, type World } from './world.js'

/**
 * The worker of a corrected fixture is killed at each of its awaits, before and after the request is done. Later ticks
 * finish every row, and only what stands in the windows named here is done again.
 */
describe.skipIf(!canRun)(`a worker killed at each await${whyNot}`, () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  }, 60_000)
  afterAll(() => world.stop())

  async function open(name: string): Promise<Running> {
    const shape = REFERENCE.find((each) => each.name === name)!
    const running = await run(world, shape.folder)
    await running.fill(shape.seed, 2)
    return running
  }

  async function everywhere(
    running: Running,
    every: number,
    knowsKeys: boolean,
    check: (crash: Crash, aftermath: Aftermath, requests: readonly string[]) => Promise<void>,
  ): Promise<string[]> {
    const requests = await requestsOf(running)
    for (let at = 0; at < requests.length; at++)
      for (const phase of ['before', 'after'] as const) {
        const aftermath = await crash(running, { at, phase }, every, knowsKeys)
        expect(aftermath.killedAt).toBe(requests[at])
        await check({ at, phase }, aftermath, requests)
      }
    expect(world.gaps).toEqual([])
    return requests
  }

  /** From where the call has been answered until the write that records it has been made. */
  const between = ({ at, phase }: Crash, call: number, record: number): boolean =>
    (at > call || (at === call && phase === 'after')) && (at < record || (at === record && phase === 'before'))

  it('embeds each passage, again only where the job was not marked yet', async () => {
    const running = await open('embedding-drain/claimed')
    const target = 'api.openai.com/v1/embeddings'
    const requests = await everywhere(running, 2 * 60_000, true, async (killed, { repeated }) => {
      // Of each row: claim, passage, model, store, mark.
      const window = [4, 9].map((call, row) => (between(killed, call, call + 2) ? [`row-${row + 1} at ${target}`] : []))
      expect({ killed, repeated }).toEqual({ killed, repeated: window.flat() })
      const { rows } = await running.database.pool.query(
        `select count(*)::int as done from embedding_jobs j join passages p on p.id = passage_id
         where status = 'done' and embedding is not null`,
      )
      expect({ killed, rows }).toEqual({ killed, rows: [{ done: 2 }] })
    })
    expect([requests[4], requests[6]]).toEqual([target, 'PATCH embedding_jobs'])
    running.close()
  }, 120_000)

  const MODEL = 'api.openai.com/v1/chat/completions'
  const MAIL = 'api.resend.com/emails'
  const ANSWERED = `select count(*)::int as answered from inbox_messages where handled and reply_id is not null`

  it.each([true, false])(
    'answers each message; the provider knows keys: %s',
    async (knowsKeys) => {
      const running = await open('inbox-reply/claimed')
      const requests = await everywhere(running, 10 * 60_000, knowsKeys, async (killed, { repeated, replayed }) => {
        // Of each row: claim, model, draft, e-mail, mark.
        const rows = [3, 8].map((model, row) => ({
          model: between(killed, model, model + 1) ? [`row-${row + 1} at ${MODEL}`] : [],
          // The window in which the e-mail has gone out and is not recorded.
          mail: between(killed, model + 2, model + 3) ? [`row-${row + 1} at ${MAIL}`] : [],
        }))
        const models = rows.flatMap((row) => row.model)
        const mails = rows.flatMap((row) => row.mail)
        const expected = knowsKeys
          ? { repeated: models, replayed: mails }
          : { repeated: [...models, ...mails], replayed: [] }
        expect({ killed, repeated, replayed }).toEqual({ killed, ...expected })
        expect(world.providers.refused).toEqual([])
        const { rows: counted } = await running.database.pool.query(ANSWERED)
        expect({ killed, counted }).toEqual({ killed, counted: [{ answered: 2 }] })
      })
      expect([requests[3], requests[5]]).toEqual([MODEL, MAIL])
      running.close()
    },
    120_000,
  )

  it.each(['before', 'after'] as const)(
    'sends one e-mail where the provider fails %s it has sent it',
    async (fault) => {
      const running = await open('inbox-reply/claimed')
      let failures = 3
      world.providers.fault = ({ target }) => (target === MAIL && failures-- > 0 ? fault : null)
      world.gate = (arrival) => world.perform(arrival)
      await ticks(running, 4, 10 * 60_000)
      expect([...repeats(world.providers.effects).keys()].filter((each) => each.endsWith(MAIL))).toEqual([])
      expect((await running.database.pool.query(ANSWERED)).rows).toEqual([{ answered: 2 }])
      running.close()
    },
    60_000,
  )
})
