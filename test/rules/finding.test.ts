import { describe, expect, it } from 'vitest'
import type { Overlap, Tick, WorkLoop } from '../../src/model/index.js'
import { nearest, numbered, toFinding, type FindingContext } from '../../src/rules/index.js'
import { at, attempt, eq, lit, loop, mail, mark, model, set, source } from './loops.js'

const sql = 'supabase/migrations/0062_tick.sql'
const tick: Tick = {
  name: 'drain-tick',
  schedule: '*/2 * * * *',
  intervalSeconds: 120,
  active: true,
  location: at(1, sql),
  dispatches: [
    {
      function: 'drain',
      url: '…/functions/v1/drain',
      via: ['kick_drain'],
      location: at(5, sql),
      fanout: false,
      body: { kind: 'unknown' },
      rows: null,
      method: 'POST',
    },
  ],
}
const overlap: Overlap = {
  level: 'possible',
  intervalSeconds: 120,
  batch: 50,
  batchAssumed: false,
  concurrency: 1,
  perRow: [],
  typicalSeconds: 25,
  worstSeconds: 1500,
}
const context: FindingContext = { ticks: [tick], overlap, severity: 'error', confidence: 'high' }

function finding(one: WorkLoop, parts: Partial<FindingContext> = {}) {
  const { rule, match } = nearest(one)!
  return toFinding(one, match, rule, { ...context, ...parts })
}

describe('a finding', () => {
  const one = finding(loop({ effects: [model, { ...mail, ownedBy: 'idempotency-key' }] }))

  it('carries what it was given and what its loop says', () => {
    expect(one).toMatchObject({
      ruleId: 'effect-before-claim',
      severity: 'error',
      confidence: 'high',
      function: 'drain',
      table: 'public.jobs',
      ticks: ['drain-tick'],
      overlap,
      location: model.location,
      effects: [{ title: 'OpenAI chat completion', provider: 'OpenAI', kind: 'spend', location: model.location }],
    })
  })

  it('names a job without a name by its schedule', () => {
    expect(finding(loop(), { ticks: [{ ...tick, name: null }, tick, tick] }).ticks).toEqual([
      '*/2 * * * *',
      'drain-tick',
    ])
  })

  it('says which rows and what is repeated', () => {
    expect(finding(loop({ effects: [model, mail] })).consequence).toBe(
      'Two overlapping runs pick the same rows of jobs, up to 50 of them, and each costs one more model call and one more e-mail. The write that records the work comes after it: where that write fails, every later tick does it again.',
    )
    const single = loop({ effects: [mail, mail], source: source({ limit: 1, timeBound: true }), marks: [] })
    expect(finding(single).consequence).toBe(
      'Two overlapping runs pick the same row of jobs, and each costs 2 times one more e-mail. Nothing records the work, so every later run that still picks the row does it again as well.',
    )
    const unread = mark(set({ seen: lit(true) }), { leavesPick: 'no' })
    const unlimited = loop({ source: source({ limit: null, table: null }), marks: [unread] })
    expect(finding(unlimited, { overlap: { ...overlap, batch: 100, batchAssumed: true } }).consequence).toBe(
      'Two overlapping runs pick the same rows, without a limit, and each costs one more model call. The work is recorded, but nothing asks for the record before the work is done again.',
    )
  })
})

describe('the trace', () => {
  const roles = (one: WorkLoop) => finding(one).trace.map(({ role }) => role)

  it('tells the story in its order', () => {
    const told = [{ role: 'mark', message: 'only now the row leaves what is picked', location: at(40) }] as const
    expect(roles(loop({ effects: [model, mail], trace: told }))).toEqual([
      'schedule',
      'dispatch',
      'pick',
      'loop',
      'effect',
      'effect',
      'effect',
      'mark',
    ])
    expect(roles(loop({ attempts: [attempt('unchecked-claim')], trace: told }))).toEqual([
      'schedule',
      'dispatch',
      'pick',
      'loop',
      'claim',
      'effect',
      'mark',
    ])
    expect(roles(loop({ attempts: [attempt('in-memory-lock')] })).slice(0, 4)).toEqual([
      'schedule',
      'dispatch',
      'lock',
      'pick',
    ])
  })

  it('holds the marks that the analysis tells of, and no others', () => {
    expect(roles(loop({ trace: [] }))).not.toContain('mark')
  })

  it('leads into helpers: the call in the loop, and the call itself', () => {
    const effects = finding(loop({ effects: [mail] })).trace.filter(({ role }) => role === 'effect')
    expect(effects.map(({ location }) => location.startLine)).toEqual([31, 12])
  })

  it('keeps the words of the analysis and doubles nothing', () => {
    const said = { role: 'pick', message: 'reads 50 pending jobs', location: at(20) } as const
    const picks = finding(loop({ trace: [said] })).trace.filter(({ role }) => role === 'pick')
    expect(picks).toEqual([said])
  })

  it('says by which way the request comes', () => {
    expect(finding(loop()).trace[1]?.message).toBe(
      'pg_net requests drain by way of kick_drain, and nothing waits for the answer',
    )
    expect(finding(loop({ function: 'worker' })).trace[1]?.message).toBe(
      'pg_net requests drain by way of kick_drain, on the way to worker, and nothing waits for the answer',
    )
  })
})

describe('the fingerprint', () => {
  const print = (one: WorkLoop, parts?: Partial<FindingContext>) => finding(one, parts).fingerprint

  it('is 32 hex digits', () => expect(print(loop())).toMatch(/^[0-9a-f]{32}$/))

  it('does not move with lines, words, conditions or schedules', () => {
    const moved = loop({
      location: at(125),
      source: source({ location: at(120), where: eq('status', 'queued') }),
      effects: [{ ...model, location: at(130), inner: at(130) }],
    })
    expect(print(moved, { ticks: [], overlap: null, severity: 'warning', confidence: 'low' })).toBe(print(loop()))
  })

  it.each<[string, WorkLoop]>([
    ['function', loop({ function: 'other' })],
    ['table', loop({ source: source({ table: 'public.others' }) })],
    ['effect', loop({ effects: [mail] })],
    ['rule', loop({ attempts: [attempt('in-memory-lock')] })],
  ])('differs by %s', (_, one) => expect(print(one)).not.toBe(print(loop())))

  it('counts equals, and the first keeps its name', () => {
    const same = finding(loop())
    const prints = numbered([same, finding(loop({ function: 'other' })), same, same]).map((one) => one.fingerprint)
    expect(new Set(prints).size).toBe(4)
    expect(prints[0]).toBe(same.fingerprint)
    expect(numbered([same, same]).map((one) => one.fingerprint)).toEqual([prints[0], prints[2]])
  })
})
