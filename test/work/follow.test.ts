import { describe, expect, it } from 'vitest'
import { CLAIM, DONE, HEAD, PICK, answerOf, follow, handle, serve } from './harness.js'

const taken = `const { data: mine } = ${CLAIM}\nif (!mine) continue\nawait mail(parcel)`
const takes = `async (parcel: any) => { const { data: mine } = ${CLAIM}\nif (!mine) return\nawait mail(parcel) }`
const late = `async (parcel: any) => { await mail(parcel)\n${DONE} }`

/** Each way of going through rows, with the claim in it and with the mark at its end. */
const walks: readonly (readonly [string, (turn: string, each: string) => string])[] = [
  ['for-of', (turn) => `for (const parcel of parcels!) { ${turn} }`],
  ['an index', (turn) => `for (let i = 0; i < parcels!.length; i++) { const parcel = parcels![i]; ${turn} }`],
  ['entries', (turn) => `for (const [n, parcel] of parcels!.entries()) { ${turn} }`],
  [
    'while and shift',
    (turn) => `const queue = [...parcels!]\nwhile (queue.length > 0) { const parcel = queue.shift()!; ${turn} }`,
  ],
  ['forEach', (_turn, each) => `parcels!.forEach(${each})`],
  ['map and Promise.all', (_turn, each) => `await Promise.all(parcels!.map(${each}))`],
  [
    'chunks and allSettled',
    (_turn, each) =>
      `for (let i = 0; i < parcels!.length; i += 4) await Promise.allSettled(parcels!.slice(i, i + 4).map(${each}))`,
  ],
  [
    'workers',
    (_turn, each) =>
      `const queue = [...parcels!]; const one = ${each}\nasync function worker() { for (;;) { const parcel = queue.pop(); if (!parcel) return; await one(parcel) } }\nawait Promise.all([worker(), worker()])`,
  ],
  [
    'an async generator',
    (turn) =>
      `async function* feed() { for (const one of parcels!) yield one }\nfor await (const parcel of feed()) { ${turn} }`,
  ],
  [
    'reduce',
    (_turn, each) =>
      `const one = ${each}\nawait parcels!.reduce(async (before: any, parcel: any) => { await before; await one(parcel) }, Promise.resolve())`,
  ],
  [
    'a helper that walks',
    (_turn, each) =>
      `const walk = async (list: any[], fn: any) => { for (const item of list) await fn(item) }\nawait walk(parcels!, ${each})`,
  ],
  [
    'recursion',
    (_turn, each) =>
      `const one = ${each}\nasync function next(list: any[]): Promise<void> { const [parcel, ...others] = list; if (!parcel) return; await one(parcel); await next(others) }\nawait next(parcels!)`,
  ],
  ['filter and flat', (turn) => `for (const parcel of [parcels!].flat().filter((p: any) => p.email)) { ${turn} }`],
  [
    'groups in a Map',
    (turn) =>
      `const groups = new Map<string, any[]>()\nfor (const p of parcels!) groups.set(p.depot_id, [...(groups.get(p.depot_id) ?? []), p])\nfor (const [, group] of groups) for (const parcel of group) { ${turn} }`,
  ],
  [
    'groups in an object',
    (turn) =>
      `const groups: any = {}\nfor (const p of parcels!) (groups[p.depot_id] ??= []).push(p)\nfor (const group of Object.values(groups) as any[]) for (const parcel of group) { ${turn} }`,
  ],
  [
    'Object.groupBy',
    (turn) =>
      `const groups: any = Object.groupBy(parcels!, (p: any) => p.kind)\nfor (const group of Object.values(groups) as any[]) for (const parcel of group) { ${turn} }`,
  ],
  [
    'rows of rows: a tenant at a time',
    (turn) =>
      `const { data: depots } = await db.from('depots').select('id').eq('open', true)\nfor (const depot of depots!) { const { data: some } = await db.from('parcels').select('*').eq('depot_id', depot.id).eq('state', 'waiting')\nfor (const parcel of some!) { ${turn} } }`,
  ],
  [
    'one row a turn',
    (turn) =>
      `for (let n = 0; n < 10; n++) { const { data: parcel } = await db.from('parcels').select('*').eq('state', 'waiting').limit(1).maybeSingle()\nif (!parcel) break\n${turn} }`,
  ],
]

