import { describe, expect, it } from 'vitest'
import type { Overlap } from '../../src/model/index.js'
import { scheduleInWords } from '../../src/report/schedule.js'
import { count, list, overlapSum, perRowSum } from '../../src/report/words.js'

const overlap: Overlap = {
  level: 'possible',
  intervalSeconds: 120,
  batch: 50,
  batchAssumed: false,
  concurrency: 1,
  perRow: [{ title: 'e-mail', typicalSeconds: 0.5, worstSeconds: 30 }],
  typicalSeconds: 25,
  worstSeconds: 1500,
}

describe('overlapSum', () => {
  it('is a sum that a reader can check', () => {
    expect(overlapSum(overlap)).toBe(
      '50 rows × 0.5–30 s ÷ 1 at a time = 25–1500 s against a tick every 120 s → possible',
    )
  })

  it('adds up the effects of a row, and names them', () => {
    const two = {
      ...overlap,
      perRow: [...overlap.perRow, { title: 'chat model', typicalSeconds: 8, worstSeconds: 60 }],
    }
    expect(overlapSum({ ...two, typicalSeconds: 425, worstSeconds: 4500 })).toContain('50 rows × 8.5–90 s')
    expect(perRowSum(two)).toBe('e-mail 0.5–30 s + chat model 8–60 s')
  })

  it('says what was assumed, what was capped and what is not known', () => {
    expect(overlapSum({ ...overlap, batchAssumed: true })).toContain('50 rows (assumed: no limit in the code) ×')
    expect(overlapSum({ ...overlap, worstSeconds: 400 })).toContain('= 25–400 s (capped at 400 s a run)')
    expect(overlapSum({ ...overlap, intervalSeconds: null })).toContain('a tick whose interval is not known')
  })

  it('is short where both ends are one, and rounds', () => {
    const even = { ...overlap, batch: 1, concurrency: 3, perRow: [{ title: 'x', typicalSeconds: 1, worstSeconds: 1 }] }
    expect(overlapSum({ ...even, typicalSeconds: 1 / 3, worstSeconds: 1 / 3 })).toContain(
      '1 row × 1 s ÷ 3 at a time = 0.33 s against',
    )
  })

  it('also gives long intervals in hours and days', () => {
    expect(overlapSum({ ...overlap, intervalSeconds: 3600 })).toContain('every 3600 s (1 hour)')
    expect(overlapSum({ ...overlap, intervalSeconds: 604_800 })).toContain('every 604800 s (7 days)')
  })
})

describe('scheduleInWords', () => {
  it.each([
    ['* * * * *', 'every minute'],
    ['*/2 * * * *', 'every 2 minutes'],
    ['*/1 * * * *', 'every minute'],
    ['15 * * * *', 'every hour at minute 15'],
    ['0 */6 * * *', 'every 6 hours'],
    ['5 3 * * *', 'every day at 03:05 UTC'],
    ['0 6 * * 1', 'every Monday at 06:00 UTC'],
    ['0 6 * * 7', 'every Sunday at 06:00 UTC'],
    ['0 9 * * 1-5', 'from Monday to Friday at 09:00 UTC'],
    ['0 0 1 * *', 'on day 1 of every month at 00:00 UTC'],
    ['10 seconds', 'every 10 seconds'],
    ['1 second', 'every second'],
    ['30 SECONDS', 'every 30 seconds'],
    ['@hourly', 'every hour'],
    ['@daily', 'every day at 00:00 UTC'],
  ])('%s is %s', (schedule, words) => {
    expect(scheduleInWords(schedule, 1)).toBe(words)
  })

  it('falls back to the gap where the schedule has no short words', () => {
    expect(scheduleInWords('*/7 * * * *', 240)).toBe('at gaps of 4 min or more')
    expect(scheduleInWords('0 8,12 * * *', 14_400)).toBe('at gaps of 4 h or more')
    expect(scheduleInWords('0 0 1 1 *', 45)).toBe('at gaps of 45 s or more')
    expect(scheduleInWords('whenever', null)).toBe('on a schedule that could not be read')
  })
})

it('counts and lists', () => {
  expect([count(1, 'tick'), count(2, 'tick'), count(0, 'query', 'queries')]).toEqual(['1 tick', '2 ticks', '0 queries'])
  expect([list([]), list(['a']), list(['a', 'b', 'c'])]).toEqual(['', 'a', 'a, b and c'])
})
