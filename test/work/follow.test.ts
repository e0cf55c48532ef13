import { describe, expect, it } from 'vitest'
import { CLAIM, DONE, PICK, answerOf, follow, handle, serve } from './harness.js'

const taken = `const { data: mine } = ${CLAIM}\nif (!mine) continue\nawait mail(crate)`
const takes = `async (crate: any) => { const { data: mine } = ${CLAIM}\nif (!mine) return\nawait mail(crate) }`
const late = `async (crate: any) => { await mail(crate)\n${DONE} }`

/** Each way of going through rows, with the claim in it and with the mark at its end. */
const walks: readonly (readonly [string, (turn: string, each: string) => string])[] = [
  ['for-of', (turn) => `for (const crate of crates!) { ${turn} }`],
  ['an index', (turn) => `for (let i = 0; i < crates!.length; i++) { const crate = crates![i]; ${turn} }`],
  ['entries', (turn) => `for (const [n, crate] of crates!.entries()) { ${turn} }`],
  [
    'while and shift',
    (turn) => `const queue = [...crates!]\nwhile (queue.length > 0) { const crate = queue.shift()!; ${turn} }`,
  ],
  ['forEach', (_turn, each) => `crates!.forEach(${each})`],
  ['map and Promise.all', (_turn, each) => `await Promise.all(crates!.map(${each}))`],
  [
    'chunks and allSettled',
    (_turn, each) =>
      `for (let i = 0; i < crates!.length; i += 4) await Promise.allSettled(crates!.slice(i, i + 4).map(${each}))`,
  ],
  [
    'workers',
    (_turn, each) =>
      `const queue = [...crates!]; const one = ${each}\nasync function worker() { for (;;) { const crate = queue.pop(); if (!crate) return; await one(crate) } }\nawait Promise.all([worker(), worker()])`,
  ],
  [
    'an async generator',
    (turn) =>
      `async function* feed() { for (const one of crates!) yield one }\nfor await (const crate of feed()) { ${turn} }`,
  ],
  [
    'reduce',
    (_turn, each) =>
      `const one = ${each}\nawait crates!.reduce(async (before: any, crate: any) => { await before; await one(crate) }, Promise.resolve())`,
  ],
  [
    'a helper that walks',
    (_turn, each) =>
      `const walk = async (list: any[], fn: any) => { for (const item of list) await fn(item) }\nawait walk(crates!, ${each})`,
  ],
  [
    'recursion',
    (_turn, each) =>
      `const one = ${each}\nasync function next(list: any[]): Promise<void> { const [crate, ...others] = list; if (!crate) return; await one(crate); await next(others) }\nawait next(crates!)`,
  ],
  ['filter and flat', (turn) => `for (const crate of [crates!].flat().filter((p: any) => p.email)) { ${turn} }`],
  [
    'groups in a Map',
    (turn) =>
      `const groups = new Map<string, any[]>()\nfor (const p of crates!) groups.set(p.depot_id, [...(groups.get(p.depot_id) ?? []), p])\nfor (const [, group] of groups) for (const crate of group) { ${turn} }`,
  ],
  [
    'groups in an object',
    (turn) =>
      `const groups: any = {}\nfor (const p of crates!) (groups[p.depot_id] ??= []).push(p)\nfor (const group of Object.values(groups) as any[]) for (const crate of group) { ${turn} }`,
  ],
  [
    'Object.groupBy',
    (turn) =>
      `const groups: any = Object.groupBy(crates!, (p: any) => p.kind)\nfor (const group of Object.values(groups) as any[]) for (const crate of group) { ${turn} }`,
  ],
  [
    'rows of rows: a tenant at a time',
    (turn) =>
      `const { data: depots } = await db.from('depots').select('id').eq('open', true)\nfor (const depot of depots!) { const { data: some } = await db.from('crates').select('*').eq('depot_id', depot.id).eq('state', 'waiting')\nfor (const crate of some!) { ${turn} } }`,
  ],
  [
    'one row a turn',
    (turn) =>
      `for (let n = 0; n < 10; n++) { const { data: crate } = await db.from('crates').select('*').eq('state', 'waiting').limit(1).maybeSingle()\nif (!crate) break\n${turn} }`,
  ],
]

describe('ways through rows', () => {
  it.each(walks)('%s: a mark at the end is too late', async (_name, walk) => {
    expect(await handle(`${PICK}\n${walk(`await mail(crate)\n${DONE}`, late)}`)).toBe('race effect-before-claim')
  })
  it.each(walks)('%s: a claim holds', async (_name, walk) => {
    expect(await handle(`${PICK}\n${walk(taken, takes)}`)).toBe('safe row-claim')
  })
})

const loop = (inside: string) => `${PICK}\nfor (const crate of crates ?? []) {\n${inside}\n}`

