import { describe, expect, it } from 'vitest'
import { CLAIM, DONE, HEAD, PICK, answerOf, follow, handle, lineOf, postTo, serve } from './harness.js'

const loop = (inside: string, pick = PICK) => `${pick}\nfor (const crate of crates ?? []) {\n${inside}\n}`
const resend = (options: string, headers = '') =>
  `fetch('https://api.resend.com/emails', { method: 'POST', headers: { ${headers} }, body: JSON.stringify({ to: crate.email }), ${options} })`
const key = (value: string) => loop(`await ${resend('', `'Idempotency-Key': ${value}`)}\n${DONE}`)

describe('idempotency keys (domain 5.4 S17)', () => {
  it.each([
    ['of the row', '`haul/${crate.id}`', 'safe idempotency-key'],
    ['of the row and the day', '`${crate.id}-${new Date().toISOString().slice(0, 10)}`', 'safe idempotency-key'],
    ['that is random', 'crypto.randomUUID()', 'race effect-before-claim'],
    ['of the row and the moment', '`${crate.id}-${Date.now()}`', 'race effect-before-claim'],
    ['of nothing of the row', "'haul'", 'race effect-before-claim'],
  ])('a key %s', async (_name, value, expected) => {
    expect(await handle(key(value))).toBe(expected)
  })

  it('of an SDK', async () => {
    const code = (id: string) =>
      `import { Resend } from 'npm:resend'\nconst resend = new Resend('x')\n${serve(
        loop(`await resend.emails.send({ to: crate.email }, { idempotencyKey: ${id} })\n${DONE}`),
      )}`
    expect(answerOf(await follow(code('`haul-${crate.id}`')))).toBe('safe idempotency-key')
    expect(answerOf(await follow(code('`haul-${Math.random()}`')))).toBe('race effect-before-claim')
  })

  it('sent to a host that is not known: who sends one has read that it is taken', async () => {
    const body = loop(
      `await fetch('https://hooks.depot.example/x', { method: 'POST', headers: { 'Idempotency-Key': crate.id }, body: JSON.stringify(crate) })\n${DONE}`,
    )
    expect(await handle(body)).toBe('safe idempotency-key')
  })
})

describe('timeouts in the code', () => {
  const worst = async (code: string) => (await follow(code)).findings[0]?.overlap?.perRow[0]?.worstSeconds
  it('of the signal', async () => {
    expect(await worst(serve(loop(`await ${resend('signal: AbortSignal.timeout(4_000)')}\n${DONE}`)))).toBe(4)
  })
  it('of the client of a package', async () => {
    const code = `import OpenAI from 'npm:openai'\nconst ai = new OpenAI({ timeout: 20_000 })\n${serve(
      loop(
        `await ai.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: crate.label }] })\n${DONE}`,
      ),
    )}`
    expect(await worst(code)).toBe(20)
  })
  it('are the catalogue’s where the code says nothing', async () => {
    expect(await worst(serve(loop(`await ${resend('')}\n${DONE}`)))).toBe(10)
  })
})

describe('wrappers', () => {
  it.each([
    [
      'a function that is given the URL',
      `async function post(url: string, body: unknown) { return await fetch(url, { method: 'POST', body: JSON.stringify(body) }) }`,
      `post('https://api.resend.com/emails', { to: crate.email })`,
    ],
    [
      'options that are spread',
      `const call = (path: string, init: any = {}) => fetch('https://api.resend.com' + path, { ...init, method: 'POST' })`,
      `call('/emails', { body: crate.email })`,
    ],
    [
      'retries',
      `async function retry(fn: any) { for (let i = 0; i < 3; i++) { try { return await fn() } catch { continue } } }`,
      `retry(() => mail(crate))`,
    ],
    [
      'a timeout by race',
      `const within = (p: any) => Promise.race([p, new Promise((r) => setTimeout(r, 9))])`,
      `within(mail(crate))`,
    ],
    [
      'a class',
      `class Post { constructor(private base: string) {} send(p: any) { return fetch(this.base + '/emails', { method: 'POST', body: p.email }) } }\nconst post = new Post('https://api.resend.com')`,
      `post.send(crate)`,
    ],
    ['a table of senders', `const senders: any = { letter: mail }`, `senders.letter(crate)`],
    [
      'a function that is chosen',
      `const pickSender = (p: any) => p.kind === 'x' ? mail : mail`,
      `pickSender(crate)(crate)`,
    ],
    ['work after the answer', ``, `EdgeRuntime.waitUntil(mail(crate))`],
  ])('%s', async (_name, head, call) => {
    expect(answerOf(await follow(`${head}\n${serve(loop(`await ${call}\n${DONE}`))}`))).toBe('race effect-before-claim')
  })
})

