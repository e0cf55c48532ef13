import { describe, expect, it } from 'vitest'
import { CLAIM, DONE, PICK, answerOf, follow, handle, serve } from './harness.js'

const loop = (inside: string, pick = PICK) => `${pick}\nfor (const crate of crates ?? []) {\n${inside}\n}`

describe('claims that hold (domain 5.4)', () => {
  it.each([
    [
      'S1: compare and swap on a state',
      loop(`const { data: mine } = ${CLAIM}\nif (!mine) continue\nawait mail(crate)\n${DONE}`),
      'safe row-claim',
    ],
    [
      'S1: its list is empty',
      loop(`const { data: mine } = await db.from('crates').update({ state: 'packing' }).eq('id', crate.id).eq('state', 'waiting').select('id')
        if (!mine?.length) continue
        await mail(crate)`),
      'safe row-claim',
    ],
    [
      'S1: its count is zero',
      loop(`const { count } = await db.from('crates').update({ state: 'packing' }, { count: 'exact' }).eq('id', crate.id).eq('state', 'waiting')
        if (count === 0) continue
        await mail(crate)`),
      'safe row-claim',
    ],
    [
      'S1: single() fails',
      loop(`const { error } = await db.from('crates').update({ state: 'packing' }).eq('id', crate.id).eq('state', 'waiting').select().single()
        if (error) continue
        await mail(crate)`),
      'safe row-claim',
    ],
    [
      'S1: single() throws',
      loop(`try {
          await db.from('crates').update({ state: 'packing' }).eq('id', crate.id).eq('state', 'waiting').select().single().throwOnError()
        } catch { continue }
        await mail(crate)`),
      'safe row-claim',
    ],
    [
      'S2: a stamp that was null',
      loop(
        `const { data: mine } = await db.from('crates').update({ stickered_at: new Date().toISOString() }).eq('id', crate.id).is('stickered_at', null).select().maybeSingle()
        if (mine === null) continue
        await mail(crate)`,
        `const { data: crates } = await db.from('crates').select('*').is('stickered_at', null)`,
      ),
      'safe row-claim',
    ],
    [
      'S3: ids first, then all that are still free',
      `${PICK}
      const { data: mine } = await db.from('crates').update({ state: 'packing' }).in('id', crates!.map((p) => p.id)).eq('state', 'waiting').select()
      for (const crate of mine ?? []) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'S6: a lease that lapses',
      loop(
        `const { data: mine } = await db.from('crates').update({ held_until: new Date(Date.now() + 600_000).toISOString() })
          .eq('id', crate.id).eq('state', 'waiting').lt('held_until', new Date().toISOString()).select().maybeSingle()
        if (!mine) continue
        await mail(crate)
        ${DONE}`,
        `const { data: crates } = await db.from('crates').select('*').eq('state', 'waiting').lt('held_until', new Date().toISOString())`,
      ),
      'safe row-claim',
    ],
    [
      'S7: a token that was read',
      loop(`const { data: mine } = await db.from('crates').update({ revision: crate.revision + 1, state: 'packing' })
          .eq('id', crate.id).eq('revision', crate.revision).select().maybeSingle()
        if (!mine) continue
        await mail(crate)`),
      'safe row-claim',
    ],
    [
      'S8: the schedule moves on first',
      loop(
        `const { data: mine } = await db.from('crates').update({ due_at: new Date(Date.now() + 86_400_000).toISOString() })
          .eq('id', crate.id).lte('due_at', new Date().toISOString()).select().maybeSingle()
        if (!mine) continue
        await mail(crate)`,
        `const { data: crates } = await db.from('crates').select('*').lte('due_at', new Date().toISOString())`,
      ),
      'safe row-claim',
    ],
    [
      'S10: the row is deleted and read',
      loop(`const { data: mine } = await db.from('crates').delete().eq('id', crate.id).select().maybeSingle()
        if (!mine) continue
        await mail(crate)`),
      'safe row-claim',
    ],
    [
      'S16: the holder is read back',
      `const me = crypto.randomUUID()
      await db.from('crates').update({ holder: me }).eq('state', 'waiting').is('holder', null)
      const { data: crates } = await db.from('crates').select('*').eq('holder', me)
      for (const crate of crates ?? []) {
        await mail(crate)
        ${DONE}
      }`,
      'safe batch-claim',
    ],
  ])('%s', async (_name, body, expected) => {
    expect(await handle(body)).toBe(expected)
  })

  it('S4: a routine takes a batch under skip locked', async () => {
    const sql = `create function take_crates(n int) returns setof crates language sql as $$
      update crates set state = 'packing' where id in (
        select id from crates where state = 'waiting' limit n for update skip locked) returning * $$;`
    expect(
      await handle(
        `const { data: crates } = await db.rpc('take_crates', { n: 5 })\nfor (const crate of crates) await mail(crate)`,
        { sql },
      ),
    ).toBe('safe batch-claim')
  })

  it.each([
    [
      'its error leaves',
      `const { error } = await db.from('slips').insert({ crate_id: crate.id, kind: 'haul' })\nif (error) continue`,
    ],
    [
      'a duplicate leaves',
      `const { error } = await db.from('slips').insert({ crate_id: crate.id, kind: 'haul' })\nif (error?.code === '23505') continue`,
    ],
    ['it throws', `await db.from('slips').insert({ crate_id: crate.id, kind: 'haul' }).throwOnError()`],
    [
      'an upsert that ignores duplicates tells',
      `const { data: made } = await db.from('slips').upsert({ crate_id: crate.id, kind: 'haul' }, { onConflict: 'crate_id,kind', ignoreDuplicates: true }).select()
       if (!made?.length) continue`,
    ],
  ])('S5: an insert under a unique key; %s', async (_name, insert) => {
    expect(await handle(loop(`${insert}\nawait mail(crate)`))).toBe('safe insert-claim')
  })

  it.each([
    ['pgmq_public.read', `db.schema('pgmq_public').rpc('read', { queue_name: 'crates', sleep_seconds: 300, n: 10 })`],
    ['pgmq_public.pop', `db.schema('pgmq_public').rpc('pop', { queue_name: 'crates' })`],
  ])('S9: a queue hides what it hands out: %s', async (_name, call) => {
    expect(
      await handle(
        `const { data: messages } = await ${call}\nfor (const one of messages ?? []) await mail(one.message)`,
      ),
    ).toBe('safe batch-claim')
  })

  it('S12: one run at a time, by one row with a stale bound', async () => {
    const body = `const stale = new Date(Date.now() - 900_000).toISOString()
      const { data: slot } = await db.from('slots').update({ busy: true, since: new Date().toISOString() })
        .eq('name', 'haul').or(\`busy.eq.false,since.lt.\${stale}\`).select().maybeSingle()
      if (!slot) return new Response('busy')
      try { ${loop(`await mail(crate)\n${DONE}`)} } finally { await db.from('slots').update({ busy: false }).eq('name', 'haul') }`
    expect(await handle(body)).toBe('safe single-flight')
  })

  it('S18: a key of a store outside', async () => {
    const body = loop(`const mine = await redis.set(\`haul:\${crate.id}\`, '1', { nx: true, ex: 600 })
      if (!mine) continue
      await mail(crate)`)
    const code = `import { Redis } from 'npm:@upstash/redis'\nconst redis = Redis.fromEnv()\n${serve(body)}`
    expect(answerOf(await follow(code))).toBe('safe insert-claim')
  })
})

describe('cures that are none', () => {
  it.each([
    [
      'nothing at all',
      loop(
        'await mail(crate)',
        `const { data: crates } = await db.from('crates').select('*').lte('due_at', new Date().toISOString())`,
      ),
      'race no-claim',
    ],
    ['a mark after the effect', loop(`await mail(crate)\n${DONE}`), 'race effect-before-claim'],
    ['a claim by the key alone', loop(`${DONE}\nawait mail(crate)`), 'race unconditional-claim'],
    ['a claim that nobody asks', loop(`${CLAIM}\nawait mail(crate)\n${DONE}`), 'race unchecked-claim'],
    [
      'only its error is asked',
      loop(`const { error } = ${CLAIM}\nif (error) continue\nawait mail(crate)`),
      'race unchecked-claim',
    ],
    [
      'a list that is never falsy',
      loop(`const { data: mine } = await db.from('crates').update({ state: 'packing' }).eq('id', crate.id).eq('state', 'waiting').select()
        if (!mine) continue
        await mail(crate)`),
      'race unchecked-claim',
    ],
    [
      'throwOnError alone',
      loop(
        `await db.from('crates').update({ state: 'packing' }).eq('id', crate.id).eq('state', 'waiting').throwOnError()\nawait mail(crate)`,
      ),
      'race unchecked-claim',
    ],
    [
      'the result is only logged',
      loop(`const { data: mine } = ${CLAIM}\nif (!mine) console.log('taken')\nawait mail(crate)`),
      'race unchecked-claim',
    ],
    [
      'it leaves the state that it asks for',
      loop(`const { data: mine } = await db.from('crates').update({ state: 'packing' }).eq('id', crate.id).in('state', ['waiting', 'packing']).select().maybeSingle()
        if (!mine) continue
        await mail(crate)\n${DONE}`),
      'race claim-not-self-falsifying',
    ],
    [
      'it counts below a bound',
      loop(`const { data: mine } = await db.from('crates').update({ tries: crate.tries + 1 }).eq('id', crate.id).lt('tries', 3).select().maybeSingle()
        if (!mine) continue
        await mail(crate)\n${DONE}`),
      'race claim-not-self-falsifying',
    ],
    ['it is built and not sent', loop(`${CLAIM.replace('await ', '')}\nawait mail(crate)`), 'race builder-not-awaited'],
    [
      'an insert without a key',
      loop(
        `const { error } = await db.from('scraps').insert({ crate_id: crate.id, kind: 'haul' })\nif (error) continue\nawait mail(crate)`,
      ),
      'race insert-claim-without-unique',
    ],
    [
      'an insert whose error is only logged',
      loop(
        `const { error } = await db.from('slips').insert({ crate_id: crate.id, kind: 'haul' })\nif (error) console.error(error)\nawait mail(crate)`,
      ),
      'race insert-claim-error-ignored',
    ],
    [
      'an insert under a key that is new each time',
      loop(
        `const { error } = await db.from('slips').insert({ crate_id: crypto.randomUUID(), kind: crate.id })\nif (error) continue\nawait mail(crate)`,
      ),
      'race insert-claim-without-unique',
    ],
    [
      'an upsert that merges',
      loop(
        `const { data: made } = await db.from('slips').upsert({ crate_id: crate.id, kind: 'haul' }).select()\nif (!made?.length) continue\nawait mail(crate)`,
      ),
      'race upsert-as-claim',
    ],
    [
      'a question, then the record',
      loop(`const { data: known } = await db.from('slips').select('kind').eq('crate_id', crate.id).maybeSingle()
        if (known) continue
        await mail(crate)
        await db.from('slips').insert({ crate_id: crate.id, kind: 'haul' })`),
      'race check-then-act',
    ],
    [
      'the slot is read first and written after',
      `const { data: slot } = await db.from('slots').select('busy').eq('name', 'haul').single()
       if (slot.busy) return new Response('busy')
       await db.from('slots').update({ busy: true }).eq('name', 'haul')
       ${loop(`await mail(crate)\n${DONE}`)}`,
      'race single-flight-not-atomic',
    ],
    [
      'S16 without a condition',
      `const me = crypto.randomUUID()
       await db.from('crates').update({ holder: me }).lte('due_at', new Date().toISOString())
       const { data: crates } = await db.from('crates').select('*').eq('holder', me)
       for (const crate of crates ?? []) await mail(crate)`,
      'race claim-not-self-falsifying',
    ],
  ])('%s', async (_name, body, expected) => {
    expect(await handle(body)).toBe(expected)
  })

  it('a variable of the module', async () => {
    const code = `let busy = false\n${serve(`if (busy) return new Response('busy')\nbusy = true\ntry {\n${loop(`await mail(crate)\n${DONE}`)}\n} finally { busy = false }`)}`
    expect(answerOf(await follow(code))).toBe('race in-memory-lock')
  })

  it('a session lock over the pool', async () => {
    const sql = `create function try_slot() returns boolean language sql as $$ select pg_try_advisory_lock(7) $$;`
    const body = `const { data: got } = await db.rpc('try_slot')\nif (!got) return new Response('busy')\n${loop(`await mail(crate)\n${DONE}`)}`
    expect(await handle(body, { sql })).toBe('race session-lock-over-pool')
  })
})

describe('claims that are given away again', () => {
  it('a claim whose row is put back before the work', async () => {
    const body = loop(`const { data: mine } = ${CLAIM}
      if (!mine) continue
      await db.from('crates').update({ state: 'waiting' }).eq('id', crate.id)
      await mail(crate)\n${DONE}`)
    expect(await handle(body)).toMatch(/^race/)
  })
  it('a row that is put back on failure only, on a path that leaves', async () => {
    const body = loop(`const { data: mine } = ${CLAIM}
      if (!mine) continue
      if (!crate.email) { await db.from('crates').update({ state: 'waiting' }).eq('id', crate.id); continue }
      await mail(crate)\n${DONE}`)
    expect(await handle(body)).toBe('safe row-claim')
  })
  it('a lease that is given back after the work while the row is still picked', async () => {
    const body = loop(
      `const { data: mine } = await db.from('crates').update({ held_until: new Date(Date.now() + 600_000).toISOString() })
        .eq('id', crate.id).is('held_until', null).select().maybeSingle()
      if (!mine) continue
      await mail(crate)
      await db.from('crates').update({ state: 'sent', held_until: null }).eq('id', crate.id)`,
    )
    expect(await handle(body)).toBe('race claim-not-self-falsifying')
  })
  it('a lease that asks for the state as well may be given back', async () => {
    const body = loop(
      `const { data: mine } = await db.from('crates').update({ held_until: new Date(Date.now() + 600_000).toISOString() })
        .eq('id', crate.id).eq('state', 'waiting').is('held_until', null).select().maybeSingle()
      if (!mine) continue
      await mail(crate)
      await db.from('crates').update({ state: 'sent', held_until: null }).eq('id', crate.id)`,
    )
    expect(await handle(body)).toBe('safe row-claim')
  })
})

describe('an insert under a partial unique index', () => {
  const within = (insert: string) =>
    loop(`const { error } = await db.from('scraps').insert(${insert})\nif (error) continue\nawait mail(crate)`)
  const index = (where: string) => ({
    sql: `create unique index scraps_once on scraps (crate_id) where ${where};`,
  })
  it.each([
    ['that takes the row in', `{ crate_id: crate.id, kind: 'mail' }`, `kind = 'mail'`, 'safe insert-claim'],
    ['that leaves it out', `{ crate_id: crate.id, kind: 'post' }`, `kind = 'mail'`, 'race insert-claim-without-unique'],
    ['that leaves out what has no kind', `{ crate_id: crate.id }`, `kind = 'mail'`, 'race insert-claim-without-unique'],
    ['that takes in what has no kind', `{ crate_id: crate.id }`, `kind is null`, 'safe insert-claim'],
  ])('%s', async (_name, insert, where, expected) => {
    expect(await handle(within(insert), index(where))).toBe(expected)
  })
  it('that may or may not take it in is unknown', async () => {
    expect(await handle(within(`{ crate_id: crate.id, kind: crate.kind }`), index(`kind = 'mail'`))).toBe('unknown')
  })
})
