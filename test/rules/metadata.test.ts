import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ruleById, rules } from '../../src/rules/index.js'

const fixtures = fileURLToPath(new URL('../../src/fixtures/rules/', import.meta.url))
const source = fileURLToPath(new URL('../../src/rules/', import.meta.url))

describe('the rules', () => {
  it('are the sixteen race rules of the contract', () => {
    expect(rules.map(({ meta }) => meta.id).sort()).toEqual([
      'builder-not-awaited',
      'check-then-act',
      'claim-not-self-falsifying',
      'claim-subselect-unlocked',
      'effect-before-claim',
      'in-memory-lock',
      'insert-claim-error-ignored',
      'insert-claim-without-unique',
      'lock-only-claim',
      'no-claim',
      'session-lock-over-pool',
      'single-flight-not-atomic',
      'sql-fanout-unclaimed',
      'unchecked-claim',
      'unconditional-claim',
      'upsert-as-claim',
    ])
  })

  it('are found by their id', () => {
    for (const rule of rules) expect(ruleById(rule.meta.id)).toBe(rule)
    expect(ruleById('no-such-rule')).toBeNull()
  })

  it('have no fixtures without a rule', () => {
    expect(readdirSync(fixtures).sort()).toEqual(rules.map(({ meta }) => meta.id).sort())
  })

  describe.each(rules.map(({ meta }) => [meta.id, meta] as const))('%s', (id, meta) => {
    it('says what it is, why, and what to do', () => {
      for (const words of [meta.title, meta.what, meta.why, meta.example, meta.sound, meta.fix]) {
        expect(words.trim().length).toBeGreaterThan(10)
      }
      expect(meta.example).not.toBe(meta.sound)
      expect(meta.title).not.toMatch(/\.$/)
      expect(meta.falsePositives.length).toBeGreaterThan(0)
      expect(meta.references.length).toBeGreaterThan(0)
    })

    it('has a file of its name, a racing project and a sound one', () => {
      expect(existsSync(`${source}${id}.ts`)).toBe(true)
      for (const twin of ['racing', 'sound']) expect(existsSync(`${fixtures}${id}/${twin}/supabase`)).toBe(true)
    })
  })
})
