import { loadModule, parsePlPgSQLSync, parseSync } from 'libpg-query'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { falsifies } from '../../src/claims/index.js'
import type { WorkLoop } from '../../src/model/index.js'
import { writeFix } from '../../src/rules/fix/index.js'
import { nearest } from '../../src/rules/index.js'
import {
  among,
  and,
  at,
  attempt,
  charge,
  due,
  eq,
  isNull,
  lit,
  loop,
  mail,
  mark,
  neq,
  not,
  now,
  opaque,
  or,
  read,
  set,
  source,
} from './loops.js'

function written(one: WorkLoop) {
  const found = nearest(one)!
  return writeFix(one, found.rule.meta.id, found.match.attempt ?? null)
}

const lines = (one: WorkLoop) => (written(one).fix.code ?? '').split('\n').map((line) => line.trim())

const done = mark(set({ status: lit('done') }))
const key = { kind: 'compare', column: 'id', op: '=', operand: opaque } as const

/** Every way of picking rows that ends in a printed claim. */
const taken: Readonly<Record<string, WorkLoop>> = {
  'a state': loop(),
  'two states': loop({ source: source({ where: among('status', 'pending', 'failed') }) }),
  'two states by or': loop({ source: source({ where: or(eq('status', 'pending'), eq('status', 'failed')) }) }),
  'a state in capitals': loop({
    source: source({ where: eq('status', 'NEW') }),
    marks: [mark(set({ status: lit('SENT') }))],
  }),
  'a number': loop({ source: source({ where: eq('stage', 0) }), marks: [mark(set({ stage: lit(1) }))] }),
  'a flag': loop({ source: source({ where: eq('handled', false) }), marks: [mark(set({ handled: lit(true) }))] }),
  'a flag that is set': loop({
    source: source({ where: eq('dirty', true) }),
    marks: [mark(set({ dirty: lit(false) }))],
  }),
  'a missing stamp': loop({ source: source({ where: isNull('sent_at') }), marks: [mark(set({ sent_at: now() }))] }),
  'a stamp that is cleared': loop({
    source: source({ where: not(isNull('wanted_at')) }),
    marks: [mark(set({ wanted_at: lit(null) }))],
  }),
  'a missing text': loop({ source: source({ where: isNull('summary') }), marks: [mark(set({ summary: opaque }))] }),
  'all but one state': loop({
    source: source({ where: neq('status', 'sent') }),
    marks: [mark(set({ status: lit('sent') }))],
  }),
  'all but some states': loop({
    source: source({ where: not(among('status', 'sent', 'dead')) }),
    marks: [mark(set({ status: lit('sent') }))],
  }),
  'a due date that moves on': loop({
    source: source({ where: and(eq('active', true), due('next_run_at')), timeBound: true }),
    marks: [mark(set({ next_run_at: opaque, last_run_at: now() }))],
  }),
  'a state or none': loop({
    source: source({ where: or(isNull('status'), eq('status', 'retry')) }),
  }),
  'being there': loop({ source: source({ where: null }), marks: [mark({ kind: 'delete' }, { kind: 'delete' })] }),
  'a condition that is not read': loop({
    source: source({ where: { kind: 'other', text: "meta->>'x' = 'y'", columns: ['meta'] } }),
    marks: [mark(null, { leavesPick: 'unproven' })],
  }),
  'an unchecked claim': loop({
    attempts: [
      attempt('unchecked-claim', { where: and(key, eq('status', 'pending')), change: set({ status: lit('sending') }) }),
    ],
  }),
  'a claim by the key alone': loop({
    attempts: [
      attempt('unconditional-claim', { where: key, change: set({ status: lit('sending'), taken_at: now() }) }),
    ],
  }),
  'a claim that asks for what it sets': loop({
    source: source({ where: among('status', 'pending', 'processing') }),
    attempts: [
      attempt('claim-not-self-falsifying', {
        where: among('status', 'pending', 'processing'),
        change: set({ status: lit('processing') }),
      }),
    ],
  }),
  'a claim that stamps another column': loop({
    source: source({ where: isNull('sent_at') }),
    marks: [mark(set({ sent_at: now() }))],
    attempts: [
      attempt('claim-not-self-falsifying', { where: and(key, isNull('sent_at')), change: set({ locked_at: now() }) }),
    ],
  }),
  'a claim that lapses, given back at the end': loop({
    source: source({ where: and(eq('status', 'pending'), isNull('locked_at')) }),
    marks: [done, mark(set({ locked_at: lit(null) }))],
    attempts: [attempt('unchecked-claim', { where: isNull('locked_at'), change: set({ locked_at: now() }) })],
  }),
  'a sub-select without a lock': loop({
    source: source({ kind: 'claim' }),
    attempts: [
      attempt('claim-subselect-unlocked', { where: eq('status', 'pending'), change: set({ status: lit('sending') }) }),
    ],
  }),
  'a look and an update by key': loop({
    attempts: [
      attempt('claim-subselect-unlocked', {
        where: and(key, eq('status', 'pending')),
        change: set({ status: lit('paying') }),
      }),
    ],
  }),
  'a lock and nothing else': loop({
    source: source({ kind: 'claim' }),
    attempts: [attempt('lock-only-claim', { where: eq('status', 'pending') })],
  }),
  'a loop in SQL': loop({ source: source({ kind: 'body' }), fanout: at(3) }),
  'a run lock': loop({ attempts: [attempt('single-flight-not-atomic', { table: 'public.locks' })] }),
}

