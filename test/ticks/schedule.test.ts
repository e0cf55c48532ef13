import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSchedule } from '../../src/ticks/schedule.js'

const gap = (text: string) => parseSchedule(text).intervalSeconds
const DAY = 86_400

describe('the smallest gap', () => {
  it.each([
    ['* * * * *', 60],
    ['*/2 * * * *', 120],
    ['5-59/10 * * * *', 600],
    ['*/7 * * * *', 240],
    ['*/45 * * * *', 900],
    ['59 23 * * *', DAY],
    ['0,59 0,23 * * *', 60],
    ['0 8 * * 1', 7 * DAY],
    ['0 9 * * MON,fri', 3 * DAY],
    ['0 0 1 * *', 28 * DAY],
    ['0 0 $ * *', 28 * DAY],
    ['0 0 */2 * *', DAY],
    ['0 0 1,15 * 1', DAY],
    ['0 0 1 jan *', 365 * DAY],
    ['0 0 29 2 *', 1461 * DAY],
    ['0 0 29 2 */7', 28 * 365.25 * DAY],
    ['@hourly', 3600],
    ['@daily', DAY],
    ['@midnight', DAY],
    ['@weekly', 7 * DAY],
    ['@monthly', 28 * DAY],
    ['10 seconds', 10],
    ['1 second', 1],
    ['59 SECONDS', 59],
    ['30seconds ', 30],
  ])('%s: %d seconds', (text, seconds) => {
    expect(gap(text)).toBe(seconds)
    expect(parseSchedule(text).problem).toBeNull()
  })

  it('takes 0 and 7 as Sunday', () => {
    expect(gap('0 0 * * 0,7')).toBe(7 * DAY)
    expect(parseSchedule('0 0 * * 7').words).toBe('at 00:00 on Sunday')
  })

  it('knows that a leap day comes before the first of March, on each day of the week once in 28 years', () => {
    // 29 February 2032 is a Sunday
    expect(gap('0 */9 */4 * 1-7/2')).toBe(6 * 3600)
  })

  it('joins day and weekday by AND where one begins with a star, by OR where both are restricted', () => {
    expect(gap('0 0 1-7 * */7')).toBe(28 * DAY)
    expect(gap('0 0 1-7 * 0')).toBe(DAY)
  })

  it('reads a backward range as pg_cron does: by the byte', () => {
    expect(gap('0 22-2 * * *')).toBe(3600)
    expect(gap('0 5-1 * * *')).toBeNull()
  })

  it('agrees with a slow enumeration of 28 years', () => {
    const range = (low: number, high: number) =>
      fc
        .tuple(fc.integer({ min: low, max: high }), fc.integer({ min: low, max: high }), fc.integer({ min: 1, max: 7 }))
        .map(([a, b, step]) => ({ from: Math.min(a, b), to: Math.max(a, b), step, text: '' }))
        .map((r) => ({
          ...r,
          text: r.from === r.to ? `${r.from}` : `${r.from}-${r.to}${r.step > 1 ? `/${r.step}` : ''}`,
        }))
    const star = (low: number, high: number) =>
      fc
        .integer({ min: 1, max: Math.min(high, 30) })
        .map((step) => ({ from: low, to: high, step, text: step > 1 ? `*/${step}` : '*' }))
    const field = (low: number, high: number) =>
      fc.oneof(
        star(low, high).map((r) => [r]),
        fc.array(range(low, high), { minLength: 1, maxLength: 2 }),
      )
    const entry = fc.tuple(
      field(0, 59),
      field(0, 23),
      field(1, 31),
      fc.constant([{ from: 1, to: 12, step: 1, text: '*' }]),
      field(0, 7),
    )
    fc.assert(
      fc.property(entry, (fields) => {
        const texts = fields.map((ranges) => ranges.map((r) => r.text).join(','))
        const has = (index: number, value: number) =>
          fields[index]!.some(
            (r) => value >= r.from && value <= r.to && (r.from === r.to || (value - r.from) % r.step === 0),
          )
        const minutes = Array.from({ length: 1440 }, (_, minute) => minute).filter(
          (minute) => has(0, minute % 60) && has(1, Math.floor(minute / 60)),
        )
        let previous: number | null = null
        let smallest: number | null = null
        // Weekdays and leap days come round once in 28 years
        for (let t = Date.UTC(2019, 0, 1); t < Date.UTC(2048, 0, 1); t += DAY * 1000) {
          const date = new Date(t)
          const byDate = has(2, date.getUTCDate())
          const byWeekday = has(4, date.getUTCDay()) || (date.getUTCDay() === 0 && has(4, 7))
          const and = texts[2]!.startsWith('*') || texts[4]!.startsWith('*')
          if (!(and ? byDate && byWeekday : byDate || byWeekday)) continue
          for (const minute of minutes) {
            const now = t / 1000 + minute * 60
            if (previous !== null && (smallest === null || now - previous < smallest)) smallest = now - previous
            previous = now
          }
          if (smallest === 60) break
        }
        expect([texts.join(' '), gap(texts.join(' '))]).toEqual([texts.join(' '), smallest])
      }),
      { numRuns: 400 },
    )
  })
})

