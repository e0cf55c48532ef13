import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  columnsOf,
  compose,
  conjuncts,
  falsifies,
  isTimeBound,
  leavesPick,
  negate,
  showPredicate,
  staysTaken,
} from '../../src/claims/index.js'
import type { Assignment, Change, Comparison, Operand, Predicate } from '../../src/model/index.js'

const lit = (value: string | number | boolean | null): Operand => ({ kind: 'literal', value })
const now = (offset: number | null = 0, later?: boolean): Operand => ({
  kind: 'now',
  offset,
  ...(later === undefined ? {} : { later }),
})
const col = (column: string, delta: number | null = 0): Operand => ({ kind: 'column', column, delta })
const read = (column: string, delta: number | null = 0): Operand => ({ kind: 'read', column, delta })
const fresh: Operand = { kind: 'fresh' }
const opaque = (id: string, nonNull = false): Operand => ({ kind: 'opaque', id, nonNull })
const is = (column: string, op: Comparison, operand: Operand): Predicate => ({ kind: 'compare', column, op, operand })
const eq = (column: string, value: string | number | boolean | null): Predicate => is(column, '=', lit(value))
const among = (column: string, ...values: (string | number)[]): Predicate => ({
  kind: 'in',
  column,
  operands: values.map(lit),
})
const isNull = (column: string): Predicate => ({ kind: 'null', column })
const distinct = (column: string, operand: Operand): Predicate => ({ kind: 'distinct', column, operand })
const not = (term: Predicate): Predicate => ({ kind: 'not', term })
const and = (...terms: Predicate[]): Predicate => ({ kind: 'and', terms })
const or = (...terms: Predicate[]): Predicate => ({ kind: 'or', terms })
const other = (text: string, ...columns: string[]): Predicate => ({ kind: 'other', text, columns })
const set = (values: Record<string, Operand>): Change => ({
  kind: 'set',
  assignments: Object.entries(values).map(([column, operand]): Assignment => ({ column, operand })),
})
const minutes = 60_000