describe('ways through rows', () => {
  it.each(walks)('%s: a mark at the end is too late', async (_name, walk) => {
    expect(await handle(`${PICK}\n${walk(`await mail(parcel)\n${DONE}`, late)}`)).toBe('race effect-before-claim')
  })
  it.each(walks)('%s: a claim holds', async (_name, walk) => {
    expect(await handle(`${PICK}\n${walk(taken, takes)}`)).toBe('safe row-claim')
  })
})

const loop = (inside: string) => `${PICK}\nfor (const parcel of parcels ?? []) {\n${inside}\n}`

describe('where a claim is asked', () => {
  it.each([
    [
      'in a helper that says yes or no',
      `const take = async (parcel: any) => { const { data } = ${CLAIM}\nreturn data !== null }`,
      `if (!(await take(parcel))) continue\nawait mail(parcel)`,
    ],
    [
      'in a helper that gives the row or nothing',
      `async function take(parcel: any) { const { data, error } = ${CLAIM}\nif (error) return null\nreturn data }`,
      `const mine = await take(parcel)\nif (mine) await mail(mine)`,
    ],
    [
      'in a helper that throws',
      `async function take(parcel: any) { const { data } = ${CLAIM}\nif (!data) throw new Error('taken') }`,
      `try { await take(parcel) } catch { continue }\nawait mail(parcel)`,
    ],
    [
      'in a helper that is given what to do',
      `async function within(parcel: any, fn: any) { const { data } = ${CLAIM}\nif (data) await fn(data) }`,
      `await within(parcel, (one: any) => mail(one))`,
    ],
    [
      'in a method of a class',
      `class Depot { constructor(private db: any) {}\nasync take(parcel: any) { const { data } = ${CLAIM.replace('db.', 'this.db.')}\nreturn Boolean(data) } }`,
      `const depot = new Depot(db)\nif (await depot.take(parcel)) await mail(parcel)`,
    ],
    [
      'in a subclass',
      `class Base { async take(parcel: any) { const { data } = ${CLAIM}\nreturn !!data } }\nclass Depot extends Base {}`,
      `if (await new Depot().take(parcel)) await mail(parcel)`,
    ],
    [
      'with an object for an answer',
      `async function take(parcel: any) { const { data } = ${CLAIM}\nreturn data ? { ok: true, row: data } : { ok: false } }`,
      `const answer = await take(parcel)\nif (!answer.ok) continue\nawait mail(answer.row)`,
    ],
    [
      'by a switch',
      ``,
      `const { data: mine } = ${CLAIM}\nswitch (mine) { case null: continue; default: await mail(parcel) }`,
    ],
    ['by a condition in the call', ``, `const { data: mine } = ${CLAIM}\nmine && (await mail(parcel))`],
    ['by a ternary', ``, `const { data: mine } = ${CLAIM}\nmine ? await mail(parcel) : null`],
    [
      'with a default',
      ``,
      `const { data: [mine] = [] } = await db.from('parcels').update({ state: 'packing' }).eq('id', parcel.id).eq('state', 'waiting').select()\nif (!mine) continue\nawait mail(parcel)`,
    ],
    [
      'with a name of its own for the count',
      ``,
      `const { count: hits } = await db.from('parcels').update({ state: 'packing' }, { count: 'exact' }).eq('id', parcel.id).eq('state', 'waiting')\nif (!hits) continue\nawait mail(parcel)`,
    ],
    [
      'through then',
      ``,
      `const mine = await ${CLAIM.replace('await ', '')}.then(({ data }) => data)\nif (!mine) continue\nawait mail(parcel)`,
    ],
    [
      'in a variable that is set elsewhere',
      ``,
      `let mine = null\n{ const { data } = ${CLAIM}\nmine = data }\nif (mine === null) continue\nawait mail(parcel)`,
    ],
    [
      'with finally around the work',
      ``,
      `const { data: mine } = ${CLAIM}\nif (!mine) continue\ntry { await mail(parcel) } finally { ${DONE} }`,
    ],
    [
      'with columns through a computed key and an enum',
      `enum State { Free = 'waiting', Packing = 'packing' }\nconst COLUMN = 'state'`,
      `const { data: mine } = await db.from('parcels').update({ [COLUMN]: State.Packing }).eq('id', parcel.id).eq(COLUMN, State.Free).select().maybeSingle()\nif (!mine) continue\nawait mail(parcel)`,
    ],
    [
      'with values that are spread',
      `const PACKING = { state: 'packing' } as const`,
      `const { data: mine } = await db.from('parcels').update({ ...PACKING, labelled: true }).eq('id', parcel.id).eq('state', 'waiting').select().maybeSingle()\nif (!mine) continue\nawait mail(parcel)`,
    ],
  ])('%s', async (_name, head, inside) => {
    expect(answerOf(await follow(`${head}\n${serve(loop(inside))}`, {}))).toBe('safe row-claim')
  })

  it.each([
    [
      'on one of two paths only',
      `if (parcel.kind === 'x') { const { data: mine } = ${CLAIM}\nif (!mine) continue }\nawait mail(parcel)\n${DONE}`,
    ],
    [
      'and the work goes on after a failure',
      `try { const { data: mine } = ${CLAIM}\nif (!mine) throw new Error('taken') } catch (e) { console.log(e) }\nawait mail(parcel)\n${DONE}`,
    ],
    [
      'of the other row',
      `const { data: mine } = await db.from('depots').update({ open: false }).eq('id', parcel.depot_id).eq('open', true).select().maybeSingle()\nif (!mine) console.log('x')\nawait mail(parcel)\n${DONE}`,
    ],
    ['the wrong way round', `const { data: mine } = ${CLAIM}\nif (mine) continue\nawait mail(parcel)\n${DONE}`],
    [
      'by a helper that always says yes',
      `const take = async () => { const { data } = ${CLAIM}\nif (!data) console.log('taken')\nreturn true }\nif (!(await take())) continue\nawait mail(parcel)\n${DONE}`,
    ],
  ])('%s: races', async (_name, inside) => {
    expect(await handle(loop(inside))).toMatch(/^race/)
  })
})

