import { describe, expect, it } from 'vitest'
import { CLAIM, DONE, PICK, answerOf, follow, serve } from './harness.js'

const work = `await mail(crate)\n${DONE}`
const rows = (inside: string) => serve(`${PICK}\n${inside}`)
const answer = async (code: string, files: Record<string, string> = {}) => answerOf(await follow(code, { files }))

describe('other shapes of the same race', () => {
  it.each([
    [
      'keys of a Map',
      rows(`const byId = new Map(crates!.map((p) => [p.id, p]))\nfor (const crate of byId.values()) { ${work} }`),
    ],
    [
      'keys that are put together in a Map of flags, and taken apart again',
      rows(
        `const seen = new Map<string, true>()\nfor (const p of crates!) seen.set(\`\${p.id}|\${p.kind}\`, true)\nfor (const [key] of seen) { const [id] = key.split('|'); const { data: crate } = await db.from('crates').select('*').eq('id', id).single(); ${work} }`,
      ),
    ],
    [
      'keys of an object',
      rows(
        `const byId: any = {}\nfor (const p of crates!) byId[p.id] = p\nfor (const id in byId) { const crate = byId[id]; ${work} }`,
      ),
    ],
    [
      'an iterator',
      rows(
        `const it = crates![Symbol.iterator]()\nfor (let n = it.next(); !n.done; n = it.next()) { const crate = n.value; ${work} }`,
      ),
    ],
    [
      'sorted and cut',
      rows(`for (const crate of crates!.sort((a, b) => a.tries - b.tries).slice(0, 5).reverse()) { ${work} }`),
    ],
    [
      'a destructured item',
      rows(
        `for (const { id, email } of crates!) { await mail({ email })\nawait db.from('crates').update({ state: 'sent' }).eq('id', id) }`,
      ),
    ],
    [
      'ids, then each row',
      rows(
        `for (const id of crates!.map((p) => p.id)) { const { data: crate } = await db.from('crates').select('*').eq('id', id).single()\n${work} }`,
      ),
    ],
    [
      'one request for all',
      rows(
        `await fetch('https://api.resend.com/emails/batch', { method: 'POST', body: JSON.stringify(crates!.map((p) => ({ to: p.email }))) })\nawait db.from('crates').update({ state: 'sent' }).in('id', crates!.map((p) => p.id))`,
      ),
    ],
    [
      'a function handed over',
      rows(
        `await Promise.all(crates!.map(mail))\nawait db.from('crates').update({ state: 'sent' }).in('id', crates!.map((p) => p.id))`,
      ),
    ],
    ['nobody waits', rows(`;(async () => { for (const crate of crates!) { ${work} } })()`)],
    ['later', rows(`for (const crate of crates!) { setTimeout(() => mail(crate), 10)\n${DONE} }`)],
    [
      'a list of tasks',
      rows(
        `const tasks: any[] = []\nfor (const crate of crates!) tasks.push(() => mail(crate))\nfor (const task of tasks) await task()\nfor (const crate of crates!) { ${DONE} }`,
      ),
    ],
    [
      'a template method',
      `abstract class Job { abstract one(p: any): Promise<void>; async run() { ${PICK}\nfor (const crate of crates!) await this.one(crate) } }\nclass Haul extends Job { async one(crate: any) { ${work} } }\n${serve(`await new Haul().run()`)}`,
    ],
    [
      'a method in a field',
      `class Haul { one = async (crate: any) => { ${work} }; async run() { ${PICK}\nawait Promise.all(crates!.map(this.one)) } }\n${serve(`await new Haul().run()`)}`,
    ],
    [
      'this of an object',
      `const haul = { async one(crate: any) { ${work} }, async run() { ${PICK}\nfor (const crate of crates!) await this.one(crate) } }\n${serve(`await haul.run()`)}`,
    ],
    [
      'a table of handlers',
      `const on = new Map<string, any>([['x', async (crate: any) => { ${work} }]])\n${rows(`for (const p of crates!) await on.get(p.kind)(p)`)}`,
    ],
    [
      'a limiter of a package',
      `import pLimit from 'npm:p-limit'\nconst limit = pLimit(3)\n${rows(`await Promise.all(crates!.map((crate) => limit(async () => { ${work} })))`)}`,
    ],
    [
      'a queue of a package',
      `import PQueue from 'npm:p-queue'\nconst queue = new PQueue({ concurrency: 3 })\n${rows(`for (const crate of crates!) queue.add(async () => { ${work} })\nawait queue.onIdle()`)}`,
    ],
    [
      'retries of a package',
      `import { retry } from 'jsr:@std/async'\n${rows(`for (const crate of crates!) { await retry(() => mail(crate))\n${DONE} }`)}`,
    ],
    [
      'a schema of a package',
      `import { z } from 'npm:zod'\nconst Crates = z.array(z.any())\n${rows(`for (const crate of Crates.parse(crates)) { ${work} }`)}`,
    ],
    [
      'an HTTP client of a package',
      `import axios from 'npm:axios'\nconst api = axios.create({ baseURL: 'https://api.resend.com' })\n${rows(`for (const crate of crates!) { await api.post('/emails', { to: crate.email })\n${DONE} }`)}`,
    ],
    [
      'an effect where the claim failed',
      rows(`for (const crate of crates!) { const { data: mine } = ${CLAIM}\nif (!mine) await mail(crate) }`),
    ],
  ])('%s', async (_name, code) => {
    expect(await answer(code)).toMatch(/^race/)
  })
})