describe('what is no effect on rows', () => {
  it.each([
    [
      'a read of another service',
      loop(`await fetch('https://api.weather.example/at?depot=' + crate.id)\n${DONE}`),
      'no-row-work',
    ],
    [
      'an insert into an outbox',
      loop(`await db.from('scraps').insert({ crate_id: crate.id, kind: 'mail' })\n${DONE}`),
      'no-row-work',
    ],
    [
      'one e-mail that tells how many',
      `${PICK}\nawait mail({ email: 'depot@x.example', label: String(crates!.length) })`,
      'no-row-work',
    ],
    [
      'the project’s own storage',
      loop(`await db.storage.from('labels').upload(crate.id, 'x')\n${DONE}`),
      'no-row-work',
    ],
    [
      'a standing list',
      `const { data: depots } = await db.from('depots').select('*').eq('open', true)\nfor (const depot of depots ?? []) await mail(depot)`,
      'broadcast',
    ],
    [
      'a loop over constants',
      `for (const to of ['a@x.example', 'b@x.example']) await mail({ email: to })`,
      'no-row-work',
    ],
  ])('%s', async (_name, body, expected) => {
    expect(await handle(body)).toBe(expected)
  })
})

describe('sister functions', () => {
  const carrier = (body: string) => ({
    files: {
      'functions/carry/index.ts': `${HEAD}\nDeno.serve(async (req) => {\nconst { id } = await req.json()\n${body}\nreturn new Response('ok')\n})`,
    },
  })
  const takes = `const { data: crate } = await db.from('crates').update({ state: 'packing' }).eq('id', id).eq('state', 'waiting').select().maybeSingle()
    if (!crate) return new Response('taken')
    await mail(crate)`
  const reads = `const { data: crate } = await db.from('crates').select('*').eq('id', id).single()\nawait mail(crate)`
  const invoke = loop(`await db.functions.invoke('carry', { body: { id: crate.id } })\n${DONE}`)
  const fetched = loop(
    "await fetch(`${Deno.env.get('SUPABASE_URL')}/functions/v1/carry`, { method: 'POST', body: JSON.stringify({ id: crate.id }) })\n" +
      DONE,
  )

  it.each([
    ['invoke', invoke],
    ['fetch', fetched],
  ])('that is called by %s works for the loop, and is reached', async (_name, body) => {
    const report = await follow(serve(body), carrier(reads))
    expect(answerOf(report)).toBe('race effect-before-claim')
    expect(report.functions.map((each) => [each.name, each.calledBy])).toContainEqual(['carry', ['haul']])
  })
  it('may take the row itself', async () => {
    const report = await follow(serve(invoke), carrier(takes))
    expect(answerOf(report)).toBe('safe row-claim')
    expect(answerOf(report, 'carry')).toBe('safe row-claim')
  })
  it('may be told of a row that the caller took', async () => {
    const body = loop(
      `const { data: mine } = ${CLAIM}\nif (!mine) continue\nawait db.functions.invoke('carry', { body: { id: crate.id } })`,
    )
    expect(answerOf(await follow(serve(body), carrier(reads)))).toBe('safe row-claim')
  })
  it('names what the loop itself did wrong before what the other one does', async () => {
    const own = `await db.from('crates').update({ state: 'packing' }).eq('id', crate.id)`
    const loose = `await db.from('crates').update({ state: 'gone' }).eq('id', id).eq('state', 'waiting')\n${reads}`
    const call = `await db.functions.invoke('carry', { body: { id: crate.id } })`
    expect(answerOf(await follow(serve(loop(`${own}\n${call}\n${DONE}`)), carrier(loose)))).toBe(
      'race unconditional-claim',
    )
    expect(answerOf(await follow(serve(loop(`${call}\n${DONE}`)), carrier(loose)))).toBe('race unchecked-claim')
  })
  it('that does nothing outside is no effect', async () => {
    expect(
      answerOf(await follow(serve(invoke), carrier(`await db.from('crates').update({ label: 'x' }).eq('id', id)`))),
    ).toBe('no-row-work')
  })
  it('that does nothing outside gets rows that its caller took', async () => {
    const quiet = carrier(`await db.from('crates').update({ label: 'x' }).eq('id', id)`)
    const call = `await db.functions.invoke('carry', { body: { id: crate.id } })`
    const taking = loop(`const { data: mine } = ${CLAIM}\nif (!mine) continue\n${call}`)
    expect(answerOf(await follow(serve(taking), quiet))).toBe('safe row-claim')
    // One call without a claim: no effect follows, but the function does not take all that it hands on.
    expect(answerOf(await follow(serve(`${taking}\n${invoke.replaceAll('crate', 'other')}`), quiet))).toBe(
      'no-row-work',
    )
  })
  it('bears no finding of the loop that calls it', async () => {
    const report = await follow(serve(invoke), carrier(reads))
    expect(report.findings.map((each) => each.location.file)).toEqual(['supabase/functions/haul/index.ts'])
  })
})