describe('lists of rows that were won', () => {
  const all = `const { data: claimed } = await db.from('parcels').update({ state: 'packing' }).in('id', parcels!.map((p) => p.id)).eq('state', 'waiting').select('id')`
  it.each([
    [
      'pushed into a second array',
      `const won: any[] = []\nfor (const parcel of parcels!) { const { data: mine } = ${CLAIM}\nif (mine) won.push(parcel) }\nfor (const parcel of won) await mail(parcel)`,
      'safe row-claim',
    ],
    [
      'mapped to row or null and filtered by Boolean',
      `const won = (await Promise.all(parcels!.map(async (parcel) => { const { data } = ${CLAIM}\nreturn data ? parcel : null }))).filter(Boolean)\nfor (const parcel of won) await mail(parcel)`,
      'safe row-claim',
    ],
    [
      'mapped to lists of one or none',
      `const won = (await Promise.all(parcels!.map(async (parcel) => { const { data } = ${CLAIM}\nreturn data ? [data] : [] }))).flat()\nfor (const parcel of won) await mail(parcel)`,
      'safe row-claim',
    ],
    [
      'by a Set of their ids',
      `${all}\nconst ids = new Set(claimed!.map((c) => c.id))\nfor (const parcel of parcels!) { if (!ids.has(parcel.id)) continue\nawait mail(parcel) }`,
      'safe batch-claim',
    ],
    [
      'by includes',
      `${all}\nconst ids = claimed!.map((c) => c.id)\nfor (const parcel of parcels!.filter((p) => ids.includes(p.id))) await mail(parcel)`,
      'safe batch-claim',
    ],
    [
      'by some',
      `${all}\nfor (const parcel of parcels!) { if (!claimed!.some((c) => c.id === parcel.id)) continue\nawait mail(parcel) }`,
      'safe batch-claim',
    ],
    [
      'by find',
      `${all}\nfor (const parcel of parcels!) { const mine = claimed!.find((c) => c.id === parcel.id)\nif (!mine) continue\nawait mail(parcel) }`,
      'safe batch-claim',
    ],
    [
      'by a Map',
      `${all}\nconst byId = new Map(claimed!.map((c) => [c.id, c]))\nfor (const parcel of parcels!) { if (!byId.get(parcel.id)) continue\nawait mail(parcel) }`,
      'safe batch-claim',
    ],
  ])('%s', async (_name, body, expected) => {
    expect(await handle(`${PICK}\n${body}`)).toBe(expected)
  })
})

