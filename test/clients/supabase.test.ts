import { describe, expect, it } from 'vitest'
import { CLAIM, DONE, PICK, answerOf, follow, handle, serve } from '../work/harness.js'

const loop = (inside: string, pick = PICK) => `${pick}\nfor (const crate of crates ?? []) {\n${inside}\n}`
const claim = (chain: string) =>
  loop(
    `const { data: mine } = await db.from('crates')${chain}.select().maybeSingle()\nif (!mine) continue\nawait mail(crate)`,
  )
const pickOf = async (pick: string, given = {}) => {
  const report = await follow(
    serve(loop(`await mail(crate)\n${DONE}`, `const { data: crates } = await ${pick}`)),
    given,
  )
  const step = report.findings[0]?.trace.find((each) => each.role === 'pick')?.message ?? ''
  return /where (.*); every/.exec(step)?.[1] ?? step
}

describe('conditions of a pick', () => {
  it.each([
    [`db.from('crates').select().eq('state', 'waiting')`, `state = 'waiting'`],
    [`db.from('crates').select().neq('state', 'sent')`, `state <> 'sent'`],
    [
      `db.from('crates').select().gt('tries', 1).gte('tries', 2).lt('tries', 9).lte('tries', 8)`,
      `tries > 1 and tries >= 2 and tries < 9 and tries <= 8`,
    ],
    [`db.from('crates').select().is('stickered_at', null)`, `stickered_at is null`],
    [`db.from('crates').select().is('stickered', false)`, `stickered = false`],
    [`db.from('crates').select().not('due_at', 'is', null)`, `due_at is not null`],
    [`db.from('crates').select().not('state', 'in', '(sent,lost)')`, `state not in ('sent', 'lost')`],
    [`db.from('crates').select().in('state', ['waiting', 'late'])`, `state in ('waiting', 'late')`],
    [
      `db.from('crates').select().match({ state: 'waiting', stickered: false })`,
      `state = 'waiting' and stickered = false`,
    ],
    [`db.from('crates').select().filter('state', 'eq', 'waiting')`, `state = 'waiting'`],
    [
      `db.from('crates').select().or('state.eq.waiting,stickered_at.is.null')`,
      `state = 'waiting' or stickered_at is null`,
    ],
    [
      `db.from('crates').select().or('state.eq.waiting,and(state.eq.late,tries.lt.3)')`,
      `state = 'waiting' or state = 'late' and tries < 3`,
    ],
    [
      `db.from('crates').select().or('state.in.(waiting,late),not.and(tries.gt.3,stickered.is.true)')`,
      `state in ('waiting', 'late') or not (tries > 3 and stickered = true)`,
    ],
    [`db.from('crates').select().lte('due_at', new Date().toISOString())`, `due_at <= now()`],
    [
      `db.from('crates').select().lt('due_at', new Date(Date.now() - 3_600_000).toISOString())`,
      `due_at < now() - interval '1 hour'`,
    ],
    [
      `db.from('crates').select().or(\`due_at.lt.\${new Date().toISOString()},due_at.is.null\`)`,
      `due_at < now() or due_at is null`,
    ],
    [`db.schema('public').from('crates').select().eq('state', 'waiting')`, `state = 'waiting'`],
  ])('%s', async (pick, expected) => {
    expect((await pickOf(pick)).replace(/[()]/g, '')).toBe(expected.replace(/[()]/g, ''))
  })

  it('built up on several paths', async () => {
    const pick = `let query = db.from('crates').select().eq('state', 'waiting')\nif (Deno.env.get('LATE')) query = query.lt('tries', 3)\nconst { data: crates } = await query.limit(5)`
    expect(await handle(loop(`await mail(crate)\n${DONE}`, pick))).toBe('race effect-before-claim')
  })
  it('its limit or range', async () => {
    const batch = async (end: string) =>
      (
        await follow(
          serve(
            loop(
              `await mail(crate)\n${DONE}`,
              `const BATCH = 7\nconst { data: crates } = await db.from('crates').select().eq('state', 'waiting')${end}`,
            ),
          ),
        )
      ).findings[0]!.overlap!.batch
    expect([await batch('.limit(12)'), await batch('.limit(BATCH)'), await batch('.range(0, 9)')]).toEqual([12, 7, 10])
  })
})

