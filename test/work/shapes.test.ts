import { describe, expect, it } from 'vitest'
import { CLAIM, DONE, PICK, answerOf, follow, serve } from './harness.js'

const work = `await mail(parcel)\n${DONE}`
const rows = (inside: string) => serve(`${PICK}\n${inside}`)
const answer = async (code: string, files: Record<string, string> = {}) => answerOf(await follow(code, { files }))

describe('other shapes of the same race', () => {
  it.each([
    [
      'keys of a Map',
      rows(`const byId = new Map(parcels!.map((p) => [p.id, p]))\nfor (const parcel of byId.values()) { ${work} }`),
    ],
    [
      'keys of an object',
      rows(
        `const byId: any = {}\nfor (const p of parcels!) byId[p.id] = p\nfor (const id in byId) { const parcel = byId[id]; ${work} }`,
      ),
    ],
    [
      'an iterator',
      rows(
        `const it = parcels![Symbol.iterator]()\nfor (let n = it.next(); !n.done; n = it.next()) { const parcel = n.value; ${work} }`,
      ),
    ],
    [
      'sorted and cut',
      rows(`for (const parcel of parcels!.sort((a, b) => a.tries - b.tries).slice(0, 5).reverse()) { ${work} }`),
    ],
    [
      'a destructured item',
      rows(
        `for (const { id, email } of parcels!) { await mail({ email })\nawait db.from('parcels').update({ state: 'sent' }).eq('id', id) }`,
      ),
    ],
    [
      'ids, then each row',
      rows(
        `for (const id of parcels!.map((p) => p.id)) { const { data: parcel } = await db.from('parcels').select('*').eq('id', id).single()\n${work} }`,
      ),
    ],
    [
      'one request for all',
      rows(
        `await fetch('https://api.resend.com/emails/batch', { method: 'POST', body: JSON.stringify(parcels!.map((p) => ({ to: p.email }))) })\nawait db.from('parcels').update({ state: 'sent' }).in('id', parcels!.map((p) => p.id))`,
      ),
    ],
    [
      'a function handed over',
      rows(
        `await Promise.all(parcels!.map(mail))\nawait db.from('parcels').update({ state: 'sent' }).in('id', parcels!.map((p) => p.id))`,
      ),
    ],
    ['nobody waits', rows(`;(async () => { for (const parcel of parcels!) { ${work} } })()`)],
    ['later', rows(`for (const parcel of parcels!) { setTimeout(() => mail(parcel), 10)\n${DONE} }`)],
    [
      'a list of tasks',
      rows(
        `const tasks: any[] = []\nfor (const parcel of parcels!) tasks.push(() => mail(parcel))\nfor (const task of tasks) await task()\nfor (const parcel of parcels!) { ${DONE} }`,
      ),
    ],
    [
      'a template method',
      `abstract class Job { abstract one(p: any): Promise<void>; async run() { ${PICK}\nfor (const parcel of parcels!) await this.one(parcel) } }\nclass Ship extends Job { async one(parcel: any) { ${work} } }\n${serve(`await new Ship().run()`)}`,
    ],
    [
      'a method in a field',
      `class Ship { one = async (parcel: any) => { ${work} }; async run() { ${PICK}\nawait Promise.all(parcels!.map(this.one)) } }\n${serve(`await new Ship().run()`)}`,
    ],
    [
      'this of an object',
      `const ship = { async one(parcel: any) { ${work} }, async run() { ${PICK}\nfor (const parcel of parcels!) await this.one(parcel) } }\n${serve(`await ship.run()`)}`,
    ],
    [
      'a table of handlers',
      `const on = new Map<string, any>([['x', async (parcel: any) => { ${work} }]])\n${rows(`for (const p of parcels!) await on.get(p.kind)(p)`)}`,
    ],
    [
      'a limiter of a package',
      `import pLimit from 'npm:p-limit'\nconst limit = pLimit(3)\n${rows(`await Promise.all(parcels!.map((parcel) => limit(async () => { ${work} })))`)}`,
    ],
    [
      'a queue of a package',
      `import PQueue from 'npm:p-queue'\nconst queue = new PQueue({ concurrency: 3 })\n${rows(`for (const parcel of parcels!) queue.add(async () => { ${work} })\nawait queue.onIdle()`)}`,
    ],
    [
      'retries of a package',
      `import { retry } from 'jsr:@std/async'\n${rows(`for (const parcel of parcels!) { await retry(() => mail(parcel))\n${DONE} }`)}`,
    ],
    [
      'a schema of a package',
      `import { z } from 'npm:zod'\nconst Parcels = z.array(z.any())\n${rows(`for (const parcel of Parcels.parse(parcels)) { ${work} }`)}`,
    ],
    [
      'an HTTP client of a package',
      `import axios from 'npm:axios'\nconst api = axios.create({ baseURL: 'https://api.resend.com' })\n${rows(`for (const parcel of parcels!) { await api.post('/emails', { to: parcel.email })\n${DONE} }`)}`,
    ],
    [
      'an effect where the claim failed',
      rows(`for (const parcel of parcels!) { const { data: mine } = ${CLAIM}\nif (!mine) await mail(parcel) }`),
    ],
  ])('%s', async (_name, code) => {
    expect(await answer(code)).toMatch(/^race/)
  })
})