describe('lists of rows that were won, not seen yet', () => {
  // Bug: a callback with a single way out gives its value without its facts (lists.ts map: altOf of one option), so that
  // "held" is lost after Promise.all and the claim's own rows are not owned: false alarm, "race no-claim".
  it.fails.each([
    ['what the claim gave, filtered by Boolean', `return data`, `.filter(Boolean)`],
    ['what the claim gave, asked in the loop', `return data`, `.filter((one: any) => one !== null)`],
    ['allSettled of claims that throw', `if (!data) throw new Error('taken')\nreturn parcel`, ``],
  ])('%s', async (_name, answer, filter) => {
    const all = filter === '' ? 'allSettled' : 'all'
    const only = filter === '' ? `.filter((r: any) => r.status === 'fulfilled').map((r: any) => r.value)` : filter
    const body = `const won = (await Promise.${all}(parcels!.map(async (parcel) => { const { data } = ${CLAIM}\n${answer} })))${only}
      for (const parcel of won) await mail(parcel)`
    expect(await handle(`${PICK}\n${body}`)).toBe('safe row-claim')
  })

  const some = `const { data: claimed } = await db.from('parcels').update({ state: 'packing' }).in('id', parcels!.map((p) => p.id)).eq('state', 'waiting').select('id')
    if (!claimed!.length) return new Response('none')
    for (const parcel of parcels!) { await mail(parcel)\n${DONE} }`
  it('that some row came back says nothing of this one', async () => {
    expect(await handle(`${PICK}\n${some}`)).toMatch(/^race/)
  })
  // Bug: attempts.ts asks for `won` where a claim of many rows needs `among`: named effect-before-claim.
  it.fails('and the claim that is not asked for this one is named', async () => {
    expect(await handle(`${PICK}\n${some}`)).toBe('race unchecked-claim')
  })
})