describe('conditions of a claim', () => {
  it.each([
    ['eq', `.update({ state: 'packing' }).eq('id', crate.id).eq('state', 'waiting')`, 'safe row-claim'],
    ['neq', `.update({ state: 'packing' }).eq('id', crate.id).neq('state', 'packing')`, 'safe row-claim'],
    ['match', `.update({ state: 'packing' }).match({ id: crate.id, state: 'waiting' })`, 'safe row-claim'],
    ['not', `.update({ stickered: true }).eq('id', crate.id).not('stickered', 'is', true)`, 'safe row-claim'],
    ['filter', `.update({ state: 'packing' }).eq('id', crate.id).filter('state', 'eq', 'waiting')`, 'safe row-claim'],
    [
      'or, all of it',
      `.update({ state: 'packing' }).eq('id', crate.id).or('state.eq.waiting,state.eq.late')`,
      'safe row-claim',
    ],
    [
      'or, a part of it',
      `.update({ state: 'packing' }).eq('id', crate.id).or('state.eq.waiting,state.eq.packing')`,
      'race claim-not-self-falsifying',
    ],
    ['in', `.update({ state: 'packing' }).eq('id', crate.id).in('state', ['waiting', 'late'])`, 'safe row-claim'],
    ['the key alone, by match', `.update({ state: 'packing' }).match({ id: crate.id })`, 'race unconditional-claim'],
  ])('%s', async (_name, chain, expected) => {
    expect(await handle(claim(chain))).toBe(expected)
  })

  it('of a table in another schema', async () => {
    const sql = `create schema depot; create table depot.crates (id uuid primary key, state text, email text);`
    const body = `const depot = db.schema('depot')\nconst { data: crates } = await depot.from('crates').select('*').eq('state', 'waiting')
      for (const crate of crates!) { const { data: mine } = await depot.from('crates').update({ state: 'packing' }).eq('id', crate.id).eq('state', 'waiting').select().maybeSingle()\nif (!mine) continue\nawait mail(crate) }`
    expect(await handle(body, { sql })).toBe('safe row-claim')
  })
  it.each([
    ['by schema()', `db.schema('depot')`],
    ['by the client’s option', `createClient('a', 'b', { db: { schema: 'depot' } })`],
  ])('an insert in another schema, %s', async (_name, client) => {
    const sql = `create schema depot; create table depot.notes (crate uuid, kind text, unique (crate, kind));`
    const body = loop(
      `const { error } = await ${client}.from('notes').insert({ crate: crate.id, kind: 'x' })\nif (error) continue\nawait mail(crate)`,
    )
    expect(await handle(body, { sql })).toBe('safe insert-claim')
  })
  it('an insert into one of two tables of a name: which key it falls under is not known', async () => {
    const sql = `create schema depot; create table depot.notes (crate uuid, kind text, unique (crate, kind)); create table notes (crate uuid, kind text);`
    const insert = (client: string) =>
      loop(
        `const { error } = await ${client}.from('notes').insert({ crate: crate.id, kind: 'x' })\nif (error) continue\nawait mail(crate)`,
      )
    expect(await handle(insert('db'), { sql })).toBe('unknown')
    expect(await handle(insert(`db.schema('depot')`), { sql })).toBe('unknown')
  })
})

describe('routines', () => {
  const call = (name: string, args: string) =>
    loop(`const { data: mine } = await db.rpc('${name}', ${args})\nif (!mine) continue\nawait mail(crate)`)
  it('that answers whether it took the row', async () => {
    const sql = `create function take_one(which uuid) returns boolean language plpgsql as $$ begin
      update crates set state = 'packing' where id = which and state = 'waiting'; return found; end $$;`
    expect(await handle(call('take_one', '{ which: crate.id }'), { sql })).toBe('safe row-claim')
  })
  it('that takes it by its key alone', async () => {
    const sql = `create function take_one(which uuid) returns boolean language plpgsql as $$ begin
      update crates set state = 'packing' where id = which; return found; end $$;`
    expect(await handle(call('take_one', '{ which: crate.id }'), { sql })).toBe('race unconditional-claim')
  })
  it('that finds rows without a lock', async () => {
    const sql = `create function take(n int) returns setof crates language sql as $$
      update crates set state = 'packing' where id in (select id from crates where state = 'waiting' limit n) returning * $$;`
    expect(
      await handle(
        `const { data: crates } = await db.rpc('take', { n: 5 })\nfor (const crate of crates) await mail(crate)`,
        { sql },
      ),
    ).toBe('race claim-subselect-unlocked')
  })
  it('that only reads', async () => {
    const sql = `create function due() returns setof crates language sql stable as $$ select * from crates where state = 'waiting' $$;`
    expect(
      await handle(
        `const { data: crates } = await db.rpc('due')\nfor (const crate of crates) { await mail(crate)\n${DONE} }`,
        { sql },
      ),
    ).toBe('race effect-before-claim')
  })
  it('that marks the row after the effect', async () => {
    const sql = `create function done(which uuid) returns void language sql as $$ update crates set state = 'sent' where id = which $$;`
    expect(await handle(loop(`await mail(crate)\nawait db.rpc('done', { which: crate.id })`), { sql })).toBe(
      'race effect-before-claim',
    )
  })
  it('the first of its rows', async () => {
    const sql = `create function take(n int) returns setof crates language sql as $$
      update crates set state = 'packing' where id in (select id from crates where state = 'waiting' limit n for update skip locked) returning * $$;`
    expect(
      await handle(
        `const { data } = await db.rpc('take', { n: 1 })\nconst crate = data?.[0]\nif (!crate) return new Response('none')\nawait mail(crate)`,
        { sql },
      ),
    ).toBe('safe batch-claim')
  })
})

it('whatever has a from() is a client', async () => {
  const files = {
    'functions/_shared/db.ts': `import { createClient } from 'npm:@supabase/supabase-js@2'\nexport const store = () => createClient('a', 'b')`,
  }
  const code = `import { store } from '../_shared/db.ts'\nasync function run({ store: db }: any) {\n${loop(`const { data: mine } = ${CLAIM}\nif (!mine) continue\nawait mail(crate)`)}\n}\n${serve(`await run({ store: store() })`)}`
  expect(answerOf(await follow(code, { files }))).toBe('safe row-claim')
})
