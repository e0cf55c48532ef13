import { describe, expect, it } from 'vitest'
import { answerOf, follow, serve } from '../work/harness.js'

const answer = async (code: string, given = {}) => answerOf(await follow(code, given))

describe('PostgREST by fetch', () => {
  const REST = `const base = Deno.env.get('SUPABASE_URL') + '/rest/v1'
const headers = { apikey: Deno.env.get('KEY')! }
const pick = async () => (await fetch(\`\${base}/crates?state=eq.waiting&select=*&limit=15\`, { headers })).json()
const patch = (id: string, where: string, change: unknown, prefer = 'return=representation') =>
  fetch(\`\${base}/crates?id=eq.\${id}\${where}\`, { method: 'PATCH', headers: { ...headers, Prefer: prefer }, body: JSON.stringify(change) })
`
  const loop = (inside: string) =>
    `${REST}\n${serve(`const crates = await pick()\nfor (const crate of crates) {\n${inside}\n}`)}`
  it.each([
    [
      'a mark at the end',
      `await mail(crate)\nawait patch(crate.id, '', { state: 'sent' })`,
      'race effect-before-claim',
    ],
    [
      'a claim whose rows come back',
      `const mine = await (await patch(crate.id, '&state=eq.waiting', { state: 'packing' })).json()\nif (mine.length === 0) continue\nawait mail(crate)`,
      'safe row-claim',
    ],
    [
      'a claim of which only the status is asked',
      `const answer = await patch(crate.id, '&state=eq.waiting', { state: 'packing' })\nif (!answer.ok) continue\nawait mail(crate)`,
      'race unchecked-claim',
    ],
    [
      'a claim that leaves its own condition',
      `const mine = await (await patch(crate.id, '&state=in.(waiting,packing)', { state: 'packing' })).json()\nif (!mine.length) continue\nawait mail(crate)`,
      'race claim-not-self-falsifying',
    ],
    [
      'a claim with or',
      `const mine = await (await patch(crate.id, '&or=(state.eq.waiting,state.eq.late)', { state: 'packing' })).json()\nif (!mine.length) continue\nawait mail(crate)`,
      'safe row-claim',
    ],
    [
      'an insert that merges',
      `const made = await fetch(base + '/slips', { method: 'POST', headers: { ...headers, Prefer: 'resolution=merge-duplicates,return=representation' }, body: JSON.stringify({ crate_id: crate.id, kind: 'haul' }) })\nif (!made.ok) continue\nawait mail(crate)`,
      'race upsert-as-claim',
    ],
  ])('%s', async (_name, inside, expected) => {
    expect(await answer(loop(inside))).toBe(expected)
  })
  it.each([
    [
      'an insert under a key',
      `const made = await fetch(base + '/slips', { method: 'POST', headers, body: JSON.stringify({ crate_id: crate.id, kind: 'haul' }) })\nif (!made.ok) continue\nawait mail(crate)`,
    ],
    [
      'a conflict that leaves',
      `const made = await fetch(base + '/slips', { method: 'POST', headers, body: JSON.stringify({ crate_id: crate.id, kind: 'haul' }) })\nif (made.status === 409) continue\nawait mail(crate)`,
    ],
  ])('%s', async (_name, inside) => {
    expect(await answer(loop(inside))).toBe('safe insert-claim')
  })
  it('a routine', async () => {
    const sql = `create function take(n int) returns setof crates language sql as $$
      update crates set state = 'packing' where id in (select id from crates where state = 'waiting' limit n for update skip locked) returning * $$;`
    const code = `${REST}\n${serve(`const crates = await (await fetch(base + '/rpc/take', { method: 'POST', headers, body: JSON.stringify({ n: 5 }) })).json()\nfor (const crate of crates) await mail(crate)`)}`
    expect(await answer(code, { sql })).toBe('safe batch-claim')
  })
  it('its limit', async () => {
    const report = await follow(loop(`await mail(crate)\nawait patch(crate.id, '', { state: 'sent' })`))
    expect(report.findings[0]!.overlap!.batch).toBe(15)
  })
  it('a URL of parts', async () => {
    const code =
      serve(`const url = new URL('/rest/v1/crates', Deno.env.get('SUPABASE_URL'))\nurl.searchParams.set('state', 'eq.waiting')\nconst crates = await (await fetch(url)).json()
      for (const crate of crates) { await mail(crate)\nconst { error } = await db.from('crates').update({ state: 'sent' }).eq('id', crate.id) }`)
    expect(await answer(code)).toBe('race effect-before-claim')
  })
})

