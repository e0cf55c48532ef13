import { describe, expect, it } from 'vitest'
import { answerOf, follow, type Given } from './harness.js'

const MAIL = `function mail(crate: any) {
  return fetch('https://api.resend.com/emails', { method: 'POST', body: JSON.stringify({ to: crate.email, subject: crate.label }) })
}`

const serve = (head: string, body: string): string =>
  `${head}\n${MAIL}\nDeno.serve(async () => {\n${body}\nreturn new Response('ok')\n})\n`

const DRIZZLE = `import { drizzle } from 'npm:drizzle-orm@0.44.2/postgres-js'
import { pgTable, uuid, text, timestamp, integer } from 'npm:drizzle-orm@0.44.2/pg-core'
import { and, between, eq, gt, inArray, isNotNull, isNull, lt, lte, ne, not, or, sql } from 'npm:drizzle-orm@0.44.2'
import postgres from 'npm:postgres@3'
import { elsewhere } from './not-there.ts'
const crates = pgTable('crates', {
  id: uuid('id').primaryKey().defaultRandom(), state: text().notNull().default('waiting'), email: text(), label: text(),
  depotId: uuid('depot_id'), tries: integer('tries').notNull(), dueAt: timestamp('due_at', { withTimezone: true }),
  heldUntil: timestamp('held_until'), stickeredAt: timestamp('stickered_at'), revision: integer(),
})
const slips = pgTable('slips', { crateId: uuid('crate_id'), kind: text('kind') })
const scraps = pgTable('scraps', { crateId: uuid('crate_id'), kind: text('kind') })
const depots = pgTable('depots', { id: uuid('id').primaryKey(), name: text() })
const db = drizzle(postgres(Deno.env.get('DB')!), { schema: { crates, slips } })`

const drizzle = async (body: string, given: Given = {}): Promise<string> =>
  answerOf(await follow(serve(DRIZZLE, body), given))

const PICK = `const rows = await db.select().from(crates).where(eq(crates.state, 'waiting')).limit(20)`
const loop = (inside: string, pick = PICK) => `${pick}\nfor (const crate of rows) {\n${inside}\n}`
const DONE = `await db.update(crates).set({ state: 'sent' }).where(eq(crates.id, crate.id))`
const CLAIM = `await db.update(crates).set({ state: 'packing' }).where(and(eq(crates.id, crate.id), eq(crates.state, 'waiting'))).returning()`
const take = (lock: string) =>
  `db.update(crates).set({ state: 'packing' }).where(inArray(crates.id, db.select({ id: crates.id }).from(crates).where(eq(crates.state, 'waiting')).limit(5)${lock})).returning()`