describe('work that is easily taken for harmless', () => {
  it.each([
    [
      'the effect in finally, after continue',
      rows(
        `for (const crate of crates!) { const { data: mine } = ${CLAIM}\ntry { if (!mine) continue } finally { await mail(crate) } }`,
      ),
    ],
    [
      'the effect in finally, after return',
      rows(
        `const one = async (crate: any) => { const { data: mine } = ${CLAIM}\ntry { if (!mine) return } finally { await mail(crate) } }\nfor (const crate of crates!) await one(crate)`,
      ),
    ],
    [
      'the effect in finally, after a throw',
      rows(
        `for (const crate of crates!) try { try { const { data: mine } = ${CLAIM}\nif (!mine) throw new Error('taken') } finally { await mail(crate) } } catch {}`,
      ),
    ],
    [
      'a state that is deleted from the update',
      rows(
        `for (const crate of crates!) { const change: any = { state: 'packing', label: 'x' }; delete change.state\nconst { data: mine } = await db.from('crates').update(change).eq('id', crate.id).eq('state', 'waiting').select().maybeSingle()\nif (!mine) continue\nawait mail(crate)\n${DONE} }`,
      ),
    ],
    [
      'chunks of a package',
      `import { chunk } from 'jsr:@std/collections'\n${rows(`for (const some of chunk(crates!, 5)) for (const crate of some) { ${work} }`)}`,
    ],
    [
      'sorting by a package',
      `import { sortBy } from 'npm:es-toolkit'\n${rows(`for (const crate of sortBy(crates!, ['id'])) { ${work} }`)}`,
    ],
    [
      'a pool of a package',
      `import { pooledMap } from 'jsr:@std/async'\n${rows(`for await (const done of pooledMap(3, crates!, async (crate: any) => { ${work} })) console.log(done)`)}`,
    ],
    [
      'p-map',
      `import pMap from 'npm:p-map'\n${rows(`await pMap(crates!, async (crate: any) => { ${work} }, { concurrency: 4 })`)}`,
    ],
    ['lodash', `import _ from 'npm:lodash'\n${rows(`_.forEach(crates, async (crate: any) => { ${work} })`)}`],
  ])('%s', async (_name, code) => {
    expect(await answer(code)).toMatch(/^race/)
  })

  it.each([
    [
      'rows from an import that is not there',
      `import { load } from '../_shared/gone.ts'\n${serve(`for (const crate of await load(db)) { ${work} }`)}`,
    ],
    [
      'rows from Kysely',
      `import { Kysely } from 'npm:kysely'\nconst k = new Kysely({} as any)\n${serve(`const crates = await k.selectFrom('crates').selectAll().where('state', '=', 'waiting').execute()\nfor (const crate of crates) { await mail(crate)\nawait k.updateTable('crates').set({ state: 'sent' }).where('id', '=', crate.id).execute() }`)}`,
    ],
    [
      'rows from Prisma',
      `import { PrismaClient } from 'npm:@prisma/client'\nconst prisma = new PrismaClient()\n${serve(`const crates = await prisma.crates.findMany({ where: { state: 'waiting' } })\nfor (const crate of crates) { await mail(crate)\nawait prisma.crates.update({ where: { id: crate.id }, data: { state: 'sent' } }) }`)}`,
    ],
  ])('%s: unknown at least', async (_name, code) => {
    expect(await answer(code)).toMatch(/^(race|unknown)/)
  })

  it.each([
    [
      'the client given to super()',
      `class Store { constructor(protected db: any) {} async pick() { const { data } = await this.db.from('crates').select('*').eq('state', 'waiting'); return data } }\nclass Depot extends Store { constructor() { super(db) } }\n${serve(`for (const crate of await new Depot().pick()) { ${work} }`)}`,
    ],
    [
      'the effect in super.method()',
      `class Post { async send(p: any) { await mail(p) } }\nclass Letter extends Post { async send(p: any) { await super.send(p) } }\n${rows(`const post = new Letter()\nfor (const crate of crates!) { await post.send(crate)\n${DONE} }`)}`,
    ],
  ])('%s', async (_name, code) => {
    expect(await answer(code)).toMatch(/^race/)
  })

  // Bug: what a missing import does with rows is not known.
  it.fails.each([
    [
      'a walk by an import that is not there',
      `import { each } from '../_shared/gone.ts'\n${rows(`await each(crates!, async (crate: any) => { ${work} })`)}`,
    ],
  ])('not seen yet: %s', async (_name, code) => {
    expect(await answer(code)).toMatch(/^(race|unknown)/)
  })
})