describe('modules', () => {
  const claimFile = `export async function take(db: any, parcel: any) { const { data } = ${CLAIM}\nreturn data !== null }`
  const inside = `if (!(await take(db, parcel))) continue\nawait mail(parcel)`
  it.each([
    ['a file', `import { take } from '../_shared/take.ts'`, { 'functions/_shared/take.ts': claimFile }],
    [
      'another name',
      `import { take as grab } from '../_shared/take.ts'\nconst take = grab`,
      { 'functions/_shared/take.ts': claimFile },
    ],
    [
      'a namespace',
      `import * as claims from '../_shared/take.ts'\nconst { take } = claims`,
      { 'functions/_shared/take.ts': claimFile },
    ],
    [
      'a barrel',
      `import { take } from '../_shared/mod.ts'`,
      { 'functions/_shared/mod.ts': `export * from './take.ts'`, 'functions/_shared/take.ts': claimFile },
    ],
    [
      'a re-export by another name',
      `import { take } from '../_shared/mod.ts'`,
      {
        'functions/_shared/mod.ts': `export { grab as take } from './take.ts'`,
        'functions/_shared/take.ts': claimFile.replace('take', 'grab'),
      },
    ],
    [
      'a default export',
      `import take from '../_shared/take.ts'`,
      { 'functions/_shared/take.ts': claimFile.replace('export', 'export default') },
    ],
    [
      'a dynamic import',
      `const { take } = await import('../_shared/take.ts')`,
      { 'functions/_shared/take.ts': claimFile },
    ],
    [
      'an import map',
      `import { take } from 'depot/take.ts'`,
      {
        'functions/_shared/take.ts': claimFile,
        'functions/ship/deno.json': `{ "imports": { "depot/": "../_shared/" } }`,
      },
    ],
    [
      'files that import each other',
      `import { take } from '../_shared/take.ts'`,
      {
        'functions/_shared/take.ts': `import { FREE } from './state.ts'\n${claimFile.replace(`'waiting'`, 'FREE')}`,
        'functions/_shared/state.ts': `import './take.ts'\nexport const FREE = 'waiting'`,
      },
    ],
  ])('%s', async (_name, head, files) => {
    expect(
      answerOf(await follow(`${head}\n${serve(loop(inside))}`, { files: files as unknown as Record<string, string> })),
    ).toBe('safe row-claim')
  })
  it('constants and tables of another file', async () => {
    const files = {
      'functions/_shared/names.ts': `export const TABLE = 'parcels' as const\nexport const STATE = { free: 'waiting', packing: 'packing' } as const`,
    }
    const body = loop(
      `const { data: mine } = await db.from(TABLE).update({ state: STATE.packing }).eq('id', parcel.id).eq('state', STATE.free).select().maybeSingle()\nif (!mine) continue\nawait mail(parcel)`,
    )
    expect(
      answerOf(await follow(`import { TABLE, STATE } from '../_shared/names.ts'\n${serve(body)}`, { files })),
    ).toBe('safe row-claim')
  })
})

describe('handlers', () => {
  const work = loop(`await mail(parcel)\n${DONE}`)
  const handler = `async (req: any) => {\n${work}\nreturn new Response('ok')\n}`
  it.each([
    ['Deno.serve', `Deno.serve(${handler})`],
    ['Deno.serve with options', `Deno.serve({ port: 8000 }, ${handler})`],
    ['a named function', `async function run(req: Request) {\n${work}\nreturn new Response('ok')\n}\nDeno.serve(run)`],
    [
      'serve of the standard library',
      `import { serve } from 'https://deno.land/std@0.168.0/http/server.ts'\nserve(${handler})`,
    ],
    ['export default { fetch }', `export default { fetch: ${handler} }`],
    [
      'a route of Hono',
      `import { Hono } from 'npm:hono'\nconst app = new Hono()\napp.get('/health', (c) => c.text('ok'))\napp.post('/ship', async (c) => {\n${work}\nreturn c.json({})\n})\nDeno.serve(app.fetch)`,
    ],
    [
      'a route of Oak',
      `import { Application, Router } from 'jsr:@oak/oak'\nconst router = new Router()\nrouter.post('/ship', ${handler})\nconst app = new Application()\napp.use(router.routes())\nawait app.listen({ port: 8000 })`,
    ],
    [
      'a wrapper around the handler',
      `const guarded = (fn: any) => async (req: any) => { if (!req.headers.get('authorization')) return new Response('no', { status: 401 }); return await fn(req) }\nDeno.serve(guarded(${handler}))`,
    ],
  ])('%s', async (_name, code) => {
    expect(answerOf(await follow(`${HEAD}\n${code}`))).toBe('race effect-before-claim')
  })
  it('in another file', async () => {
    const files = { 'functions/_shared/run.ts': `${HEAD}\nexport const run = ${handler}` }
    expect(answerOf(await follow(`import { run } from '../_shared/run.ts'\nDeno.serve(run)`, { files }))).toBe(
      'race effect-before-claim',
    )
  })
  it('that answers the preflight first', async () => {
    expect(await handle(`if (req.method === 'OPTIONS') return new Response('ok')\n${work}`)).toBe(
      'race effect-before-claim',
    )
  })
  it('whose branch is never entered by the tick', async () => {
    const body = `const { mode } = await req.json()\nif (mode === 'send') {\n${work}\n}`
    expect(
      await handle(body, {
        command: `select net.http_post(url := 'https://abcdefghijklmnopqrst.supabase.co/functions/v1/ship', body := '{"mode": "clean"}'::jsonb)`,
      }),
    ).toBe('no-row-work')
  })
})