describe('what pg_cron refuses', () => {
  it.each([
    '60 seconds',
    '0 seconds',
    '1 minute',
    '5 minutes',
    '1/20 * * * *',
    '* * * *',
    '0 0 L * *',
    '? * * * *',
    '60 * * * *',
    '*/0 * * * *',
    '',
    '0 0 $,1 * *',
    '$ 0 * * *',
    '@every 5m',
    '@Hourly',
    '0 0 * * monday',
    '*/5x * * * *',
    '10 seconds please',
    '* '.repeat(600),
  ])('%s', (text) => {
    const reading = parseSchedule(text)
    expect(reading.intervalSeconds).toBeNull()
    expect(reading.problem).toContain('refuses')
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => void parseSchedule(text)))
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...'0123456789*/-,$@ \tsecond')),
        (chars) => void parseSchedule(chars.join('')),
      ),
    )
  })
})

describe('what is accepted and is not what it seems', () => {
  it('a sixth field is ignored', () => {
    const reading = parseSchedule('*/10 * * * * *')
    expect(reading.intervalSeconds).toBe(600)
    expect(reading.problem).toContain('every 10 minutes')
  })

  it('text after a list is skipped', () => {
    const reading = parseSchedule('0 9 * * 5#2')
    expect(reading.intervalSeconds).toBe(7 * DAY)
    expect(reading.problem).toContain('"#2"')
  })

  it('a step beyond the field is read by old versions only', () => {
    expect(parseSchedule('*/60 * * * *')).toMatchObject({
      intervalSeconds: 3600,
      problem: expect.stringContaining('1.6.5'),
    })
  })

  it('a date that never comes never fires', () => {
    expect(parseSchedule('0 0 30 2 *')).toMatchObject({
      intervalSeconds: null,
      problem: expect.stringContaining('never'),
    })
  })

  it('@yearly has no month in pg_cron', () => {
    expect(parseSchedule('@yearly')).toMatchObject({
      intervalSeconds: null,
      problem: expect.stringContaining('0 0 1 1 *'),
    })
  })

  it('@reboot has no gap and no problem', () => {
    expect(parseSchedule('@reboot')).toMatchObject({ intervalSeconds: null, problem: null })
  })

  it('leading blank and comment lines are skipped', () => {
    expect(gap('\n  # every five\n */5 * * * *\n')).toBe(300)
  })
})

describe('words', () => {
  it.each([
    ['*/2 * * * *', 'every 2 minutes'],
    ['* * * * *', 'every minute'],
    ['10 seconds', 'every 10 seconds'],
    ['0 8 * * 1', 'at 08:00 on Monday'],
    ['@hourly', 'every hour'],
    ['15 */2 * * *', 'every 2 hours at minute 15'],
    ['0 8 * * *', 'at 08:00 every day'],
    ['*/5 8-17 * * 1-5', 'every 5 minutes from 08:00 to 17:59 on Monday to Friday'],
    ['0 0 1,15 * 1', 'at 00:00 on days 1 and 15 of the month or on Monday'],
    ['0 0 $ 2 *', 'at 00:00 on the last day of the month in February'],
    ['0 0 1-7 * */7', 'at 00:00 on days 1, 2, 3, 4, 5, 6 and 7 of the month if it is Sunday'],
    ['0,45 * * * *', 'at minutes 0 and 45 of every hour'],
  ])('%s: %s', (text, words) => expect(parseSchedule(text).words).toBe(words))
})
