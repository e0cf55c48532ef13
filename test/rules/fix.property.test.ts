import fc from 'fast-check'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { falsifies } from '../../src/claims/index.js'
import type { Mark, Operand, Predicate } from '../../src/model/index.js'
import { nearest, writeFix } from '../../src/rules/index.js'
import { attempt, lit, loop, mark, now, opaque, source } from './loops.js'

const column = fc.constantFrom('status', 'handled', 'sent_at', 'due_at', 'attempts', "it's", 'id')
const value = fc.oneof(
  fc.constantFrom('pending', 'processing', 'done', "o'clock", 'a,b'),
  fc.boolean(),
  fc.integer({ min: -2, max: 5 }),
)
const operand: fc.Arbitrary<Operand> = fc.oneof(
  value.map(lit),
  fc.constantFrom(-3_600_000, 0, 1500).map(now),
  fc.constant(lit(null)),
  fc.constant(opaque),
  fc.constant<Operand>({ kind: 'now', offset: null, later: true }),
  fc.constant<Operand>({ kind: 'column', column: 'attempts', delta: 1 }),
  fc.constant<Operand>({ kind: 'fresh' }),
)

const { predicate } = fc.letrec<{ predicate: Predicate; atom: Predicate }>((tie) => ({
  predicate: fc.oneof(
    { depthSize: 'small' },
    tie('atom'),
    fc.record({
      kind: fc.constantFrom('and', 'or'),
      terms: fc.array(tie('predicate'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), term: tie('predicate') }),
  ),
  atom: fc.oneof(
    fc.record({
      kind: fc.constant('compare' as const),
      column,
      op: fc.constantFrom('=', '<>', '<', '<=', '>', '>='),
      operand,
    }),
    fc.record({
      kind: fc.constant('in' as const),
      column,
      operands: fc.array(operand, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('null' as const), column }),
    fc.record({ kind: fc.constant('distinct' as const), column, operand }),
    fc.constant<Predicate>({ kind: 'other', text: "meta ->> 'x' = 'y'", columns: ['meta'] }),
  ),
}))

const change = fc
  .uniqueArray(fc.record({ column, operand }), { minLength: 1, maxLength: 3, selector: (one) => one.column })
  .map((assignments) => ({ kind: 'set' as const, assignments }))
const marks: fc.Arbitrary<readonly Mark[]> = fc.array(
  fc
    .tuple(change, fc.constantFrom('yes' as const, 'no' as const, 'unproven' as const))
    .map(([written, leavesPick]) => mark(written, { leavesPick })),
  { minLength: 1, maxLength: 3 },
)
const attempts = fc.array(
  fc
    .tuple(
      fc.constantFrom('unchecked-claim' as const, 'unconditional-claim' as const, 'claim-not-self-falsifying' as const),
      fc.option(predicate),
      change,
    )
    .map(([flaw, where, written]) => attempt(flaw, { where, change: written })),
  { maxLength: 1 },
)

it('prints for any pick a claim that takes the row, as legal code', () => {
  fc.assert(
    fc.property(fc.option(predicate), marks, attempts, fc.boolean(), (where, written, tried, timeBound) => {
      const one = loop({ source: source({ where, timeBound }), marks: written, attempts: tried })
      const found = nearest(one)!
      const { fix, claim } = writeFix(one, found.rule.meta.id, found.match.attempt ?? null)
      if (claim !== null) expect(falsifies(claim.where, claim.change)).toBe('yes')
      const inLoop = `async function run() { for (const job of jobs) {\n${fix.code}\n} }`
      expect(ts.transpileModule(inLoop, { reportDiagnostics: true }).diagnostics).toEqual([])
      expect(fix.steps.length).toBeLessThanOrEqual(5)
    }),
    { numRuns: 300 },
  )
})