describe('what cannot be followed is unknown, and never safe', () => {
  const unknown = async (code: string, given = {}) => {
    const report = await follow(code, given)
    const { verdict, reasons } = report.functions.find((each) => each.name === 'ship')!
    return { verdict, reasons: reasons.map((reason) => `${reason.message} @${reason.location?.startLine ?? '-'}`) }
  }
  it('an import that is not there', async () => {
    const { verdict, reasons } = await unknown(
      `import { take } from '../_shared/gone.ts'\n${serve(loop(`if (!(await take(parcel))) continue\nawait mail(parcel)\n${DONE}`))}`,
    )
    expect(verdict).not.toBe('safe')
    expect(verdict === 'race' || reasons.some((reason) => reason.includes('gone.ts'))).toBe(true)
  })
  it('what an import that is not there sends', async () => {
    const found = await unknown(`import { post } from '../_shared/gone.ts'\n${serve(loop(`await post(parcel)`))}`)
    expect(found).toEqual({ verdict: 'unknown', reasons: [expect.stringContaining('gone.ts')] })
  })
  it('a routine that no migration defines', async () => {
    const found = await unknown(
      serve(
        `const { data: parcels } = await db.rpc('gone', { n: 3 })\nfor (const parcel of parcels) await mail(parcel)`,
      ),
    )
    expect(found).toEqual({ verdict: 'unknown', reasons: [expect.stringContaining('routine gone')] })
  })
  it('a claim by a routine that no migration defines', async () => {
    const found = await unknown(
      serve(
        loop(`const { data: mine } = await db.rpc('gone', { id: parcel.id })\nif (!mine) continue\nawait mail(parcel)`),
      ),
    )
    expect(found.verdict).toBe('unknown')
  })
  it('the name of a function in a variable', async () => {
    const found = await unknown(serve(loop(`await db.functions.invoke(parcel.kind, { body: parcel })\n${DONE}`)))
    expect(found).toEqual({ verdict: 'unknown', reasons: [expect.stringContaining('name is not known')] })
  })
  it('a function whose source is not there', async () => {
    const found = await unknown(serve(loop(`await db.functions.invoke('gone', { body: parcel })\n${DONE}`)))
    expect(found).toEqual({ verdict: 'unknown', reasons: [expect.stringContaining('gone')] })
  })
  it('a text of SQL that the program makes', async () => {
    const found = await unknown(
      `import postgres from 'npm:postgres'\nconst sql = postgres('x')\n${serve(`const parcels = await sql.unsafe(await req.text())\nfor (const parcel of parcels) await mail(parcel)`)}`,
    )
    expect(found.verdict).toBe('unknown')
  })
  it('a file that does not parse', async () => {
    expect((await unknown(`Deno.serve(async () => { for (const x of [ `)).verdict).toBe('unknown')
  })
  it('a file without a handler', async () => {
    expect((await unknown(`export const x = 1`)).verdict).toBe('unknown')
  })
  it('a race that is certain anyway is one', async () => {
    expect(
      (
        await unknown(
          `import { log } from '../_shared/gone.ts'\n${serve(loop(`await log(parcel)\nawait mail(parcel)\n${DONE}`))}`,
        )
      ).verdict,
    ).toBe('race')
  })
  it('an insert under a table that no migration makes', async () => {
    const found = await unknown(
      serve(
        loop(
          `const { error } = await db.from('gone').insert({ parcel_id: parcel.id })\nif (error) continue\nawait mail(parcel)`,
        ),
      ),
    )
    expect(found.verdict).toBe('unknown')
  })
  it('a claim whose values are not known', async () => {
    const found = await unknown(
      serve(
        loop(
          `const { data: mine } = await db.from('parcels').update({ state: Deno.env.get('NEXT') }).eq('id', parcel.id).eq('state', 'waiting').select().maybeSingle()\nif (!mine) continue\nawait mail(parcel)`,
        ),
      ),
    )
    expect(found.verdict).toBe('unknown')
  })
})
