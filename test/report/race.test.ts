import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Finding, Overlap } from '../../src/model/index.js'
import { durationInWords } from '../../src/report/duration.js'
import { laneCells } from '../../src/report/html/cells.js'
import { raceOf, raceStory, type Race } from '../../src/report/race.js'
import { sample } from './sample.js'

const late = sample.findings[0] as Finding
const blind = sample.findings[2] as Finding

const withOverlap = (finding: Finding, overlap: Partial<Overlap>): Finding => ({
  ...finding,
  overlap: { ...(finding.overlap as Overlap), ...overlap },
})

describe('raceOf', () => {
  it('counts what A has done when the next tick starts B, from the numbers of the finding', () => {
    // 30 s a row at worst, one at a time, a tick every 120 s: four rows are through.
    expect(raceOf(late)).toEqual<Race>({
      basis: 'worst',
      perRowSeconds: 30,
      rows: 50,
      concurrency: 1,
      entrance: 'next-tick',
      leaves: 'finished',
      aEnds: 1500,
      bStarts: 120,
      bEnds: 1500,
      finished: 4,
      inFlight: 1,
      waiting: 45,
      again: 46,
      twice: 46,
      effects: ['Resend e-mail'],
    })
  })

  it('takes the typical seconds where they are enough', () => {
    const race = raceOf(withOverlap(late, { level: 'expected', intervalSeconds: 10 }))
    expect(race).toMatchObject({
      basis: 'typical',
      perRowSeconds: 0.5,
      aEnds: 25,
      bStarts: 10,
      finished: 20,
      again: 30,
    })
  })

  it('lets B come early where the next tick comes after A has ended', () => {
    const race = raceOf(withOverlap(late, { level: 'unlikely', intervalSeconds: 86_400 }))
    expect(race).toMatchObject({ entrance: 'early', bStarts: 750, finished: 25, again: 25, twice: 25 })
    expect(raceOf(withOverlap(late, { level: 'unlikely', intervalSeconds: null }))?.entrance).toBe('early')
  })

  it('leaves out the rows that A has begun where the loop moves them first', () => {
    const race = raceOf(withOverlap(blind, { level: 'possible', intervalSeconds: 120, worstSeconds: 4000 }))
    expect(race).toMatchObject({ leaves: 'begun', finished: 3, inFlight: 1, again: 96 })
  })

  it('has B pick everything again where nothing moves a row', () => {
    const race = raceOf({ ...late, ruleId: 'no-claim', trace: late.trace.filter((step) => step.role !== 'mark') })
    expect(race).toMatchObject({ leaves: 'never', again: 50, twice: 50 })
  })

  it('starts both together where only that is a race', () => {
    const race = raceOf({ ...late, ruleId: 'claim-subselect-unlocked' })
    expect(race).toMatchObject({ entrance: 'together', bStarts: 0, again: 50, twice: 50 })
    expect(raceOf(withOverlap(blind, { level: 'unlikely', batch: 1 }))?.entrance).toBe('together')
  })

  it('does not count rows that a run is ended before', () => {
    // A is cut off after 400 s of the 4,000 that its 100 rows take: it gets to ten of them.
    expect(raceOf(blind)).toMatchObject({ aEnds: 400, bStarts: 200, finished: 5, again: 94, twice: 4 })
  })

  it('is null where there are no numbers', () => {
    expect(raceOf({ ...late, overlap: null })).toBeNull()
    expect(raceOf(withOverlap(late, { batch: 0 }))).toBeNull()
    expect(raceOf(withOverlap(late, { perRow: [], typicalSeconds: 0, worstSeconds: 0 }))).toBeNull()
  })

  it('adds up for any numbers', () => {
    const numbers = fc.record({
      level: fc.constantFrom('expected' as const, 'possible' as const, 'unlikely' as const),
      batch: fc.integer({ min: 1, max: 5000 }),
      concurrency: fc.integer({ min: 1, max: 6000 }),
      intervalSeconds: fc.option(fc.integer({ min: 1, max: 700_000 })),
      seconds: fc.double({ min: 0.01, max: 200, noNaN: true }),
      cap: fc.integer({ min: 1, max: 2000 }),
      ruleId: fc.constantFrom('effect-before-claim', 'no-claim', 'unchecked-claim', 'claim-subselect-unlocked'),
    })
    fc.assert(
      fc.property(numbers, ({ seconds, cap, ruleId, ...overlap }) => {
        const run = Math.min(cap, (overlap.batch * seconds) / Math.min(overlap.concurrency, overlap.batch))
        const finding = withOverlap(
          { ...late, ruleId },
          {
            ...overlap,
            perRow: [{ title: 'x', typicalSeconds: seconds, worstSeconds: seconds }],
            typicalSeconds: run,
            worstSeconds: run,
          },
        )
        const race = raceOf(finding) as Race
        expect(race.finished + race.inFlight + race.waiting).toBe(race.rows)
        expect(race.again).toBeGreaterThan(0)
        expect(race.again).toBeLessThanOrEqual(race.rows)
        expect(race.twice).toBeLessThanOrEqual(race.again)
        expect(race.bStarts).toBeLessThan(race.aEnds)
        expect(raceStory(race, finding).join(' ')).not.toMatch(/NaN|undefined|Infinity/)
        const { a, b } = laneCells(race)
        expect(a.length + b.length).toBeLessThan(300)
        for (const cell of a) expect(cell.from >= 0 && cell.to <= race.aEnds + 1e-6 && cell.from < cell.to).toBe(true)
        for (const cell of b) expect(cell.from >= race.bStarts && cell.to <= race.bEnds + 1e-6).toBe(true)
        const twiceIn = (cells: typeof a): string[] =>
          cells.filter((cell) => cell.state === 'twice').map((cell) => cell.key)
        expect(twiceIn(a)).toEqual(twiceIn(b))
      }),
      { numRuns: 300 },
    )
  })
})

describe('raceStory', () => {
  it('tells the race in the order of time', () => {
    expect(raceStory(raceOf(late) as Race, late)).toEqual([
      'At 0 s run A picks 50 rows of `reminders`.',
      'At 2 min the next tick starts run B. By then A has finished 4, works on 1 and has 45 still to do.',
      'B picks 46 of them again: a row leaves what is picked only after its work.',
      'All 46 are worked on by both: 46 × Resend e-mail, made twice.',
      'Before A ends, after 25 min, 11 more ticks start runs like B.',
    ])
  })

  it('says what is assumed, and how B can come early', () => {
    const story = raceStory(raceOf(blind) as Race, blind).join('\n')
    expect(story).toContain('100 rows of `members` (no limit in the code: so many are assumed)')
    expect(story).toContain('Run B starts early, here at 3 min 20 s')
    expect(story).toContain('The next tick of its own comes after 7 days.')
    expect(story).toContain('4 of these are worked on by both')
  })
})

it.each([
  [0, '0 s'],
  [0.5, '0.5 s'],
  [119.96, '120 s'],
  [200, '3 min 20 s'],
  [1500, '25 min'],
  [7200, '2 h'],
  [9000, '2 h 30 min'],
  [604_800, '7 days'],
  [190_800, '2 days 5 h'],
])('%d seconds are %s', (seconds, words) => {
  expect(durationInWords(seconds)).toBe(words)
})