describe('falsifies', () => {
  it.each<[string, Predicate | null, Change, 'yes' | 'no' | 'unproven']>([
    ['another literal', and(eq('id', 1), eq('s', 'a')), set({ s: lit('b') }), 'yes'],
    ['the key alone', eq('id', 1), set({ s: lit('b') }), 'no'],
    ['no condition', null, set({ s: lit('b') }), 'no'],
    ['a list that holds the new value', among('s', 'a', 'b'), set({ s: lit('b') }), 'no'],
    ['a list that does not', among('s', 'a', 'c'), set({ s: lit('b') }), 'yes'],
    ['<> another value', is('s', '<>', lit('c')), set({ s: lit('b') }), 'no'],
    ['<> the new value', is('s', '<>', lit('b')), set({ s: lit('b') }), 'yes'],
    ['IS DISTINCT FROM the new value', distinct('s', lit('b')), set({ s: lit('b') }), 'yes'],
    ['NOT IN a list with the new value', not(among('s', 'b', 'c')), set({ s: lit('b') }), 'yes'],
    ['null, then set to now', isNull('t'), set({ t: now() }), 'yes'],
    ['null, another column set', isNull('t'), set({ u: now() }), 'no'],
    ['null, set to something that may be null', isNull('t'), set({ t: opaque('x') }), 'unproven'],
    ['null, set to something that is not', isNull('t'), set({ t: opaque('x', true) }), 'yes'],
    ['null, set to a fresh token', isNull('t'), set({ t: fresh }), 'yes'],
    ['null, set to null', isNull('t'), set({ t: lit(null) }), 'no'],
    ['not null, set to null', not(isNull('t')), set({ t: lit(null) }), 'yes'],
    ['not null, set to now', not(isNull('t')), set({ t: now() }), 'no'],
    ['lease: null or stale', or(isNull('t'), is('t', '<', now(-5 * minutes))), set({ t: now() }), 'yes'],
    ['lease: forgotten', or(isNull('t'), is('t', '<', now(-5 * minutes))), set({ s: lit('b') }), 'no'],
    ['lease until', is('t', '<', now()), set({ t: now(5 * minutes) }), 'yes'],
    ['lease until, of unknown length', is('t', '<', now()), set({ t: now(null, true) }), 'yes'],
    ['shifted by an unknown amount', is('t', '<', now()), set({ t: now(null) }), 'unproven'],
    ['stale by an unknown amount', is('t', '<', now(null, false)), set({ t: now() }), 'yes'],
    ['due now, set to now: the second clock may be later', is('t', '<=', now()), set({ t: now() }), 'no'],
    ['before now, set to now: likewise', is('t', '<', now()), set({ t: now() }), 'no'],
    ['due, moved on by a day', is('t', '<=', now()), set({ t: col('t', 24 * 60 * minutes) }), 'yes'],
    ['due, moved on by something', is('t', '<=', now()), set({ t: col('t', null) }), 'unproven'],
    ['due, set by a function', is('t', '<=', now()), set({ t: opaque('next', true) }), 'unproven'],
    ['due, another column stamped', is('t', '<=', now()), set({ u: now() }), 'no'],
    ['attempts < 3, one more', is('n', '<', lit(3)), set({ n: col('n', 1) }), 'no'],
    ['attempts < max, one more', is('n', '<', col('max')), set({ n: col('n', 1) }), 'no'],
    ['attempts = 0, one more', eq('n', 0), set({ n: col('n', 1) }), 'yes'],
    ['attempts in (0, 1), one more', among('n', 0, 1), set({ n: col('n', 1) }), 'no'],
    ['attempts = 0 or 5, one more', or(eq('n', 0), eq('n', 5)), set({ n: col('n', 1) }), 'yes'],
    ['attempts = 0 or 1, one more', or(eq('n', 0), eq('n', 1)), set({ n: col('n', 1) }), 'no'],
    ['attempts as read, one more than read', is('n', '=', read('n')), set({ n: read('n', 1) }), 'yes'],
    ['attempts as read, one more than in the row', is('n', '=', read('n')), set({ n: col('n', 1) }), 'yes'],
    ['attempts as read, set to the same', is('n', '=', read('n')), set({ n: read('n') }), 'no'],
    ['attempts as read, not touched', is('n', '=', read('n')), set({ s: lit('b') }), 'no'],
    ['stamp as read, set anew', is('t', '=', read('t')), set({ t: now() }), 'yes'],
    ['false, set to true', eq('b', false), set({ b: lit(true) }), 'yes'],
    ['not true, set to true', not(eq('b', true)), set({ b: lit(true) }), 'yes'],
    ['IS NOT TRUE, set to true', distinct('b', lit(true)), set({ b: lit(true) }), 'yes'],
    ['a literal, set to something unknown', eq('s', 'a'), set({ s: opaque('x', true) }), 'unproven'],
    ['a parameter, set to itself', is('s', '=', opaque('x')), set({ s: opaque('x') }), 'no'],
    ['not my own token, set to it', is('s', '<>', opaque('x', true)), set({ s: opaque('x', true) }), 'unproven'],
    ['any conjunct is enough', and(is('n', '<', lit(3)), eq('s', 'a')), set({ s: lit('b'), n: col('n', 1) }), 'yes'],
    ['an OR needs all', or(eq('s', 'a'), eq('s', 'b')), set({ s: lit('b') }), 'no'],
    ['NOT over OR', not(or(eq('s', 'b'), eq('s', 'c'))), set({ s: lit('b') }), 'yes'],
    ['NOT over AND', not(and(eq('s', 'b'), eq('u', 'c'))), set({ s: lit('b') }), 'no'],
    [
      'a condition that is not read, its column set',
      other("m->>'k' is null", 'm'),
      set({ m: opaque('x') }),
      'unproven',
    ],
    ['a condition that is not read, another column set', other("m->>'k' is null", 'm'), set({ s: lit('b') }), 'no'],
    ['> x, set below', is('n', '>', lit(3)), set({ n: lit(0) }), 'yes'],
    ['> now, set into the past', is('t', '>', now()), set({ t: now(-minutes) }), 'yes'],
    ['numbers as texts', eq('s', '1'), set({ s: lit(1) }), 'no'],
    ['compared with null', is('s', '=', lit(null)), set({ u: lit(1) }), 'yes'],
    ['two columns swapped', is('a', '=', col('b')), set({ a: lit(1) }), 'no'],
  ])('%s', (_, where, change, answer) => expect(falsifies(where, change)).toBe(answer))

  it('knows the lease over two states only if both columns are set (truth table 64–66)', () => {
    const where = or(eq('s', 'pending'), and(eq('s', 'processing'), is('t', '<', now(-5 * minutes))))
    expect(falsifies(where, set({ s: lit('processing'), t: now() }))).toBe('yes')
    expect(falsifies(where, set({ s: lit('processing') }))).toBe('no')
    expect(falsifies(where, set({ t: now() }))).toBe('no')
  })

  it('follows what the old row must have been through every alternative', () => {
    const where = or(and(eq('s', 'a'), isNull('t')), and(eq('s', 'b'), not(isNull('t'))))
    // From a the row comes to b with t still null: neither alternative; from b nothing moves.
    expect(falsifies(where, set({ s: lit('b') }))).toBe('no')
    expect(falsifies(and(where, eq('s', 'a')), set({ s: lit('b') }))).toBe('yes')
  })

  it('counts columns that a trigger stamps', () => {
    expect(falsifies(is('t', '=', read('t')), set({ s: lit('b') }), ['t'])).toBe('yes')
    expect(falsifies(is('t', '<', now(-minutes)), set({ s: lit('b') }), ['t'])).toBe('yes')
  })

  it('always falsifies by deleting', () => expect(falsifies(null, { kind: 'delete' })).toBe('yes'))

  it('gives up on more alternatives than people write', () => {
    const many = and(...Array.from({ length: 12 }, (_, index) => or(eq(`a${index}`, 1), eq(`b${index}`, 1))))
    expect(falsifies(many, set({ a0: lit(2) }))).toBe('unproven')
  })
})