describe('a printed claim', () => {
  it.each(Object.entries(taken))('takes rows that are picked by %s', (_, one) => {
    const { claim, fix } = written(one)
    expect(claim).not.toBeNull()
    expect(falsifies(claim!.where, claim!.change)).toBe('yes')
    expect(fix.code).toContain('jobs')
  })

  it('that finds its rows itself keeps the rest of the pick, and says what it cannot print', () => {
    const unread = { kind: 'compare', column: 'region', op: '=', operand: opaque } as const
    const where = and(eq('status', 'pending'), due('due_at'), unread)
    const code = lines(loop({ source: source({ kind: 'body', where }), fanout: at(3) }))
    expect(code).toContain("where status = 'pending'")
    expect(code).toContain('and due_at <= now()')
    expect(code.find((line) => line.includes('region'))).toMatch(/^-- and, as it is written now: region = /)
    expect(code.filter((line) => line.includes("status = 'pending'"))).toHaveLength(1)
  })

  it.each(Object.entries(taken))('for %s has at most five steps and no empty part', (_, one) => {
    const { fix } = written(one)
    expect(fix.steps.length).toBeLessThanOrEqual(5)
    expect(`${fix.code} ${fix.steps.join(' ')}`).not.toMatch(/undefined|\[\]|NaN/)
  })
})

/** Every way that ends in a record under a unique key. */
const recorded: Readonly<Record<string, WorkLoop>> = {
  'time alone': loop({ source: source({ where: due('ends_on'), timeBound: true }), marks: [] }),
  'a question first': loop({
    marks: [mark(set({ user_id: read('id'), kind: lit('digest') }), { kind: 'insert', table: 'public.sent_log' })],
    attempts: [attempt('check-then-act', { table: 'public.sent_log' })],
  }),
  'an upsert': loop({
    attempts: [
      attempt('upsert-as-claim', { table: 'crm.runs', change: set({ job_id: read('id'), 'started at': now() }) }),
    ],
  }),
  'an insert without a key': loop({
    attempts: [attempt('insert-claim-without-unique', { table: 'crm.Log', change: set({ user_id: read('id') }) })],
  }),
  'an insert whose error is not read': loop({
    attempts: [attempt('insert-claim-error-ignored', { table: 'public.sent_log' })],
  }),
}

describe('printed code', () => {
  beforeAll(() => loadModule())

  it.each(Object.entries({ ...taken, ...recorded }))('for %s is code', (_, one) => {
    const { code, language } = written(one).fix
    if (language === 'ts') {
      const inLoop = `async function run() { for (const job of jobs) {\n${code}\n} }`
      const { diagnostics } = ts.transpileModule(inLoop, { reportDiagnostics: true })
      expect(diagnostics?.map(({ messageText }) => messageText)).toEqual([])
    } else if (code?.includes('return found')) {
      const body = `create function take(p_id bigint) returns boolean language plpgsql as $$ begin\n${code}\nend $$`
      expect(() => parsePlPgSQLSync(body)).not.toThrow()
    } else {
      expect(() => parseSync(code ?? '')).not.toThrow()
    }
  })
})