describe('where a claim is asked', () => {
  it.each([
    [
      'in a helper that says yes or no',
      `const take = async (crate: any) => { const { data } = ${CLAIM}\nreturn data !== null }`,
      `if (!(await take(crate))) continue\nawait mail(crate)`,
    ],
    [
      'in a helper that gives the row or nothing',
      `async function take(crate: any) { const { data, error } = ${CLAIM}\nif (error) return null\nreturn data }`,
      `const mine = await take(crate)\nif (mine) await mail(mine)`,
    ],
    [
      'in a helper that throws',
      `async function take(crate: any) { const { data } = ${CLAIM}\nif (!data) throw new Error('taken') }`,
      `try { await take(crate) } catch { continue }\nawait mail(crate)`,
    ],
    [
      'in a helper that is given what to do',
      `async function within(crate: any, fn: any) { const { data } = ${CLAIM}\nif (data) await fn(data) }`,
      `await within(crate, (one: any) => mail(one))`,
    ],
    [
      'in a method of a class',
      `class Depot { constructor(private db: any) {}\nasync take(crate: any) { const { data } = ${CLAIM.replace('db.', 'this.db.')}\nreturn Boolean(data) } }`,
      `const depot = new Depot(db)\nif (await depot.take(crate)) await mail(crate)`,
    ],
    [
      'in a subclass',
      `class Base { async take(crate: any) { const { data } = ${CLAIM}\nreturn !!data } }\nclass Depot extends Base {}`,
      `if (await new Depot().take(crate)) await mail(crate)`,
    ],
    [
      'with an object for an answer',
      `async function take(crate: any) { const { data } = ${CLAIM}\nreturn data ? { ok: true, row: data } : { ok: false } }`,
      `const answer = await take(crate)\nif (!answer.ok) continue\nawait mail(answer.row)`,
    ],
    [
      'by a switch',
      ``,
      `const { data: mine } = ${CLAIM}\nswitch (mine) { case null: continue; default: await mail(crate) }`,
    ],
    ['by a condition in the call', ``, `const { data: mine } = ${CLAIM}\nmine && (await mail(crate))`],
    ['by a ternary', ``, `const { data: mine } = ${CLAIM}\nmine ? await mail(crate) : null`],
    [
      'with a default',
      ``,
      `const { data: [mine] = [] } = await db.from('crates').update({ state: 'packing' }).eq('id', crate.id).eq('state', 'waiting').select()\nif (!mine) continue\nawait mail(crate)`,
    ],
    [
      'with a name of its own for the count',
      ``,
      `const { count: hits } = await db.from('crates').update({ state: 'packing' }, { count: 'exact' }).eq('id', crate.id).eq('state', 'waiting')\nif (!hits) continue\nawait mail(crate)`,
    ],
    [
      'through then',
      ``,
      `const mine = await ${CLAIM.replace('await ', '')}.then(({ data }) => data)\nif (!mine) continue\nawait mail(crate)`,
    ],
    [
      'in a variable that is set elsewhere',
      ``,
      `let mine = null\n{ const { data } = ${CLAIM}\nmine = data }\nif (mine === null) continue\nawait mail(crate)`,
    ],
    [
      'with finally around the work',
      ``,
      `const { data: mine } = ${CLAIM}\nif (!mine) continue\ntry { await mail(crate) } finally { ${DONE} }`,
    ],
    [
      'with columns through a computed key and an enum',
      `enum State { Free = 'waiting', Packing = 'packing' }\nconst COLUMN = 'state'`,
      `const { data: mine } = await db.from('crates').update({ [COLUMN]: State.Packing }).eq('id', crate.id).eq(COLUMN, State.Free).select().maybeSingle()\nif (!mine) continue\nawait mail(crate)`,
    ],
    [
      'with values that are spread',
      `const PACKING = { state: 'packing' } as const`,
      `const { data: mine } = await db.from('crates').update({ ...PACKING, stickered: true }).eq('id', crate.id).eq('state', 'waiting').select().maybeSingle()\nif (!mine) continue\nawait mail(crate)`,
    ],
  ])('%s', async (_name, head, inside) => {
    expect(answerOf(await follow(`${head}\n${serve(loop(inside))}`, {}))).toBe('safe row-claim')
  })

  it.each([
    [
      'on one of two paths only',
      `if (crate.kind === 'x') { const { data: mine } = ${CLAIM}\nif (!mine) continue }\nawait mail(crate)\n${DONE}`,
    ],
    [
      'and the work goes on after a failure',
      `try { const { data: mine } = ${CLAIM}\nif (!mine) throw new Error('taken') } catch (e) { console.log(e) }\nawait mail(crate)\n${DONE}`,
    ],
    [
      'of the other row',
      `const { data: mine } = await db.from('depots').update({ open: false }).eq('id', crate.depot_id).eq('open', true).select().maybeSingle()\nif (!mine) console.log('x')\nawait mail(crate)\n${DONE}`,
    ],
    ['the wrong way round', `const { data: mine } = ${CLAIM}\nif (mine) continue\nawait mail(crate)\n${DONE}`],
    [
      'by a helper that always says yes',
      `const take = async () => { const { data } = ${CLAIM}\nif (!data) console.log('taken')\nreturn true }\nif (!(await take())) continue\nawait mail(crate)\n${DONE}`,
    ],
  ])('%s: races', async (_name, inside) => {
    expect(await handle(loop(inside))).toMatch(/^race/)
  })
})

