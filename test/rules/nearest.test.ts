import { describe, expect, it } from 'vitest'
import type { AttemptFlaw, WorkLoop } from '../../src/model/index.js'
import { isBroadcast, nearest, undecided } from '../../src/rules/index.js'
import { at, attempt, eq, loop, lit, mail, mark, model, set, source } from './loops.js'

const ruleOf = (one: WorkLoop) => nearest(one)?.rule.meta.id ?? null
const lineOf = (one: WorkLoop) => nearest(one)?.match.location.startLine ?? null

describe('a loop without an attempt', () => {
  it('works first and moves the row afterwards', () => {
    const one = loop({ effects: [model, mail] })
    expect(ruleOf(one)).toBe('effect-before-claim')
    expect(lineOf(one)).toBe(model.location.startLine)
    expect(nearest(one)?.match.message).toBe(
      "Each row of jobs where status = 'pending' is worked on (OpenAI chat completion and Resend e-mail) before it is moved out of that condition: until then another run picks it as well.",
    )
  })

  it('stands at the first effect that nothing takes', () => {
    expect(lineOf(loop({ effects: [{ ...model, ownedBy: 'row-claim' }, mail] }))).toBe(mail.location.startLine)
  })

  it('counts a mark that may move the row', () => {
    expect(ruleOf(loop({ marks: [mark(null, { leavesPick: 'unproven' })] }))).toBe('effect-before-claim')
  })

  it('never moves the row', () => {
    expect(ruleOf(loop({ marks: [mark(set({ seen: lit(true) }), { leavesPick: 'no' })] }))).toBe('no-claim')
    expect(ruleOf(loop({ source: source({ timeBound: true }), marks: [] }))).toBe('no-claim')
  })

  it('asks first and records afterwards', () => {
    const one = loop({ attempts: [attempt('check-then-act', { table: 'public.sent_log', location: at(22) })] })
    expect(ruleOf(one)).toBe('check-then-act')
    expect(lineOf(one)).toBe(model.location.startLine)
    expect(nearest(one)?.match.attempt?.location.startLine).toBe(22)
  })

  it('is one in SQL', () => {
    const one = loop({ fanout: at(7, 'supabase/migrations/1_tick.sql') })
    expect(ruleOf(one)).toBe('sql-fanout-unclaimed')
    expect(nearest(one)?.match.location).toEqual(at(7, 'supabase/migrations/1_tick.sql'))
  })
})

describe('silence', () => {
  it('where every effect is taken', () => {
    expect(nearest(loop({ effects: [{ ...model, ownedBy: 'row-claim' }], fanout: at(3) }))).toBeNull()
    expect(nearest(loop({ effects: [] }))).toBeNull()
  })

  it('where the rows come from somewhere unknown, unless an attempt has a certain flaw', () => {
    const reason = { message: 'the import could not be opened', location: at(3) }
    const unknown = source({ kind: 'unknown', table: null, where: null, reason })
    expect(nearest(loop({ source: unknown }))).toBeNull()
    expect(undecided(loop({ source: unknown }))).toBe(reason)
    expect(ruleOf(loop({ source: unknown, attempts: [attempt('in-memory-lock')] }))).toBe('in-memory-lock')
  })

  it('where something that looks like a claim could not be decided', () => {
    const reason = { message: 'the condition is not read', location: at(9) }
    const one = loop({ attempts: [attempt('unproven', { reason }), attempt('in-memory-lock')] })
    expect(nearest(one)).toBeNull()
    expect(undecided(one)).toBe(reason)
    expect(undecided(loop())).toBeNull()
  })

  it('for a broadcast', () => {
    const list = loop({ source: source({ where: eq('active', true), columns: ['active'] }), marks: [] })
    expect(isBroadcast(list)).toBe(true)
    expect(nearest(list)).toBeNull()
  })
})

describe('a broadcast is none', () => {
  const list = loop({ source: source({ where: null, columns: [] }), marks: [] })
  it.each<[string, WorkLoop]>([
    ['where time picks the rows', { ...list, source: source({ timeBound: true }) }],
    ['where the work records its effect', { ...list, marks: [mark(null, { kind: 'insert', table: 'public.log' })] }],
    ['where the work deletes the row', { ...list, marks: [mark({ kind: 'delete' }, { kind: 'delete' })] }],
    ['where someone meant to take the rows', { ...list, attempts: [attempt('builder-not-awaited')] }],
    ['where the rows are not known', { ...list, source: source({ kind: 'unknown' }) }],
    ['where every effect is taken', { ...list, effects: [{ ...mail, ownedBy: 'idempotency-key' }] }],
  ])('%s', (_, one) => expect(isBroadcast(one)).toBe(false))
})

describe('an attempt', () => {
  const flaws: readonly AttemptFlaw[] = [
    'unchecked-claim',
    'claim-not-self-falsifying',
    'claim-subselect-unlocked',
    'lock-only-claim',
    'unconditional-claim',
    'builder-not-awaited',
    'upsert-as-claim',
    'insert-claim-error-ignored',
    'insert-claim-without-unique',
    'single-flight-not-atomic',
    'session-lock-over-pool',
    'in-memory-lock',
  ]

  it.each(flaws)('%s has the rule of its name, and the finding stands at it', (flaw) => {
    const one = loop({ attempts: [attempt(flaw)] })
    expect(ruleOf(one)).toBe(flaw)
    expect(lineOf(one)).toBe(28)
  })

  it.each(flaws.slice(1))('nearer to a claim than %s wins', (flaw) => {
    const nearer = flaws[flaws.indexOf(flaw) - 1]!
    expect(ruleOf(loop({ attempts: [attempt(flaw), attempt(nearer)] }))).toBe(nearer)
  })

  it('on the row or the run is named before the loop in SQL, and that before a question', () => {
    const attempts = [attempt('check-then-act')]
    expect(ruleOf(loop({ fanout: at(3), attempts }))).toBe('sql-fanout-unclaimed')
    expect(ruleOf(loop({ fanout: at(3), attempts: [...attempts, attempt('in-memory-lock')] }))).toBe('in-memory-lock')
  })
})