describe('in supabase-js', () => {
  it('is written for the table, the key, the states, and the names of the loop', () => {
    const one = loop({
      source: source({
        table: 'crm.mails',
        where: among('status', 'pending', 'failed'),
        key: 'mail_id',
        rowName: 'mail',
        clientName: 'admin',
      }),
      marks: [mark(set({ status: lit('done') }), { table: 'crm.mails' })],
    })
    expect(written(one).fix.code).toBe(
      [
        'const { data: claimed, error: claimError } = await admin',
        "  .schema('crm')",
        "  .from('mails')",
        "  .update({ status: 'processing' })",
        "  .eq('mail_id', mail.mail_id)",
        "  .in('status', ['pending', 'failed'])",
        "  .select('mail_id')",
        '  .maybeSingle()',
        'if (claimError) console.error(claimError.message)',
        'if (!claimed) continue // another run has it',
      ].join('\n'),
    )
  })

  it.each<[string, readonly string[]]>([
    [
      'a flag',
      [
        '.update({ claimed_at: new Date().toISOString() })',
        ".eq('handled', false)",
        '.or(`claimed_at.is.null,claimed_at.lt.${new Date(Date.now() - 10 * 60_000).toISOString()}`)',
      ],
    ],
    ['a state or none', [".update({ status: 'processing' })", '.or(`status.is.null,status.eq.retry`)']],
    ['a missing stamp', ['.update({ sent_at: new Date().toISOString() })', ".is('sent_at', null)"]],
    ['a stamp that is cleared', ['.update({ wanted_at: null })', ".not('wanted_at', 'is', null)"]],
    ['a number', ['.update({ stage: 2 })', ".eq('stage', 0)"]],
    ['a state in capitals', [".update({ status: 'PROCESSING' })"]],
    ['all but some states', [".not('status', 'in', '(sent,dead)')", ".neq('status', 'processing')"]],
    [
      'a missing text',
      [
        '// in a migration: alter table public.jobs add column if not exists claimed_at timestamptz;',
        ".is('summary', null)",
        '.or(`claimed_at.is.null,claimed_at.lt.${new Date(Date.now() - 10 * 60_000).toISOString()}`)',
      ],
    ],
    ['a due date that moves on', [".eq('active', true)", ".lte('next_run_at', new Date().toISOString())"]],
    ['a claim by the key alone', [".update({ status: 'sending', taken_at: new Date().toISOString() })"]],
    ['a claim that asks for what it sets', [".eq('status', 'pending')"]],
    ['a claim that lapses, given back at the end', [".eq('status', 'pending')", ".is('locked_at', null)"]],
    [
      'a claim that stamps another column',
      ['.update({ locked_at: new Date().toISOString() })', ".is('sent_at', null)"],
    ],
  ])('for %s', (name, expected) => {
    const found = lines(taken[name]!)
    for (const line of expected) expect(found).toContain(line)
  })

  it('leaves a callback by return, and a handler of one row with an answer', () => {
    expect(lines(loop({ concurrency: 'all' }))).toContain('if (!claimed) return // another run has it')
    const single = loop({ location: at(20) })
    expect(lines(single)).toContain("if (!claimed) return new Response('taken by another run') // another run has it")
  })

  it('keeps quotes and odd names legal', () => {
    const one = loop({
      source: source({ where: eq("it's", "o'clock"), key: 'order id' }),
      marks: [mark(set({ "it's": lit('done') }))],
    })
    const found = lines(one)
    expect(found).toContain(".update({ 'it\\'s': 'processing' })")
    expect(found).toContain(".eq('it\\'s', 'o\\'clock')")
    expect(found).toContain(".eq('order id', job['order id'])")
  })
})