describe('dispatchers in SQL', () => {
  const code = `${HEAD}\nDeno.serve(async (req) => {\nconst crate = await req.json()\nawait mail(crate)\nreturn new Response('ok')\n})`
  it('that take the rows in the same statement', async () => {
    const command = `with mine as (update crates set state = 'packing' where id in (select id from crates where state = 'waiting' limit 5 for update skip locked) returning id, email)
      select ${postTo('haul', `jsonb_build_object('id', id, 'email', email)`)} from mine`
    expect(answerOf(await follow(code, { command }))).toBe('safe dispatcher-claim')
  })
  it('that only pick them', async () => {
    const command = `select ${postTo('haul', `jsonb_build_object('id', id, 'email', email)`)} from crates where due_at <= now()`
    const report = await follow(code, { command })
    expect(answerOf(report)).toBe('race sql-fanout-unclaimed')
    // Each row is a request of its own, and pg_net waits for none of them.
    const { batch, concurrency } = report.findings[0]!.overlap!
    expect(concurrency).toBe(batch)
    expect(batch).toBeGreaterThan(1)
  })
  it('whose function moves one row by its key', async () => {
    const moved = `const { data: crate } = await db.from('crates').update({ state: 'packing' }).eq('id', id).select().single()`
    const code = `${HEAD}\nDeno.serve(async (req) => {\nconst { id } = await req.json()\n${moved}\nawait mail(crate)\nreturn new Response('ok')\n})`
    const command = `select ${postTo('haul', `jsonb_build_object('id', id)`)} from crates where state = 'waiting' limit 1`
    const { batch, batchAssumed } = (await follow(code, { command })).functions[0]!.overlap!
    expect([batch, batchAssumed]).toEqual([1, false])
  })
  it('whose function takes the row', async () => {
    const command = `select ${postTo('haul', `jsonb_build_object('id', id)`)} from crates where state = 'waiting'`
    const own = `${HEAD}\nDeno.serve(async (req) => {\nconst crate = await req.json()\nconst { data: mine } = ${CLAIM}\nif (!mine) return new Response('taken')\nawait mail(mine)\nreturn new Response('ok')\n})`
    expect(answerOf(await follow(own, { command }))).toBe('safe row-claim')
  })
  it('choose the branch of a function by the body that they send', async () => {
    const own = `${HEAD}\nDeno.serve(async (req) => {\nconst { task } = await req.json()\nswitch (task) {\ncase 'mail': {\n${loop(`await mail(crate)\n${DONE}`)}\nbreak }\ncase 'sweep': await db.from('crates').delete().eq('state', 'sent'); break\n}\nreturn new Response('ok')\n})`
    const tick = (task: string) => ({ command: `select ${postTo('haul', `'{"task": "${task}"}'::jsonb`)}` })
    expect(answerOf(await follow(own, tick('mail')))).toBe('race effect-before-claim')
    expect(answerOf(await follow(own, tick('sweep')))).toBe('no-row-work')
  })
})

describe('the names in a printed fix', () => {
  const fixOf = async (body: string) => (await follow(serve(body))).findings[0]!.fix.code!
  it('are those of the loop, or of the one row that was read', async () => {
    expect(await fixOf(loop(`await mail(crate)\n${DONE}`))).toContain(".eq('id', crate.id)")
    const one = `const { data: parcel } = await db.from('crates').select().eq('state', 'waiting').limit(1).maybeSingle()`
    const done = DONE.replaceAll('crate.', 'parcel.')
    expect(await fixOf(`${one}\nif (!parcel) return\nawait mail(parcel)\n${done}`)).toContain(".eq('id', parcel.id)")
  })
  it('say so where no migration tells what names a row', async () => {
    const view = PICK.replace(`'crates'`, `'late_crates'`).replace(
      `.eq('state', 'waiting')`,
      `.lte('due_at', new Date().toISOString())`,
    )
    expect(await fixOf(`${view}\nfor (const crate of crates ?? []) await mail(crate)`)).toContain(
      '// id: whatever tells one row',
    )
  })
  it('are explained where the code has none', async () => {
    const code = await fixOf(
      `${PICK}\nfor (const { id, email } of crates ?? []) { await mail({ id, email })\nawait db.from('crates').update({ state: 'sent' }).eq('id', id) }`,
    )
    expect(code).toContain('// row: the one that is worked on here')
  })
})