// Bugs. Each of these is shown as safe or as no work on rows, where it races or cannot be known.
describe('shown as harmless, and is not', () => {
  it.fails.each([
    // statements.ts: finally runs only for the path that falls out of the try block.
    [
      'the effect in finally, after continue',
      rows(
        `for (const parcel of parcels!) { const { data: mine } = ${CLAIM}\ntry { if (!mine) continue } finally { await mail(parcel) } }`,
      ),
    ],
    [
      'the effect in finally, after return',
      rows(
        `const one = async (parcel: any) => { const { data: mine } = ${CLAIM}\ntry { if (!mine) return } finally { await mail(parcel) } }\nfor (const parcel of parcels!) await one(parcel)`,
      ),
    ],
    [
      'the effect in finally, after a throw',
      rows(
        `for (const parcel of parcels!) try { try { const { data: mine } = ${CLAIM}\nif (!mine) throw new Error('taken') } finally { await mail(parcel) } } catch {}`,
      ),
    ],
    // calls.ts: super(…) and super.method(…) are not carried out.
    [
      'the client given to super()',
      `class Store { constructor(protected db: any) {} async pick() { const { data } = await this.db.from('parcels').select('*').eq('state', 'waiting'); return data } }\nclass Depot extends Store { constructor() { super(db) } }\n${serve(`for (const parcel of await new Depot().pick()) { ${work} }`)}`,
    ],
    [
      'the effect in super.method()',
      `class Post { async send(p: any) { await mail(p) } }\nclass Letter extends Post { async send(p: any) { await super.send(p) } }\n${rows(`const post = new Letter()\nfor (const parcel of parcels!) { await post.send(parcel)\n${DONE} }`)}`,
    ],
    // expressions.ts: delete is not carried out.
    [
      'a state that is deleted from the update',
      rows(
        `for (const parcel of parcels!) { const change: any = { state: 'packing', label: 'x' }; delete change.state\nconst { data: mine } = await db.from('parcels').update(change).eq('id', parcel.id).eq('state', 'waiting').select().maybeSingle()\nif (!mine) continue\nawait mail(parcel)\n${DONE} }`,
      ),
    ],
    // access.ts: what a package makes of rows is no list of rows, and a callback that it is given beside rows gets none.
    [
      'chunks of a package',
      `import { chunk } from 'jsr:@std/collections'\n${rows(`for (const some of chunk(parcels!, 5)) for (const parcel of some) { ${work} }`)}`,
    ],
    [
      'sorting by a package',
      `import { sortBy } from 'npm:es-toolkit'\n${rows(`for (const parcel of sortBy(parcels!, ['id'])) { ${work} }`)}`,
    ],
    [
      'a pool of a package',
      `import { pooledMap } from 'jsr:@std/async'\n${rows(`for await (const done of pooledMap(3, parcels!, async (parcel: any) => { ${work} })) console.log(done)`)}`,
    ],
    [
      'p-map',
      `import pMap from 'npm:p-map'\n${rows(`await pMap(parcels!, async (parcel: any) => { ${work} }, { concurrency: 4 })`)}`,
    ],
    ['lodash', `import _ from 'npm:lodash'\n${rows(`_.forEach(parcels, async (parcel: any) => { ${work} })`)}`],
  ])('%s', async (_name, code) => {
    expect(await answer(code)).toMatch(/^race/)
  })

  it.fails.each([
    [
      'rows from an import that is not there',
      `import { load } from '../_shared/gone.ts'\n${serve(`for (const parcel of await load(db)) { ${work} }`)}`,
    ],
    [
      'a walk by an import that is not there',
      `import { each } from '../_shared/gone.ts'\n${rows(`await each(parcels!, async (parcel: any) => { ${work} })`)}`,
    ],
    [
      'rows from Kysely',
      `import { Kysely } from 'npm:kysely'\nconst k = new Kysely({} as any)\n${serve(`const parcels = await k.selectFrom('parcels').selectAll().where('state', '=', 'waiting').execute()\nfor (const parcel of parcels) { await mail(parcel)\nawait k.updateTable('parcels').set({ state: 'sent' }).where('id', '=', parcel.id).execute() }`)}`,
    ],
    [
      'rows from Prisma',
      `import { PrismaClient } from 'npm:@prisma/client'\nconst prisma = new PrismaClient()\n${serve(`const parcels = await prisma.parcels.findMany({ where: { state: 'waiting' } })\nfor (const parcel of parcels) { await mail(parcel)\nawait prisma.parcels.update({ where: { id: parcel.id }, data: { state: 'sent' } }) }`)}`,
    ],
  ])('%s: unknown at least', async (_name, code) => {
    expect(await answer(code)).toMatch(/^(race|unknown)/)
  })
})
