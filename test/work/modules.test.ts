import { describe, expect, it } from 'vitest'
import { CLAIM, DONE, HEAD, PICK, answerOf, follow, handle, serve } from './harness.js'

const loop = (inside: string) => `${PICK}\nfor (const crate of crates ?? []) {\n${inside}\n}`

describe('modules', () => {
  const claimFile = `export async function take(db: any, crate: any) { const { data } = ${CLAIM}\nreturn data !== null }`
  const inside = `if (!(await take(db, crate))) continue\nawait mail(crate)`
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
        'functions/haul/deno.json': `{ "imports": { "depot/": "../_shared/" } }`,
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
      'functions/_shared/names.ts': `export const TABLE = 'crates' as const\nexport const STATE = { free: 'waiting', packing: 'packing' } as const`,
    }
    const body = loop(
      `const { data: mine } = await db.from(TABLE).update({ state: STATE.packing }).eq('id', crate.id).eq('state', STATE.free).select().maybeSingle()\nif (!mine) continue\nawait mail(crate)`,
    )
    expect(
      answerOf(await follow(`import { TABLE, STATE } from '../_shared/names.ts'\n${serve(body)}`, { files })),
    ).toBe('safe row-claim')
  })
})

describe('handlers', () => {
  const work = loop(`await mail(crate)\n${DONE}`)
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
      `import { Hono } from 'npm:hono'\nconst app = new Hono()\napp.get('/health', (c) => c.text('ok'))\napp.post('/haul', async (c) => {\n${work}\nreturn c.json({})\n})\nDeno.serve(app.fetch)`,
    ],
    [
      'a route of Oak',
      `import { Application, Router } from 'jsr:@oak/oak'\nconst router = new Router()\nrouter.post('/haul', ${handler})\nconst app = new Application()\napp.use(router.routes())\nawait app.listen({ port: 8000 })`,
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
        command: `select net.http_post(url := 'https://abcdefghijklmnopqrst.supabase.co/functions/v1/haul', body := '{"mode": "clean"}'::jsonb)`,
      }),
    ).toBe('no-row-work')
  })
})

describe('what cannot be followed is unknown, and never safe', () => {
  const unknown = async (code: string, given = {}) => {
    const report = await follow(code, given)
    const { verdict, reasons } = report.functions.find((each) => each.name === 'haul')!
    return { verdict, reasons: reasons.map((reason) => `${reason.message} @${reason.location?.startLine ?? '-'}`) }
  }
  it('an import that is not there', async () => {
    const { verdict, reasons } = await unknown(
      `import { take } from '../_shared/gone.ts'\n${serve(loop(`if (!(await take(crate))) continue\nawait mail(crate)\n${DONE}`))}`,
    )
    expect(verdict).not.toBe('safe')
    expect(verdict === 'race' || reasons.some((reason) => reason.includes('gone.ts'))).toBe(true)
  })
  it('what an import that is not there sends', async () => {
    const found = await unknown(`import { post } from '../_shared/gone.ts'\n${serve(loop(`await post(crate)`))}`)
    expect(found).toEqual({ verdict: 'unknown', reasons: [expect.stringContaining('gone.ts')] })
  })
  it('a routine that no migration defines', async () => {
    const found = await unknown(
      serve(`const { data: crates } = await db.rpc('gone', { n: 3 })\nfor (const crate of crates) await mail(crate)`),
    )
    expect(found).toEqual({ verdict: 'unknown', reasons: [expect.stringContaining('routine gone')] })
  })
  it('a claim by a routine that no migration defines', async () => {
    const found = await unknown(
      serve(
        loop(`const { data: mine } = await db.rpc('gone', { id: crate.id })\nif (!mine) continue\nawait mail(crate)`),
      ),
    )
    expect(found.verdict).toBe('unknown')
  })
  it('the name of a function in a variable', async () => {
    const found = await unknown(serve(loop(`await db.functions.invoke(crate.kind, { body: crate })\n${DONE}`)))
    expect(found).toEqual({ verdict: 'unknown', reasons: [expect.stringContaining('name is not known')] })
  })
  it('a function whose source is not there', async () => {
    const found = await unknown(serve(loop(`await db.functions.invoke('gone', { body: crate })\n${DONE}`)))
    expect(found).toEqual({ verdict: 'unknown', reasons: [expect.stringContaining('gone')] })
  })
  it('a text of SQL that the program makes', async () => {
    const found = await unknown(
      `import postgres from 'npm:postgres'\nconst sql = postgres('x')\n${serve(`const crates = await sql.unsafe(await req.text())\nfor (const crate of crates) await mail(crate)`)}`,
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
          `import { log } from '../_shared/gone.ts'\n${serve(loop(`await log(crate)\nawait mail(crate)\n${DONE}`))}`,
        )
      ).verdict,
    ).toBe('race')
  })
  it('an insert under a table that no migration makes', async () => {
    const found = await unknown(
      serve(
        loop(
          `const { error } = await db.from('gone').insert({ crate_id: crate.id })\nif (error) continue\nawait mail(crate)`,
        ),
      ),
    )
    expect(found.verdict).toBe('unknown')
  })
  it('a claim whose values are not known', async () => {
    const found = await unknown(
      serve(
        loop(
          `const { data: mine } = await db.from('crates').update({ state: Deno.env.get('NEXT') }).eq('id', crate.id).eq('state', 'waiting').select().maybeSingle()\nif (!mine) continue\nawait mail(crate)`,
        ),
      ),
    )
    expect(found.verdict).toBe('unknown')
  })
})