describe('lists of rows that were won', () => {
  const all = `const { data: claimed } = await db.from('crates').update({ state: 'packing' }).in('id', crates!.map((p) => p.id)).eq('state', 'waiting').select('id')`
  it.each([
    [
      'pushed into a second array',
      `const won: any[] = []\nfor (const crate of crates!) { const { data: mine } = ${CLAIM}\nif (mine) won.push(crate) }\nfor (const crate of won) await mail(crate)`,
      'safe row-claim',
    ],
    [
      'mapped to row or null and filtered by Boolean',
      `const won = (await Promise.all(crates!.map(async (crate) => { const { data } = ${CLAIM}\nreturn data ? crate : null }))).filter(Boolean)\nfor (const crate of won) await mail(crate)`,
      'safe row-claim',
    ],
    [
      'mapped to lists of one or none',
      `const won = (await Promise.all(crates!.map(async (crate) => { const { data } = ${CLAIM}\nreturn data ? [data] : [] }))).flat()\nfor (const crate of won) await mail(crate)`,
      'safe row-claim',
    ],
    [
      'by a Set of their ids',
      `${all}\nconst ids = new Set(claimed!.map((c) => c.id))\nfor (const crate of crates!) { if (!ids.has(crate.id)) continue\nawait mail(crate) }`,
      'safe batch-claim',
    ],
    [
      'by includes',
      `${all}\nconst ids = claimed!.map((c) => c.id)\nfor (const crate of crates!.filter((p) => ids.includes(p.id))) await mail(crate)`,
      'safe batch-claim',
    ],
    [
      'by some',
      `${all}\nfor (const crate of crates!) { if (!claimed!.some((c) => c.id === crate.id)) continue\nawait mail(crate) }`,
      'safe batch-claim',
    ],
    [
      'by find',
      `${all}\nfor (const crate of crates!) { const mine = claimed!.find((c) => c.id === crate.id)\nif (!mine) continue\nawait mail(crate) }`,
      'safe batch-claim',
    ],
    [
      'by a Map',
      `${all}\nconst byId = new Map(claimed!.map((c) => [c.id, c]))\nfor (const crate of crates!) { if (!byId.get(crate.id)) continue\nawait mail(crate) }`,
      'safe batch-claim',
    ],
  ])('%s', async (_name, body, expected) => {
    expect(await handle(`${PICK}\n${body}`)).toBe(expected)
  })
})

describe('lists of rows that were won, in other words', () => {
  it.each([
    ['what the claim gave, filtered by Boolean', `return data`, `.filter(Boolean)`],
    ['what the claim gave, asked in the loop', `return data`, `.filter((one: any) => one !== null)`],
    ['allSettled of claims that throw', `if (!data) throw new Error('taken')\nreturn crate`, ``],
  ])('%s', async (_name, answer, filter) => {
    const all = filter === '' ? 'allSettled' : 'all'
    const only = filter === '' ? `.filter((r: any) => r.status === 'fulfilled').map((r: any) => r.value)` : filter
    const body = `const won = (await Promise.${all}(crates!.map(async (crate) => { const { data } = ${CLAIM}\n${answer} })))${only}
      for (const crate of won) await mail(crate)`
    expect(await handle(`${PICK}\n${body}`)).toBe('safe row-claim')
  })

  const some = `const { data: claimed } = await db.from('crates').update({ state: 'packing' }).in('id', crates!.map((p) => p.id)).eq('state', 'waiting').select('id')
    if (!claimed!.length) return new Response('none')
    for (const crate of crates!) { await mail(crate)\n${DONE} }`
  it('that some row came back says nothing of this one', async () => {
    expect(await handle(`${PICK}\n${some}`)).toMatch(/^race/)
  })
  it('and the claim that is not asked for this one is named', async () => {
    expect(await handle(`${PICK}\n${some}`)).toBe('race unchecked-claim')
  })
})