const take = (lock: string) =>
  `update crates set state = 'packing' where id in (select id from crates where state = 'waiting' limit 5 ${lock}) returning *`

describe('postgres.js', () => {
  const code = (body: string) =>
    `import postgres from 'npm:postgres'\nconst sql = postgres(Deno.env.get('DB')!)\n${serve(body)}`
  const loop = (inside: string) =>
    code(
      `const crates = await sql\`select * from crates where state = 'waiting' limit 9\`\nfor (const crate of crates) {\n${inside}\n}`,
    )
  it.each([
    [
      'a mark at the end',
      loop('await mail(crate)\nawait sql`update crates set state = ${"sent"} where id = ${crate.id}`'),
      'race effect-before-claim',
    ],
    [
      'a row that came back',
      loop(
        `const [mine] = await sql\`update crates set state = 'packing' where id = \${crate.id} and state = 'waiting' returning id\`\nif (!mine) continue\nawait mail(crate)`,
      ),
      'safe row-claim',
    ],
    [
      'its count',
      loop(
        `const done = await sql\`update crates set state = 'packing' where id = \${crate.id} and state = 'waiting'\`\nif (done.count === 0) continue\nawait mail(crate)`,
      ),
      'safe row-claim',
    ],
    [
      'nothing is asked',
      loop(
        `await sql\`update crates set state = 'packing' where id = \${crate.id} and state = 'waiting'\`\nawait mail(crate)`,
      ),
      'race unchecked-claim',
    ],
    [
      'by its key alone',
      loop(
        `const [mine] = await sql\`update crates set state = 'packing' where id = \${crate.id} returning id\`\nif (!mine) continue\nawait mail(crate)`,
      ),
      'race unconditional-claim',
    ],
    [
      'a batch under skip locked',
      code(
        `const crates = await sql\`${take('for update skip locked')}\`\nfor (const crate of crates) await mail(crate)`,
      ),
      'safe batch-claim',
    ],
    [
      'a batch without a lock',
      code(`const crates = await sql\`${take('')}\`\nfor (const crate of crates) await mail(crate)`),
      'race claim-subselect-unlocked',
    ],
    [
      'S14: the lock of a transaction that stays open',
      code(
        `await sql.begin(async (tx) => { const crates = await tx\`select * from crates where state = 'waiting' limit 5 for update skip locked\`\nfor (const crate of crates) { await mail(crate)\nawait tx\`update crates set state = 'sent' where id = \${crate.id}\` } })`,
      ),
      'safe batch-claim',
    ],
    [
      'a lock that ends before the work',
      code(
        `const crates = await sql.begin((tx) => tx\`select * from crates where state = 'waiting' limit 5 for update skip locked\`)\nfor (const crate of crates) { await mail(crate)\nawait sql\`update crates set state = 'sent' where id = \${crate.id}\` }`,
      ),
      'race lock-only-claim',
    ],
    [
      'rows that a transaction locks and moves on',
      code(
        `const crates = await sql.begin(async (tx) => { const found = await tx\`select * from crates where state = 'waiting' limit 5 for update skip locked\`\nawait tx\`update crates set state = 'packing' where id in \${tx(found.map((each) => each.id))}\`\nreturn found })\nfor (const crate of crates) await mail(crate)`,
      ),
      'safe batch-claim',
    ],
    [
      'rows that a transaction locks and leaves where they are',
      code(
        `const crates = await sql.begin(async (tx) => { const found = await tx\`select * from crates where state = 'waiting' limit 5 for update skip locked\`\nawait tx\`update crates set tries = 1 where id in \${tx(found.map((each) => each.id))}\`\nreturn found })\nfor (const crate of crates) await mail(crate)`,
      ),
      'race lock-only-claim',
    ],
    [
      'of many rows one came back',
      code(
        `const crates = await sql\`select * from crates where state = 'waiting'\`\nconst mine = await sql\`update crates set state = 'packing' where id in \${sql(crates.map((each) => each.id))} and state = 'waiting' returning id\`\nif (mine.length === 0) return new Response('none')\nfor (const crate of crates) await mail(crate)`,
      ),
      'race unchecked-claim',
    ],
    [
      'of the rows that a transaction locks, one is moved on',
      code(
        `const crates = await sql.begin(async (tx) => { const found = await tx\`select * from crates where state = 'waiting' limit 5 for update skip locked\`\nawait tx\`update crates set state = 'packing' where id = \${found[0].id}\`\nreturn found })\nfor (const crate of crates) await mail(crate)`,
      ),
      'race lock-only-claim',
    ],
    [
      'an insert that says whether it made a row',
      loop(
        `const [made] = await sql\`insert into slips (crate_id, kind) values (\${crate.id}, 'haul') on conflict do nothing returning crate_id\`\nif (!made) continue\nawait mail(crate)`,
      ),
      'safe insert-claim',
    ],
    [
      'an advisory lock',
      code(
        `const [{ got }] = await sql\`select pg_try_advisory_lock(9) as got\`\nif (!got) return new Response('busy')\nconst crates = await sql\`select * from crates where state = 'waiting'\`\nfor (const crate of crates) { await mail(crate)\nawait sql\`update crates set state = 'sent' where id = \${crate.id}\` }`,
      ),
      'race session-lock-over-pool',
    ],
    [
      'a part of a statement',
      code(
        `const free = sql\`state = 'waiting'\`\nconst crates = await sql\`select * from crates where \${free}\`\nfor (const crate of crates) { await mail(crate)\nawait sql\`update crates set \${sql({ state: 'sent' })} where id = \${crate.id}\` }`,
      ),
      'race effect-before-claim',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await answer(text)).toBe(expected)
  })
})