describe('places', () => {
  it('an effect stands where the loop’s own body calls it', async () => {
    const code = serve(loop(`const note = { ...crate }\nawait mail(note) // here\n${DONE}`))
    const [finding] = (await follow(code)).findings
    expect(finding!.location.startLine).toBe(lineOf(code, 'await mail(note) // here'))
    expect(finding!.effects[0]!.location.startLine).toBe(lineOf(code, 'await mail(note) // here'))
  })
  it('the trace leads to the request in the helper', async () => {
    const code = serve(loop(`await mail(crate)\n${DONE}`))
    const lines = (await follow(code)).findings[0]!.trace.map((step) => `${step.role} ${step.location.startLine}`)
    expect(lines).toContain(`effect ${lineOf(code, 'fetch(')}`)
    expect(lines).toContain(`effect ${lineOf(code, 'await mail(crate)')}`)
  })
  it('an effect in another file stands in the loop’s', async () => {
    const files = {
      'functions/_shared/post.ts': `export const post = (p: any) =>\n\n\nfetch('https://api.resend.com/emails', { method: 'POST', body: p.email })`,
    }
    const code = `import { post } from '../_shared/post.ts'\n${serve(loop(`await post(crate)\n${DONE}`))}`
    const [finding] = (await follow(code, { files })).findings
    expect([finding!.location.file, finding!.location.startLine]).toEqual([
      'supabase/functions/haul/index.ts',
      lineOf(code, 'await post(crate)'),
    ])
    expect(finding!.trace.some((step) => step.location.file === 'supabase/functions/_shared/post.ts')).toBe(true)
  })
  it('a write stands where its chain begins', async () => {
    const code = serve(
      loop(
        `const { error } = await db\n  .from('crates')\n  .update({ state: 'packing' })\n  .eq('id', crate.id)\n  .eq('state', 'waiting')\nif (error) continue\nawait mail(crate)`,
      ),
    )
    const [finding] = (await follow(code)).findings
    expect(finding!.ruleId).toBe('unchecked-claim')
    expect(finding!.location.startLine).toBe(lineOf(code, 'const { error } = await db'))
    expect(code.split('\n')[finding!.location.startLine - 1]!.slice(finding!.location.startColumn - 1)).toBe('db')
  })
  it('a claim in SQL is named where the SQL stands', async () => {
    const sql = `create function look(n int) returns setof crates language sql as $$\n\nselect * from crates where state = 'waiting' limit n for update skip locked $$;`
    const [finding] = (
      await follow(
        serve(
          `const { data: crates } = await db.rpc('look', { n: 3 })\nfor (const crate of crates) { await mail(crate)\n${DONE} }`,
        ),
        { sql },
      )
    ).findings
    expect([finding!.ruleId, finding!.location.file]).toEqual(['lock-only-claim', 'supabase/migrations/1_depot.sql'])
  })
})

describe('how many at once', () => {
  const batch = async (body: string) => {
    const { overlap } = (await follow(serve(body))).findings[0]!
    return [overlap!.batch, overlap!.concurrency]
  }
  it.each([
    ['one after the other', `${PICK}\nfor (const crate of crates!) { await mail(crate)\n${DONE} }`, [20, 1]],
    ['all', `${PICK}\nawait Promise.all(crates!.map(async (crate) => { await mail(crate)\n${DONE} }))`, [20, 20]],
    [
      'in fives',
      `${PICK}\nfor (let i = 0; i < crates!.length; i += 5) { const five = crates!.slice(i, i + 5)\nawait Promise.allSettled(five.map(async (crate) => { await mail(crate)\n${DONE} })) }`,
      [20, 5],
    ],
    [
      'by three workers',
      `${PICK}\nconst queue = [...crates!]\nconst worker = async () => { while (queue.length) { const crate = queue.shift()!\nawait mail(crate)\n${DONE} } }\nawait Promise.all(Array.from({ length: 3 }, worker))`,
      [20, 3],
    ],
    [
      'without a limit',
      `const { data: crates } = await db.from('crates').select('*').eq('state', 'waiting')\nfor (const crate of crates!) { await mail(crate)\n${DONE} }`,
      [100, 1],
    ],
  ])('%s', async (_name, body, expected) => {
    expect(await batch(body)).toEqual(expected)
  })
})