describe('leavesPick', () => {
  it('says whether the row is still picked after the write', () => {
    expect(leavesPick(eq('s', 'a'), set({ s: lit('b') }))).toBe('yes')
    expect(leavesPick(is('t', '<', now(-60 * minutes)), set({ t: now() }))).toBe('yes')
    expect(leavesPick(is('created', '>', now(-60 * minutes)), set({ done: lit(true) }))).toBe('no')
    expect(leavesPick(null, set({ s: lit('b') }))).toBe('no')
    expect(leavesPick(null, { kind: 'delete' })).toBe('yes')
  })
})

describe('staysTaken', () => {
  const lease = or(isNull('lease'), is('lease', '<', now()))
  const takeLease = set({ lease: now(5 * minutes) })
  const pick = eq('s', 'pending')

  it('is broken by a lease that is given back after the work', () => {
    expect(staysTaken({ where: lease, change: takeLease }, pick, [set({ s: lit('done'), lease: lit(null) })])).toBe(
      'no',
    )
    expect(
      staysTaken({ where: lease, change: takeLease }, pick, [set({ s: lit('done') }), set({ lease: lit(null) })]),
    ).toBe('no')
  })

  it('holds where the claim repeats the picked state', () => {
    const where = and(pick, lease)
    expect(staysTaken({ where, change: takeLease }, pick, [set({ s: lit('done'), lease: lit(null) })])).toBe('yes')
  })

  it('takes a failure that counts attempts for a retry, although at some count the row is no longer picked', () => {
    const counted: Predicate = {
      kind: 'and',
      terms: [
        { kind: 'in', column: 's', operands: [lit('pending'), lit('failed')] },
        { kind: 'compare', column: 'n', op: '<', operand: lit(5) },
      ],
    }
    const change = set({ s: lit('processing') })
    const later = [set({ s: lit('done') }), set({ s: lit('failed'), n: col('n', 1) })]
    expect(staysTaken({ where: counted, change }, counted, later)).toBe('yes')
  })

  it('holds for a plain state claim, also with a retry that puts the row back', () => {
    const claim = { where: pick, change: set({ s: lit('processing') }) }
    expect(staysTaken(claim, pick, [set({ s: lit('done') })])).toBe('yes')
    expect(staysTaken(claim, pick, [set({ s: lit('done') }), set({ s: lit('pending'), n: col('n', 1) })])).toBe('yes')
    expect(staysTaken(claim, pick, [])).toBe('yes')
  })

  it('is broken by a compare-and-swap alone while the pick still matches', () => {
    const where = is('n', '=', read('n'))
    expect(staysTaken({ where, change: set({ n: read('n', 1) }) }, pick, [set({ s: lit('done') })])).toBe('no')
    expect(staysTaken({ where, change: set({ n: read('n', 1), s: lit('processing') }) }, pick, [])).toBe('yes')
  })

  it('holds where the work deletes the row', () => {
    expect(staysTaken({ where: lease, change: takeLease }, pick, [{ kind: 'delete' }])).toBe('yes')
  })
})