describe('loops within the turn of a row that was won', () => {
  const won = `const { data: mine } = ${CLAIM}\nif (!mine) continue`
  it.each([
    [
      'over what is made of the row',
      `let text = 'Hello {label}, {id}'\nfor (const [name, value] of Object.entries({ label: crate.label, id: crate.id })) text = text.replace(name, value)\nawait mail({ ...crate, label: text })`,
      'safe row-claim',
    ],
    ['over a column of the row', `for (const line of crate.lines) await mail({ ...crate, line })`, 'safe row-claim'],
    ['over a list with the row', `for (const one of [crate]) await mail(one)`, 'safe row-claim'],
    [
      'over parts of its text',
      `for (const line of crate.label.split(',')) await mail({ ...crate, line })`,
      'safe row-claim',
    ],
    ['over all the rows again', `for (const other of crates ?? []) await mail(other)`, 'race unchecked-claim'],
    [
      'over records that were made of all the rows in this turn',
      `const others = (crates ?? []).map((each) => ({ email: each.email, id: each.id }))\nfor (const other of others) await mail(other)`,
      'race unchecked-claim',
    ],
  ])('%s', async (_name, inside, expected) => {
    expect(await handle(loop(`${won}\n${inside}`))).toBe(expected)
  })
  it('over parts of the one row that was picked', async () => {
    const one = `const { data: crate } = await db.from('crates').select().eq('state', 'waiting').limit(1).maybeSingle()\nif (!crate) return`
    const body = `${one}\n${won.replace('continue', 'return')}\nfor (const line of crate.label.split(',')) await mail({ ...crate, line })`
    expect(await handle(body)).toBe('safe row-claim')
  })
  it('over records that were made of all the rows before', async () => {
    const before = `${PICK}\nconst others = (crates ?? []).map((each) => ({ email: each.email, id: each.id }))`
    const inside = `${won}\nfor (const other of others) await mail(other)`
    expect(await handle(`${before}\nfor (const crate of crates ?? []) {\n${inside}\n}`)).toBe('race unchecked-claim')
  })
})

describe('one effect for many rows', () => {
  const labels = `(crates ?? []).map((crate) => crate.label).join(', ')`
  const digest = `await mail({ email: 'depot@example.com', label: ${labels} })`
  const ids = `(crates ?? []).map((crate) => crate.id)`
  it.each([
    [
      'that leave the pick for it',
      `${PICK}\n${digest}\nawait db.from('crates').update({ state: 'sent' }).in('id', ${ids})`,
      'race effect-before-claim',
    ],
    [
      'that were taken for it',
      `const { data: crates } = await db.from('crates').update({ state: 'sent' }).eq('state', 'waiting').select()\n${digest}`,
      'safe batch-claim',
    ],
    ['that stay what they are', `${PICK}\n${digest}`, 'no-row-work'],
    [
      'that stay in the list, whatever is written to them',
      `const { data: crates } = await db.from('crates').select().eq('kind', 'box')\n${digest}\nfor (const crate of crates ?? []) await db.from('crates').update({ label: 'new' }).eq('id', crate.id)`,
      'no-row-work',
    ],
    [
      'that are due, the first of them',
      `const { data: crates } = await db.from('crates').select().lte('due_at', new Date().toISOString())\nconst first = crates![0]\nawait mail(first)\nawait db.from('crates').update({ due_at: first.held_until }).eq('id', first.id)`,
      'race effect-before-claim',
    ],
  ])('%s', async (_name, body, expected) => {
    expect(await handle(body)).toBe(expected)
  })
})

describe('rows within rows', () => {
  const depots = `const { data: depots } = await db.from('depots').select().eq('id', crate.depot_id)`
  const inner = (work: string) => `for (const depot of depots ?? []) {\n${work}\n}`
  it('the queue is the work, though the addresses that fail are deleted', async () => {
    const sends = `const answer = await mail({ ...crate, email: depot.name })\nif (answer.status === 410) await db.from('depots').delete().eq('id', depot.id)`
    const report = await follow(serve(loop(`${depots}\n${inner(sends)}\n${DONE}`)))
    expect(report.findings.map((each) => [each.ruleId, each.table])).toEqual([['effect-before-claim', 'crates']])
  })
  it('the requests of each open depot are the work, where they are marked', async () => {
    const open = `const { data: open } = await db.from('depots').select().eq('open', true)`
    const each = `const { data: crates } = await db.from('crates').select().eq('depot_id', depot.id).eq('state', 'waiting')\nfor (const crate of crates ?? []) { await mail(crate)\n${DONE} }`
    const report = await follow(serve(`${open}\nfor (const depot of open ?? []) {\n${each}\n}`))
    expect(report.findings.map((found) => [found.ruleId, found.table])).toEqual([['effect-before-claim', 'crates']])
  })
})