describe('node-postgres and deno-postgres', () => {
  const pg = (body: string) => `import { Pool } from 'npm:pg'\nconst pool = new Pool()\n${serve(body)}`
  const deno = (body: string) =>
    `import { Client } from 'https://deno.land/x/postgres@v0.17.0/mod.ts'\nconst client = new Client('x')\n${serve(body)}`
  it.each([
    [
      'pg: rows of a claim',
      pg(
        `const { rows: crates } = await pool.query(\`${take('for update skip locked')}\`)\nfor (const crate of crates) await mail(crate)`,
      ),
      'safe batch-claim',
    ],
    [
      'pg: parameters',
      pg(
        `const { rows } = await pool.query("select * from crates where state = 'waiting'")\nfor (const crate of rows) { const done = await pool.query("update crates set state = 'packing' where id = $1 and state = $2", [crate.id, 'waiting'])\nif (done.rowCount === 0) continue\nawait mail(crate) }`,
      ),
      'safe row-claim',
    ],
    [
      'pg: a mark at the end',
      pg(
        `const { rows } = await pool.query("select * from crates where state = 'waiting'")\nfor (const crate of rows) { await mail(crate)\nawait pool.query("update crates set state = 'sent' where id = $1", [crate.id]) }`,
      ),
      'race effect-before-claim',
    ],
    [
      'pg: a text in an object',
      pg(
        `const { rows } = await pool.query({ text: \`${take('for update skip locked')}\`, values: [] })\nfor (const crate of rows) await mail(crate)`,
      ),
      'safe batch-claim',
    ],
    [
      'pg: begin and commit around the work',
      pg(
        `const one = await pool.connect()\nawait one.query('begin')\nconst { rows } = await one.query("select * from crates where state = 'waiting' for update skip locked")\nfor (const crate of rows) { await mail(crate)\nawait one.query("update crates set state = 'sent' where id = $1", [crate.id]) }\nawait one.query('commit')`,
      ),
      'safe batch-claim',
    ],
    [
      'deno-postgres: queryObject',
      deno(
        `const { rows } = await client.queryObject\`${take('for update skip locked')}\`\nfor (const crate of rows as any[]) await mail(crate)`,
      ),
      'safe batch-claim',
    ],
    [
      'deno-postgres: a mark at the end',
      deno(
        `const { rows } = await client.queryObject("select * from crates where state = 'waiting'")\nfor (const crate of rows as any[]) { await mail(crate)\nawait client.queryObject("update crates set state = 'sent' where id = $1", [crate.id]) }`,
      ),
      'race effect-before-claim',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await answer(text)).toBe(expected)
  })
  it('pgmq over a direct connection', async () => {
    expect(
      await answer(
        pg(
          `const { rows } = await pool.query("select * from pgmq.read('crates', 300, 10)")\nfor (const one of rows) await mail(one.message)`,
        ),
      ),
    ).toBe('safe batch-claim')
  })
})