describe('helpers', () => {
  it('opens ANDs, finds columns and time', () => {
    const predicate = and(eq('a', 1), and(is('b', '<', col('c')), or(isNull('d'), other('f(e)', 'e'))))
    expect(conjuncts(predicate)).toHaveLength(3)
    expect(columnsOf(predicate)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(isTimeBound(predicate)).toBe(false)
    expect(isTimeBound(or(eq('a', 1), is('t', '<=', now(null))))).toBe(true)
    expect(isTimeBound(other('t::date = CURRENT_DATE', 't'))).toBe(true)
    expect(negate(negate(predicate))).toEqual(predicate)
  })

  it('composes writes, the later ones last', () => {
    expect(compose([set({ n: lit(1), s: lit('a') }), set({ n: col('n', 2) })])).toEqual(set({ n: lit(3), s: lit('a') }))
    expect(compose([set({ n: lit(1) }), { kind: 'delete' }])).toEqual({ kind: 'delete' })
  })

  it('shows predicates as SQL', () => {
    const text = showPredicate(
      and(eq('s', "it's"), or(isNull('t'), is('t', '<', now(-5 * minutes))), not(isNull('u')), not(among('v', 1, 2))),
    )
    expect(text).toBe(
      "s = 'it''s' and (t is null or t < now() - interval '5 minutes') and u is not null and v not in (1, 2)",
    )
    expect(showPredicate(is('n', '<', col('max', -1)))).toBe('n < max - 1')
  })
})

/** Every row over small domains is tried: what the algebra claims must hold for all of them. */
describe('falsifies against every row', () => {
  type Row = Readonly<Record<string, string | number | null>>
  const words = [null, 'a', 'b', 'c', 'z']
  const numbers = [null, -1, 0, 1, 2, 3, 4, 9]
  const rows: Row[] = words.flatMap((s) => words.flatMap((u) => numbers.map((n) => ({ s, u, n }))))

  const valueOf = (operand: Operand, row: Row): string | number | null => {
    if (operand.kind === 'literal') return operand.value as string | number | null
    if (operand.kind !== 'column') throw new Error(operand.kind)
    const value = row[operand.column] ?? null
    return typeof value === 'number' ? value + (operand.delta ?? 0) : value
  }
  /** SQL's three truth values. */
  const holds = (predicate: Predicate, row: Row): boolean | null => {
    switch (predicate.kind) {
      case 'and':
      case 'or': {
        const all = predicate.terms.map((term) => holds(term, row))
        const decisive = predicate.kind === 'or'
        return all.includes(decisive) ? decisive : all.includes(null) ? null : !decisive
      }
      case 'not': {
        const inner = holds(predicate.term, row)
        return inner === null ? null : !inner
      }
      case 'null':
        return (row[predicate.column] ?? null) === null
      case 'distinct':
        return (row[predicate.column] ?? null) !== valueOf(predicate.operand, row)
      case 'in':
        return holds(or(...predicate.operands.map((operand) => is(predicate.column, '=', operand))), row)
      case 'compare': {
        const left = row[predicate.column] ?? null
        const right = valueOf(predicate.operand, row)
        if (left === null || right === null) return null
        const sign = left === right ? 0 : left < right ? -1 : 1
        return { '=': sign === 0, '<>': sign !== 0, '<': sign < 0, '<=': sign <= 0, '>': sign > 0, '>=': sign >= 0 }[
          predicate.op
        ]
      }
      case 'other':
        throw new Error('other')
    }
  }

  const word = fc.constantFrom('a', 'b', 'c')
  const number = fc.integer({ min: 0, max: 3 })
  const leaf = fc.oneof(
    fc
      .tuple(fc.constantFrom('s', 'u'), fc.constantFrom<Comparison>('=', '<>'), word)
      .map(([column, op, value]) => is(column, op, lit(value))),
    fc
      .tuple(fc.constantFrom<Comparison>('=', '<>', '<', '<=', '>', '>='), number)
      .map(([op, value]) => is('n', op, lit(value))),
    fc.constantFrom('s', 'u', 'n').map(isNull),
    fc.tuple(fc.constantFrom('s', 'u'), word).map(([column, value]) => distinct(column, lit(value))),
    fc.array(word, { minLength: 1, maxLength: 3 }).map((values) => among('s', ...values)),
    fc.array(number, { minLength: 1, maxLength: 2 }).map((values) => among('n', ...values)),
  )
  const { predicate } = fc.letrec<{ predicate: Predicate }>((tie) => ({
    predicate: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('predicate'), { minLength: 1, maxLength: 3 }).map((terms) => and(...terms)),
      fc.array(tie('predicate'), { minLength: 1, maxLength: 3 }).map((terms) => or(...terms)),
      tie('predicate').map(not),
    ),
  }))
  const operands = {
    s: fc.option(fc.constantFrom('a', 'b', 'c', null).map(lit), { nil: undefined }),
    u: fc.option(fc.oneof(word.map(lit), fc.constant(col('s'))), { nil: undefined }),
    n: fc.option(
      fc.oneof(
        number.map(lit),
        fc.integer({ min: -1, max: 2 }).map((delta) => col('n', delta)),
      ),
      { nil: undefined },
    ),
  }
  const changes = fc.record(operands).map((all) => {
    const given = Object.entries(all).filter((entry): entry is [string, Operand] => entry[1] !== undefined)
    return set(Object.fromEntries(given))
  })

  it('sees a contradiction with a condition that is written twice', () => {
    const zero = { kind: 'in', column: 'n', operands: [lit(0)] } as const
    const twice = { kind: 'in', column: 'n', operands: [lit(0), lit(0)] } as const
    const where: Predicate = {
      kind: 'and',
      terms: [
        {
          kind: 'or',
          terms: [
            { kind: 'not', term: twice },
            { kind: 'null', column: 's' },
          ],
        },
        zero,
      ],
    }
    expect(falsifies(where, set({ s: lit('a') }))).toBe('yes')
  })

  it('is never wrong, and seldom undecided', () => {
    let undecided = 0
    const runs = 3000
    fc.assert(
      fc.property(predicate, changes, (where, change) => {
        const after = (row: Row): Row =>
          change.kind === 'delete'
            ? row
            : {
                ...row,
                ...Object.fromEntries(change.assignments.map((each) => [each.column, valueOf(each.operand, row)])),
              }
        const both = rows.some((row) => holds(where, row) === true && holds(where, after(row)) === true)
        const answer = falsifies(where, change)
        if (answer === 'unproven') undecided++
        if (answer === 'yes') expect(both).toBe(false)
        // A sum may leave the numbers tried, and contradictions between bounds are not looked for.
        if (!both && answer === 'no') {
          const possible = rows.some((row) => holds(where, row) === true)
          const moves = change.kind === 'set' && change.assignments.some((each) => each.operand.kind === 'column')
          expect(possible && !moves && !hasBounds(where)).toBe(false)
        }
      }),
      { numRuns: runs },
    )
    expect(undecided / runs).toBeLessThan(0.05)
  })

  function hasBounds(where: Predicate): boolean {
    if (where.kind === 'and' || where.kind === 'or') return where.terms.some(hasBounds)
    if (where.kind === 'not') return hasBounds(where.term)
    return where.kind === 'compare' && where.op !== '='
  }
})