describe('drizzle: claims that hold', () => {
  it.each([
    [
      'the row comes back',
      loop(`const [mine] = ${CLAIM}\nif (!mine) continue\nawait mail(crate)\n${DONE}`),
      'safe row-claim',
    ],
    [
      'the list is empty',
      loop(`const mine = ${CLAIM}\nif (mine.length === 0) continue\nawait mail(crate)`),
      'safe row-claim',
    ],
    [
      'node-postgres says how many',
      loop(`const done = ${CLAIM.replace('.returning()', '')}\nif (done.rowCount === 0) continue\nawait mail(crate)`),
      'safe row-claim',
    ],
    [
      'postgres.js says how many',
      loop(`const { count } = ${CLAIM.replace('.returning()', '.execute()')}\nif (!count) continue\nawait mail(crate)`),
      'safe row-claim',
    ],
    [
      'a stamp that was null',
      loop(
        `const [mine] = await db.update(crates).set({ stickeredAt: new Date() }).where(and(eq(crates.id, crate.id), isNull(crates.stickeredAt))).returning({ id: crates.id })
         if (!mine) continue
         await mail(crate)`,
        `const rows = await db.select().from(crates).where(isNull(crates.stickeredAt))`,
      ),
      'safe row-claim',
    ],
    [
      'camelCase keys: the schedule moves on first',
      loop(
        `const [mine] = await db.update(crates).set({ dueAt: new Date(Date.now() + 86_400_000) }).where(and(eq(crates.id, crate.id), lte(crates.dueAt, new Date()))).returning()
         if (!mine) continue
         await mail(crate)`,
        `const rows = await db.select().from(crates).where(lte(crates.dueAt, new Date()))`,
      ),
      'safe row-claim',
    ],
    [
      'a value that was read with the row, under its key in the code',
      loop(
        `const [mine] = await db.update(crates).set({ dueAt: new Date(Date.now() + 86_400_000) }).where(and(eq(crates.id, crate.id), eq(crates.dueAt, crate.dueAt))).returning()
         if (!mine) continue
         await mail(crate)`,
        `const rows = await db.select().from(crates).where(lte(crates.dueAt, new Date()))`,
      ),
      'safe row-claim',
    ],
    [
      'aliases of select: a token',
      loop(
        `const [mine] = await db.update(crates).set({ revision: crate.token + 1, state: 'packing' }).where(and(eq(crates.id, crate.key), eq(crates.revision, crate.token))).returning()
         if (!mine) continue
         await mail(crate)`,
        `const rows = await db.select({ key: crates.id, token: crates.revision, email: crates.email }).from(crates).where(eq(crates.state, 'waiting'))`,
      ),
      'safe row-claim',
    ],
    [
      'a lease in SQL',
      loop(
        `const [mine] = await db.update(crates).set({ heldUntil: sql\`now() + interval '10 minutes'\` })
           .where(and(eq(crates.id, crate.id), eq(crates.state, 'waiting'), or(isNull(crates.heldUntil), lt(crates.heldUntil, sql\`now()\`)))).returning()
         if (!mine) continue
         await mail(crate)
         ${DONE}`,
      ),
      'safe row-claim',
    ],
    [
      'a condition in SQL',
      loop(
        `const [mine] = await db.update(crates).set({ dueAt: sql\`now() + interval '1 day'\` })
           .where(sql\`\${crates.id} = \${crate.id} and \${crates.dueAt} <= now()\`).returning()
         if (!mine) continue
         await mail(crate)`,
        `const rows = await db.select().from(crates).where(sql\`\${crates.dueAt} <= now()\`)`,
      ),
      'safe row-claim',
    ],
    [
      'a row that is deleted',
      loop(
        `const [mine] = await db.delete(crates).where(eq(crates.id, crate.id)).returning()\nif (!mine) continue\nawait mail(crate)`,
      ),
      'safe row-claim',
    ],
    [
      'ids first, then all that are still free',
      `${PICK}
       const mine = await db.update(crates).set({ state: 'packing' }).where(and(inArray(crates.id, rows.map((each) => each.id)), eq(crates.state, 'waiting'))).returning()
       for (const crate of mine) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'a batch',
      `const mine = await db.update(crates).set({ state: 'packing' }).where(eq(crates.state, 'waiting')).returning()
       for (const crate of mine) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'a batch through a sub-query that locks',
      `for (const crate of await ${take(`.for('update', { skipLocked: true })`)}) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'a batch through a WITH query that locks',
      `const due = db.$with('due').as(db.select({ id: crates.id }).from(crates).where(eq(crates.state, 'waiting')).limit(5).for('update', { skipLocked: true }))
       const mine = await db.with(due).update(crates).set({ state: 'packing' }).where(inArray(crates.id, db.select({ id: due.id }).from(due))).returning()
       for (const crate of mine) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'a batch through a sub-query in SQL',
      `const mine = await db.update(crates).set({ state: 'packing' })
         .where(sql\`\${crates.id} in (select id from crates where state = 'waiting' limit 5 for update skip locked)\`).returning()
       for (const crate of mine) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'a statement in SQL',
      `const mine = await db.execute(sql\`update \${crates} set state = 'packing' where id in (select id from \${crates} where state = \${'waiting'} limit 5 for update skip locked) returning *\`)
       for (const crate of mine) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'the lock of a transaction that stays open',
      `await db.transaction(async (tx) => {
         const rows = await tx.select().from(crates).where(eq(crates.state, 'waiting')).limit(5).for('update', { skipLocked: true })
         for (const crate of rows) { await mail(crate); await tx.update(crates).set({ state: 'sent' }).where(eq(crates.id, crate.id)) }
       })`,
      'safe batch-claim',
    ],
    [
      'rows that a transaction locks and takes',
      `const rows = await db.transaction(async (tx) => {
         const found = await tx.select().from(crates).where(eq(crates.state, 'waiting')).limit(5).for('update', { skipLocked: true })
         await tx.update(crates).set({ state: 'packing' }).where(inArray(crates.id, found.map((each) => each.id)))
         return found
       })
       for (const crate of rows) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'an insert that throws',
      loop(
        `try { await db.insert(slips).values({ crateId: crate.id, kind: 'haul' }) } catch { continue }\nawait mail(crate)`,
      ),
      'safe insert-claim',
    ],
    [
      'an insert that does nothing',
      loop(
        `const made = await db.insert(slips).values([{ crateId: crate.id, kind: 'haul' }]).onConflictDoNothing({ target: [slips.crateId, slips.kind] }).returning()
         if (made.length === 0) continue
         await mail(crate)`,
      ),
      'safe insert-claim',
    ],
    [
      'findMany and findFirst',
      `const rows = await db.query.crates.findMany({ where: (table, { eq }) => eq(table.state, 'waiting'), limit: 10 })
       for (const crate of rows) { const [mine] = ${CLAIM}\nif (!mine) continue\nawait mail(crate) }`,
      'safe row-claim',
    ],
  ])('%s', async (_name, body, expected) => {
    expect(await drizzle(body)).toBe(expected)
  })
})

describe('drizzle: claims that do not hold', () => {
  it.each([
    ['a mark after the effect', loop(`await mail(crate)\n${DONE}`), 'race effect-before-claim'],
    [
      'no mark',
      loop('await mail(crate)', `const rows = await db.select().from(crates).where(lte(crates.dueAt, new Date()))`),
      'race no-claim',
    ],
    ['by the key alone', loop(`${DONE}\nawait mail(crate)`), 'race unconditional-claim'],
    [
      'by the key alone, and asked',
      loop(
        `const [mine] = await db.update(crates).set({ state: 'packing' }).where(eq(crates.id, crate.id)).returning()\nif (!mine) continue\nawait mail(crate)`,
      ),
      'race unconditional-claim',
    ],
    ['nobody asks', loop(`${CLAIM}\nawait mail(crate)`), 'race unchecked-claim'],
    [
      'a list is never falsy',
      loop(`const mine = ${CLAIM}\nif (!mine) continue\nawait mail(crate)`),
      'race unchecked-claim',
    ],
    ['not awaited', loop(`${CLAIM.replace('await ', '')}\nawait mail(crate)`), 'race builder-not-awaited'],
    [
      'it leaves the state that it asks for',
      loop(
        `const [mine] = await db.update(crates).set({ state: 'packing' }).where(and(eq(crates.id, crate.id), ne(crates.state, 'sent'))).returning()\nif (!mine) continue\nawait mail(crate)\n${DONE}`,
        `const rows = await db.select().from(crates).where(ne(crates.state, 'sent'))`,
      ),
      'race claim-not-self-falsifying',
    ],
    [
      'it counts in SQL below a bound',
      loop(
        `const [mine] = await db.update(crates).set({ tries: sql\`\${crates.tries} + 1\` }).where(and(eq(crates.id, crate.id), lt(crates.tries, 3))).returning()\nif (!mine) continue\nawait mail(crate)\n${DONE}`,
      ),
      'race claim-not-self-falsifying',
    ],
    [
      'a sub-query without a lock',
      `for (const crate of await ${take('')}) await mail(crate)`,
      'race claim-subselect-unlocked',
    ],
    [
      'a sub-query in SQL without a lock',
      `const mine = await db.update(crates).set({ state: 'packing' })
         .where(inArray(crates.id, sql\`(select id from crates where state = 'waiting' limit 5)\`)).returning()
       for (const crate of mine) await mail(crate)`,
      'race claim-subselect-unlocked',
    ],
    [
      'a lock that ends before the work',
      `const rows = await db.transaction((tx) => tx.select().from(crates).where(eq(crates.state, 'waiting')).for('update', { skipLocked: true }))
       for (const crate of rows) { await mail(crate)\n${DONE} }`,
      'race lock-only-claim',
    ],
    [
      'an insert without a key',
      loop(
        `try { await db.insert(scraps).values({ crateId: crate.id, kind: 'haul' }) } catch { continue }\nawait mail(crate)`,
      ),
      'race insert-claim-without-unique',
    ],
    [
      'an insert that does nothing, and nobody asks',
      loop(
        `await db.insert(slips).values({ crateId: crate.id, kind: 'haul' }).onConflictDoNothing()\nawait mail(crate)`,
      ),
      'race upsert-as-claim',
    ],
    [
      'an insert that merges',
      loop(
        `const [made] = await db.insert(slips).values({ crateId: crate.id, kind: 'haul' }).onConflictDoUpdate({ target: slips.crateId, set: { kind: 'haul' } }).returning()\nif (!made) continue\nawait mail(crate)`,
      ),
      'race upsert-as-claim',
    ],
    [
      'joined rows',
      loop(
        `await mail(crate.crates)\nawait db.update(crates).set({ state: 'sent' }).where(eq(crates.id, crate.crates.id))`,
        `const rows = await db.select().from(crates).innerJoin(depots, eq(depots.id, crates.depotId)).where(eq(crates.state, 'waiting'))`,
      ),
      'race effect-before-claim',
    ],
    [
      'findFirst, again and again',
      `for (let n = 0; n < 10; n++) {
         const crate = await db.query.crates.findFirst({ where: eq(crates.state, 'waiting') })
         if (!crate) break
         await mail(crate)\n${DONE}
       }`,
      'race effect-before-claim',
    ],
  ])('%s', async (_name, body, expected) => {
    expect(await drizzle(body)).toBe(expected)
  })
})

describe('drizzle: what cannot be told', () => {
  it.each([
    [
      'an insert of what a query gives',
      loop(
        `const made = await db.insert(slips).select(db.select({ crateId: crates.id, kind: crates.label }).from(crates).where(eq(crates.id, crate.id))).returning()\nif (!made.length) continue\nawait mail(crate)`,
      ),
    ],
    [
      'a list of conditions that may be empty',
      loop(
        `const more: any[] = []\nif (Math.random() > 0.5) more.push(eq(crates.state, 'waiting'))
         const [mine] = await db.update(crates).set({ state: 'packing' }).where(and(eq(crates.id, crate.id), ...more)).returning()\nif (!mine) continue\nawait mail(crate)\n${DONE}`,
      ),
    ],
    [
      'rows that a transaction locks and moves one by one',
      `const rows = await db.transaction(async (tx) => {
         const found = await tx.select().from(crates).where(eq(crates.state, 'waiting')).for('update', { skipLocked: true })
         for (const one of found) if (one.email) await tx.update(crates).set({ state: 'packing' }).where(eq(crates.id, one.id))
         return found
       })
       for (const crate of rows) await mail(crate)`,
    ],
    ['a table that is not there', loop(`await mail(crate)`, `const rows = await db.select().from(elsewhere)`)],
    [
      'a table of db.query that was not given',
      loop(`await mail(crate)`, `const rows = await db.query.depots.findMany()`),
    ],
    ['a method that is not known', loop(`await mail(crate)`, `const rows = await db.pick(crates)`)],
    [
      'conditions that the program gathers',
      loop(
        `const [mine] = await db.update(crates).set({ state: 'packing' }).where(and(eq(crates.id, crate.id), Math.random() > 0.5 ? eq(crates.state, 'waiting') : undefined)).returning()\nif (!mine) continue\nawait mail(crate)\n${DONE}`,
      ),
    ],
    [
      'SQL with a function',
      loop(
        `const [mine] = await db.update(crates).set({ state: 'packing' }).where(and(eq(crates.id, crate.id), sql\`may_take(\${crates.state})\`)).returning()\nif (!mine) continue\nawait mail(crate)\n${DONE}`,
      ),
    ],
    [
      'an upsert with a condition',
      loop(
        `const [made] = await db.insert(slips).values({ crateId: crate.id, kind: 'haul' }).onConflictDoUpdate({ target: slips.crateId, set: { kind: 'haul' }, setWhere: eq(slips.kind, 'old') }).returning()\nif (!made) continue\nawait mail(crate)`,
      ),
    ],
  ])('%s', async (_name, body) => {
    expect(await drizzle(body)).toMatch(/^unknown/)
  })
})

describe('drizzle: how tables and databases are made', () => {
  const claimed = (
    table: string,
    db: string,
  ) => `const rows = await ${db}.select().from(${table}).where(lte(${table}.dueAt, new Date()))
for (const crate of rows) {
  const [mine] = await ${db}.update(${table}).set({ dueAt: new Date(Date.now() + 86_400_000) }).where(and(eq(${table}.id, crate.id), lte(${table}.dueAt, new Date()))).returning()
  if (!mine) continue
  await mail(crate)
}`
  const late = (
    table: string,
    db: string,
  ) => `const rows = await ${db}.select().from(${table}).where(lte(${table}.dueAt, new Date()))
for (const crate of rows) {
  await mail(crate)
  await ${db}.update(${table}).set({ dueAt: new Date(Date.now() + 86_400_000) }).where(eq(${table}.id, crate.id))
}`
  const imports = `import { drizzle } from 'https://esm.sh/drizzle-orm@0.44.2/node-postgres?target=deno'
import { and, eq, lte } from 'https://esm.sh/drizzle-orm@0.44.2'
import { Pool } from 'npm:pg'`
  const core = `import * as core from 'https://esm.sh/drizzle-orm@0.44.2/pg-core'`
  const made = (head: string) => `${imports}\n${core}\n${head}`

  it.each([
    [
      'a callback gives the columns',
      made(
        `const crates = core.pgTable('crates', (t) => ({ id: t.uuid().primaryKey(), dueAt: t.timestamp('due_at') }))\nconst db = drizzle(new Pool())`,
      ),
      'crates',
      'db',
    ],
    [
      'casing gives the names',
      made(
        `const crates = core.pgTable('crates', { id: core.uuid().primaryKey(), dueAt: core.timestamp() })\nconst db = drizzle({ client: new Pool(), casing: 'snake_case' })`,
      ),
      'crates',
      'db',
    ],
    [
      'a schema of its own',
      made(
        `const depot = core.pgSchema('depot')\nconst crates = depot.table('crates', { id: core.uuid('id'), dueAt: core.timestamp('due_at') })\nconst db = drizzle(Deno.env.get('DB')!)`,
      ),
      'crates',
      'db',
    ],
    [
      'a table in another file',
      `${imports}\nimport * as schema from '../_shared/schema.ts'\nconst db = drizzle(new Pool(), { schema })`,
      'schema.crates',
      'db',
    ],
    [
      'a database in another file',
      `${imports}\nimport { crates } from '../_shared/schema.ts'\nimport { open } from '../_shared/db.ts'`,
      'crates',
      'open()',
    ],
  ])('%s', async (_name, head, table, db) => {
    const files = {
      'functions/_shared/schema.ts': `${core}\nexport const crates = core.pgTable('crates', { id: core.uuid('id').primaryKey(), email: core.text('email'), dueAt: core.timestamp('due_at') }, (t) => [core.index('due').on(t.dueAt)])`,
      'functions/_shared/db.ts': `import { drizzle } from 'npm:drizzle-orm/postgres-js'\nexport const open = () => drizzle(Deno.env.get('DB')!)`,
    }
    expect(answerOf(await follow(serve(head, claimed(table, db)), { files }))).toBe('safe row-claim')
    const report = await follow(serve(head, late(table, db)), { files })
    expect(answerOf(report)).toBe('race effect-before-claim')
    expect(report.findings[0]!.message).toContain('due_at')
  })

  it('another database than PostgreSQL is not followed', async () => {
    const code = serve(DRIZZLE.replace('/postgres-js', '/mysql2'), loop(`await mail(crate)\n${DONE}`))
    expect(answerOf(await follow(code))).toMatch(/^unknown/)
  })
})

const KYSELY = `import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'npm:kysely@0.28'
import { Pool } from 'npm:pg'
const db = new Kysely<any>({ dialect: new PostgresDialect({ pool: new Pool() }) })`

const kysely = async (body: string, given: Given = {}): Promise<string> =>
  answerOf(await follow(serve(KYSELY, body), given))

const K_PICK = `const rows = await db.selectFrom('crates').selectAll().where('state', '=', 'waiting').limit(20).execute()`
const kLoop = (inside: string, pick = K_PICK) => `${pick}\nfor (const crate of rows) {\n${inside}\n}`
const K_DONE = `await db.updateTable('crates').set({ state: 'sent' }).where('id', '=', crate.id).execute()`
const K_SET = `await db.updateTable('crates').set({ state: 'packing' }).where('id', '=', crate.id).where('state', '=', 'waiting')`
const kTake = (lock: string) =>
  `db.updateTable('crates').set({ state: 'packing' }).where('id', 'in', db.selectFrom('crates').select('id').where('state', '=', 'waiting').limit(5)${lock}).returningAll().execute()`

describe('kysely: claims that hold', () => {
  it.each([
    [
      'the first row',
      kLoop(
        `const mine = ${K_SET}.returningAll().executeTakeFirst()\nif (!mine) continue\nawait mail(crate)\n${K_DONE}`,
      ),
      'safe row-claim',
    ],
    [
      'the list is empty',
      kLoop(`const mine = ${K_SET}.returning(['id']).execute()\nif (mine.length === 0) continue\nawait mail(crate)`),
      'safe row-claim',
    ],
    [
      'the first row or a throw',
      kLoop(`try { ${K_SET}.returning('id').executeTakeFirstOrThrow() } catch { continue }\nawait mail(crate)`),
      'safe row-claim',
    ],
    [
      'how many, as a bigint',
      kLoop(`const done = ${K_SET}.executeTakeFirst()\nif (done.numUpdatedRows === 0n) continue\nawait mail(crate)`),
      'safe row-claim',
    ],
    [
      'how many, as a number',
      kLoop(
        `const [done] = ${K_SET}.execute()\nif (Number(done.numUpdatedRows) < 1 || done.numUpdatedRows === BigInt(0)) continue\nawait mail(crate)`,
      ),
      'safe row-claim',
    ],
    [
      'how many were deleted',
      kLoop(
        `const { numDeletedRows } = await db.deleteFrom('crates').where('id', '=', crate.id).executeTakeFirstOrThrow()\nif (!numDeletedRows) continue\nawait mail(crate)`,
      ),
      'safe row-claim',
    ],
    [
      'a stamp that was null, column by column',
      kLoop(
        `const mine = await db.updateTable('crates as c').set('stickered_at', new Date()).set('state', 'sent').where('c.id', '=', crate.key).where('c.stickered_at', 'is', null).returning('c.id').executeTakeFirst()
         if (!mine) continue
         await mail(crate)`,
        `const rows = await db.selectFrom('crates as c').select(['c.id as key', 'c.email', 'c.label']).where('c.stickered_at', 'is', null).execute()`,
      ),
      'safe row-claim',
    ],
    [
      'a lease with an expression',
      kLoop(`const mine = await db.updateTable('crates').set({ held_until: sql\`now() + interval '10 minutes'\` })
           .where('id', '=', crate.id).where('state', '=', 'waiting')
           .where((eb) => eb.or([eb('held_until', 'is', null), eb('held_until', '<', sql\`now()\`)])).returning('id').executeTakeFirst()
         if (!mine) continue
         await mail(crate)
         ${K_DONE}`),
      'safe row-claim',
    ],
    [
      'an object of conditions',
      kLoop(
        `const mine = await db.updateTable('crates').set({ state: 'packing' }).where(({ and }) => and({ id: crate.id, state: 'waiting' })).returning('id').executeTakeFirst()\nif (!mine) continue\nawait mail(crate)`,
      ),
      'safe row-claim',
    ],
    [
      'a token that counts',
      kLoop(`const mine = await db.updateTable('crates').set((eb) => ({ revision: eb('revision', '+', 1), state: 'packing' }))
           .where('id', '=', crate.id).where('revision', '=', crate.revision).returning('id').executeTakeFirst()
         if (!mine) continue
         await mail(crate)`),
      'safe row-claim',
    ],
    [
      'a condition in SQL',
      kLoop(
        `const mine = await db.updateTable('crates').set({ due_at: sql\`now() + interval '1 day'\` }).where('id', '=', crate.id).where(sql\`\${sql.ref('due_at')} <= now()\`).returning('id').executeTakeFirst()
         if (!mine) continue
         await mail(crate)`,
        `const rows = await db.selectFrom('crates').selectAll().where(sql<boolean>\`due_at <= now()\`).execute()`,
      ),
      'safe row-claim',
    ],
    [
      'ids first, then all that are still free',
      `${K_PICK}
       const mine = await db.updateTable('crates').set({ state: 'packing' }).where('id', 'in', rows.map((each) => each.id)).where('state', '=', 'waiting').returningAll().execute()
       for (const crate of mine) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'a batch through a sub-query that locks',
      `for (const crate of await ${kTake('.forUpdate().skipLocked()')}) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'a batch through a callback',
      `const mine = await db.updateTable('crates').set({ state: 'packing' })
         .where('id', 'in', (eb) => eb.selectFrom('crates').select('id').where('state', '=', 'waiting').limit(5).forUpdate().skipLocked()).returningAll().execute()
       for (const crate of mine) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'a batch through a WITH query that is joined',
      `const mine = await db.with('due', (qc) => qc.selectFrom('crates').select('id').where('state', '=', 'waiting').limit(5).forUpdate().skipLocked())
         .updateTable('crates').from('due').set({ state: 'packing' }).whereRef('crates.id', '=', 'due.id').returningAll('crates').execute()
       for (const crate of mine) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'a statement in SQL',
      `const { rows } = await sql\`update \${sql.table('crates')} set state = 'packing' where id in (select id from crates where state = \${'waiting'} limit 5 for update skip locked) returning *\`.execute(db)
       for (const crate of rows) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'the lock of a transaction that stays open',
      `await db.transaction().execute(async (trx) => {
         const rows = await trx.selectFrom('crates').selectAll().where('state', '=', 'waiting').limit(5).forUpdate().skipLocked().execute()
         for (const crate of rows) { await mail(crate); await trx.updateTable('crates').set({ state: 'sent' }).where('id', '=', crate.id).execute() }
       })`,
      'safe batch-claim',
    ],
    [
      'a transaction that the code begins and ends itself',
      `const trx = await db.startTransaction().execute()
       const rows = await trx.selectFrom('crates').selectAll().where('state', '=', 'waiting').forUpdate().skipLocked().execute()
       for (const crate of rows) { await mail(crate); await trx.updateTable('crates').set({ state: 'sent' }).where('id', '=', crate.id).execute() }
       await trx.commit().execute()`,
      'safe batch-claim',
    ],
    [
      'rows of a WITH query that takes them',
      `const rows = await db.with('taken', (qc) => qc.updateTable('crates').set({ state: 'packing' }).where('state', '=', 'waiting').returningAll()).selectFrom('taken').selectAll().execute()
       for (const crate of rows) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'one row that a transaction locks and takes',
      `const crate = await db.transaction().execute(async (trx) => {
         const found = await trx.selectFrom('crates').selectAll().where('state', '=', 'waiting').forUpdate().skipLocked().limit(1).executeTakeFirst()
         if (!found) return null
         await trx.updateTable('crates').set({ state: 'packing' }).where('id', '=', found.id).execute()
         return found
       })
       if (crate) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'an insert that throws',
      kLoop(
        `try { await db.insertInto('slips').values({ crate_id: crate.id, kind: 'haul' }).execute() } catch { continue }\nawait mail(crate)`,
      ),
      'safe insert-claim',
    ],
    [
      'an insert that does nothing',
      kLoop(
        `const made = await db.insertInto('slips').values({ crate_id: crate.id, kind: 'haul' }).onConflict((oc) => oc.columns(['crate_id', 'kind']).doNothing()).returning('kind').executeTakeFirst()
         if (!made) continue
         await mail(crate)`,
      ),
      'safe insert-claim',
    ],
    [
      'how many were inserted',
      kLoop(
        `const made = await db.insertInto('slips').values({ crate_id: crate.id, kind: 'haul' }).onConflict((oc) => oc.doNothing()).executeTakeFirst()
         if (made.numInsertedOrUpdatedRows !== 1n) continue
         await mail(crate)`,
      ),
      'safe insert-claim',
    ],
  ])('%s', async (_name, body, expected) => {
    expect(await kysely(body)).toBe(expected)
  })

  it('names in camelCase', async () => {
    const code = serve(
      KYSELY.replace('() }) })', '() }), plugins: [new CamelCasePlugin()] })'),
      `const rows = await db.selectFrom('crates').selectAll().where('dueAt', '<=', new Date()).execute()
       for (const crate of rows) {
         const mine = await db.updateTable('crates').set({ dueAt: new Date(Date.now() + 86_400_000) }).where('id', '=', crate.id).where('dueAt', '=', crate.dueAt).returning('id').executeTakeFirst()
         if (!mine) continue
         await mail(crate)
       }`,
    )
    expect(answerOf(await follow(code))).toBe('safe row-claim')
  })

  it('a schema', async () => {
    const body = `const depot = db.withSchema('depot')
      ${K_PICK.replace('await db', 'await depot')}
      for (const crate of rows) { await mail(crate)\n${K_DONE.replace('await db', 'await depot')} }`
    const report = await follow(serve(KYSELY, body))
    expect(answerOf(report)).toBe('race effect-before-claim')
    expect(report.findings[0]!.message).toContain('depot.crates')
  })
})

describe('kysely: claims that do not hold', () => {
  it.each([
    ['a mark after the effect', kLoop(`await mail(crate)\n${K_DONE}`), 'race effect-before-claim'],
    [
      'no mark',
      kLoop(
        'await mail(crate)',
        `const rows = await db.selectFrom('crates').selectAll().where('due_at', '<=', new Date()).execute()`,
      ),
      'race no-claim',
    ],
    ['by the key alone', kLoop(`${K_DONE}\nawait mail(crate)`), 'race unconditional-claim'],
    ['nobody asks', kLoop(`${K_SET}.returningAll().executeTakeFirst()\nawait mail(crate)`), 'race unchecked-claim'],
    [
      'an UpdateResult is never falsy',
      kLoop(`const done = ${K_SET}.executeTakeFirst()\nif (!done) continue\nawait mail(crate)`),
      'race unchecked-claim',
    ],
    [
      'an update that gives no rows does not throw',
      kLoop(`try { ${K_SET}.executeTakeFirstOrThrow() } catch { continue }\nawait mail(crate)`),
      'race unchecked-claim',
    ],
    [
      'a list is never falsy',
      kLoop(`const mine = ${K_SET}.returningAll().execute()\nif (!mine) continue\nawait mail(crate)`),
      'race unchecked-claim',
    ],
    ['built and not executed', kLoop(`${K_SET.replace('await ', '')}\nawait mail(crate)`), 'race builder-not-awaited'],
    ['awaited and not executed', kLoop(`${K_SET}.returningAll()\nawait mail(crate)`), 'race builder-not-awaited'],
    [
      'it leaves the state that it asks for',
      kLoop(
        `const mine = await db.updateTable('crates').set({ state: 'packing' }).where('id', '=', crate.id).where('state', 'in', ['waiting', 'packing']).returning('id').executeTakeFirst()\nif (!mine) continue\nawait mail(crate)\n${K_DONE}`,
      ),
      'race claim-not-self-falsifying',
    ],
    [
      'a sub-query without a lock',
      `for (const crate of await ${kTake('')}) await mail(crate)`,
      'race claim-subselect-unlocked',
    ],
    [
      'a lock that ends before the work',
      `const rows = await db.transaction().execute((trx) => trx.selectFrom('crates').selectAll().where('state', '=', 'waiting').forUpdate().skipLocked().execute())
       for (const crate of rows) { await mail(crate)\n${K_DONE} }`,
      'race lock-only-claim',
    ],
    [
      'a transaction that ends before the work',
      `const trx = await db.startTransaction().execute()
       const rows = await trx.selectFrom('crates').selectAll().where('state', '=', 'waiting').forUpdate().skipLocked().execute()
       await trx.commit().execute()
       for (const crate of rows) { await mail(crate)\n${K_DONE} }`,
      'race lock-only-claim',
    ],
    [
      'rows that are streamed',
      `for await (const crate of db.selectFrom('crates').selectAll().where('state', '=', 'waiting').stream()) { await mail(crate)\n${K_DONE} }`,
      'race effect-before-claim',
    ],
    [
      'an insert without a key',
      kLoop(
        `try { await db.insertInto('scraps').values({ crate_id: crate.id, kind: 'haul' }).execute() } catch { continue }\nawait mail(crate)`,
      ),
      'race insert-claim-without-unique',
    ],
    [
      'an insert that merges',
      kLoop(
        `const made = await db.insertInto('slips').values({ crate_id: crate.id, kind: 'haul' }).onConflict((oc) => oc.columns(['crate_id', 'kind']).doUpdateSet({ kind: 'haul' })).returning('kind').executeTakeFirst()\nif (!made) continue\nawait mail(crate)`,
      ),
      'race upsert-as-claim',
    ],
    [
      'joined rows',
      kLoop(
        `await mail(crate)\n${K_DONE}`,
        `const rows = await db.selectFrom('crates as c').innerJoin('depots as d', 'd.id', 'c.depot_id').select(['c.id', 'c.email', 'd.name as depot']).where('c.state', '=', 'waiting').execute()`,
      ),
      'race effect-before-claim',
    ],
  ])('%s', async (_name, body, expected) => {
    expect(await kysely(body)).toBe(expected)
  })
})

describe('kysely: what cannot be told', () => {
  it.each([
    [
      'an insert of what a query gives',
      kLoop(
        `const made = await db.insertInto('slips').columns(['crate_id', 'kind']).expression((eb) => eb.selectFrom('crates').select(['id', 'kind']).where('id', '=', crate.id)).returning('kind').executeTakeFirst()\nif (!made) continue\nawait mail(crate)`,
      ),
    ],
    [
      'a compiled query',
      kLoop(
        `await mail(crate)`,
        `const { rows } = await db.executeQuery(db.selectFrom('crates').selectAll().compile())`,
      ),
    ],
    [
      'MERGE',
      kLoop(
        `await mail(crate)`,
        `const rows = await db.mergeInto('crates').using('slips', 'slips.crate_id', 'crates.id').whenMatched().thenUpdateSet({ state: 'packing' }).returningAll().execute()`,
      ),
    ],
    [
      'a table whose name is not known',
      kLoop(
        `await mail(crate)`,
        `const rows = await db.selectFrom(Deno.env.get('TABLE') as any).selectAll().execute()`,
      ),
    ],
    [
      'conditions on some paths',
      kLoop(
        `const mine = await db.updateTable('crates').set({ state: 'packing' }).where('id', '=', crate.id).$if(Math.random() > 0.5, (qb) => qb.where('state', '=', 'waiting')).returning('id').executeTakeFirst()\nif (!mine) continue\nawait mail(crate)\n${K_DONE}`,
      ),
    ],
    [
      'a sub-query over another table',
      kLoop(
        `const mine = await db.updateTable('crates').set({ state: 'packing' }).where('id', '=', crate.id).where('state', 'in', db.selectFrom('slips').select('state')).returning('id').executeTakeFirst()\nif (!mine) continue\nawait mail(crate)\n${K_DONE}`,
      ),
    ],
    [
      'an upsert with a condition',
      kLoop(
        `const made = await db.insertInto('slips').values({ crate_id: crate.id, kind: 'haul' }).onConflict((oc) => oc.column('crate_id').doUpdateSet({ kind: 'haul' }).where('slips.kind', '=', 'old')).returning('kind').executeTakeFirst()\nif (!made) continue\nawait mail(crate)`,
      ),
    ],
  ])('%s', async (_name, body) => {
    expect(await kysely(body)).toMatch(/^unknown/)
  })
  it('another database than PostgreSQL is not followed', async () => {
    const code = serve(KYSELY.replaceAll('PostgresDialect', 'MysqlDialect'), kLoop(`await mail(crate)\n${K_DONE}`))
    expect(answerOf(await follow(code))).toMatch(/^unknown/)
  })
})