describe('in SQL', () => {
  it('takes a batch in one statement', () => {
    expect(written(taken['a sub-select without a lock']!).fix).toMatchObject({
      language: 'sql',
      code: `update public.jobs
set status = 'sending'
where id in (
  select id from public.jobs
  where status = 'pending'
  order by id
  limit 50
  for update skip locked
)
returning *;`,
    })
  })

  it('takes the one row that a routine is asked for', () => {
    const one = taken['a look and an update by key']!
    expect(lines(one)).toContain("and status = 'pending';")
    expect(lines(one)).toContain('return found;')
  })

  it('takes the rows of a fan-out in the statement that sends the requests', () => {
    const code = written(taken['a loop in SQL']!).fix.code!
    expect(code).toMatch(/^with taken as \(\n {2}update public\.jobs\n/)
    expect(code).toContain('returning id\n)\nselect net.http_post(')
    expect(code).toMatch(/from taken;$/)
  })
})

describe('a record under a unique key', () => {
  it('is a new ledger where the row is stamped, and nobody asks for the stamp: it may be due again', () => {
    const due = loop({
      source: source({ where: isNull('closed_at'), timeBound: true }),
      marks: [mark(set({ reminded_at: now() }), { leavesPick: 'no' })],
    })
    expect(written(due).claim).toBeNull()
    expect(lines(due).join()).toContain('create table')
  })

  it('is a new ledger where nothing in the row is a state', () => {
    const one = loop({
      effects: [mail],
      source: source({ table: 'public.trials', where: due('ends_on'), timeBound: true, rowName: 'trial' }),
      marks: [],
    })
    const { fix, claim } = written(one)
    expect(claim).toBeNull()
    expect(fix.code).toContain('create table public.drain_done')
    expect(fix.code).toContain('primary key (row_id, period)')
    expect(fix.code).toContain('.insert({ row_id: String(trial.id), period })')
    expect(fix.code).toContain('if (takenError) continue')
  })

  it('is the one that the code writes already, written first', () => {
    const record = mark(set({ user_id: read('id'), kind: lit('digest'), at: now() }), {
      kind: 'insert',
      table: 'public.sent_log',
    })
    const asked = loop({ marks: [record], attempts: [attempt('check-then-act', { table: 'public.sent_log' })] })
    for (const one of [asked, loop({ marks: [record] })]) {
      expect(lines(one)).toContain('// alter table public.sent_log add unique (user_id, kind);')
      expect(lines(one)).toContain(".from('sent_log')")
    }
  })

  it('gets the key that it lacks', () => {
    const change = set({ user_id: read('id'), kind: lit('digest'), day: opaque, retry: lit(0), at: now() })
    const one = loop({ attempts: [attempt('insert-claim-without-unique', { table: 'public.sent_log', change })] })
    expect(written(one).fix).toMatchObject({
      language: 'sql',
      code: 'alter table public.sent_log add unique (user_id, kind, day);',
    })
  })

  it('leaves when the insert fails', () => {
    const one = loop({ attempts: [attempt('insert-claim-error-ignored', { table: 'public.sent_log' })] })
    expect(lines(one)).toContain('if (takenError) continue // 23505: done already, or another run is on it')
  })

  it('does not merge', () => {
    const change = set({ job_id: read('id'), state: lit('running'), started_at: now() })
    const one = loop({ attempts: [attempt('upsert-as-claim', { table: 'public.runs', change })] })
    expect(lines(one)).toContain(
      ".upsert({ job_id: job.id, state: 'running', started_at: new Date().toISOString() }, { onConflict: 'job_id', ignoreDuplicates: true })",
    )
    expect(lines(one)).toContain('if (!mine?.length) continue // another run has it')
  })
})

describe('the steps', () => {
  const steps = (one: WorkLoop) => written(one).fix.steps.join(' ')

  it('say that a new state may have to be allowed, and an old one not', () => {
    expect(steps(loop())).toContain("lists the values of status, add 'processing' in a migration")
    expect(steps(taken['a flag']!)).not.toContain('CHECK')
  })

  it('name the way back after a crash, with the numbers', () => {
    for (const one of Object.values(taken)) expect(steps(one)).toMatch(/10 minutes is safe.*150 s.*400 s/)
    expect(steps(taken['a missing text']!)).toContain('can be taken again once its claim is older')
    expect(steps(taken['a claim by the key alone']!)).toContain('taken_at says since when')
  })

  it('warn where the claim looks like finished work', () => {
    for (const name of ['a missing stamp', 'a stamp that is cleared']) {
      expect(steps(taken[name]!)).toContain('does not tell finished work from a run that died')
    }
    expect(steps(loop())).not.toContain('does not tell finished work')
  })

  it('never put a charge back by themselves', () => {
    expect(steps(loop({ effects: [charge] }))).toContain('only when it is certain that no charge was made')
  })

  it('offer a key where the provider has one', () => {
    expect(steps(loop({ effects: [mail] }))).toContain(
      'header Idempotency-Key or SDK option idempotencyKey, such as `drain/${job.id}`',
    )
    expect(steps(loop())).not.toContain('key made from the row')
  })

  it('promise nothing of a key for a host that is not known', () => {
    const elsewhere = { ...mail, match: { ...mail.match, provider: 'unknown', unknownHost: true } }
    expect(steps(loop({ effects: [elsewhere] }))).not.toContain('key made from the row')
  })

  it('speak of the batch that is there', () => {
    expect(steps(loop())).toContain('now 50')
    expect(steps(loop({ source: source({ limit: null }) }))).toContain('Limit the pick')
    expect(steps(loop({ source: source({ limit: 1 }) }))).toContain('Give every call a time limit')
  })
})
