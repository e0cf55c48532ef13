/**
 * pg_cron's schedule grammar, and the smallest gap between two firings.
 * The facts come from pg_cron 1.6.7: src/entry.c (the grammar), include/bitstring.h (ranges), src/pg_cron.c ShouldRunTask (which day
 * fires) and src/job_metadata.c ParseSchedule, TryParseInterval (cron entry first, then `<n> second[s]`).
 */

export interface ScheduleReading {
  /** The smallest gap between two firings, in seconds; null: it is no schedule, or one that never fires or fires at start-up only. */
  readonly intervalSeconds: number | null
  /** For people: "every 2 minutes", "at 08:00 on Monday". Times are UTC unless `cron.timezone` says otherwise. */
  readonly words: string
  /** What is wrong with the text, or not what it seems; null: nothing. */
  readonly problem: string | null
}

/** A cron entry as pg_cron holds it: the values of each field, and the flags that decide between AND and OR of the two day fields. */
interface CronEntry {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly days: readonly number[]
  readonly months: readonly number[]
  /** 0 is Sunday. */
  readonly weekdays: readonly number[]
  readonly lastDay: boolean
  readonly anyDay: boolean
  readonly anyWeekday: boolean
  /** A step beyond the field's last value. */
  readonly largeStep: boolean
  /** Text that pg_cron skips without a word. */
  readonly skipped: readonly string[]
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** pg_cron refuses longer texts (MAX_FILE_BUFFER_LENGTH, include/cron.h). */
const LONGEST = 1000
const DAY = 86_400

/** Reads a schedule as pg_cron does. Never throws. */
export function parseSchedule(text: string): ScheduleReading {
  const cron = text.length < LONGEST ? readCron(text) : null
  if (cron === 'reboot') return { intervalSeconds: null, words: 'when the database server starts', problem: null }
  if (cron !== null) return readingOf(cron, text)
  const seconds = readSeconds(text)
  if (seconds !== null) return { intervalSeconds: seconds, words: every(seconds, 'second'), problem: null }
  return { intervalSeconds: null, words: 'not a schedule', problem: whyRefused(text) }
}

/** By text: a project has many jobs and few schedules, and a gap takes a walk over sixty years. */
const gaps = new Map<string, number | null>()

function readingOf(entry: CronEntry, text: string): ScheduleReading {
  let intervalSeconds = gaps.get(text)
  if (intervalSeconds === undefined) gaps.set(text, (intervalSeconds = smallestGap(entry)))
  const words = wordsOf(entry)
  if (intervalSeconds !== null) return { intervalSeconds, words, problem: whatSurprises(entry, words) }
  // @yearly sets month 0 of 1–12 and so no month at all (src/entry.c): found by reading, and by running the parser
  const problem = text.includes('@')
    ? `pg_cron's parser sets no month for ${text.trim()}, so that this job never runs; write '0 0 1 1 *'`
    : 'no date matches this schedule: the job never runs'
  return { intervalSeconds: null, words: 'never', problem }
}

function whatSurprises(entry: CronEntry, words: string): string | null {
  if (entry.largeStep)
    return `pg_cron 1.6.5 and later refuse a step beyond the field's last value; earlier ones fire ${words}`
  if (entry.skipped.length === 0) return null
  const skipped = entry.skipped.map((part) => `"${part}"`).join(', ')
  return `pg_cron reads five fields (minute, hour, day, month, weekday) and skips ${skipped}: this job fires ${words}`
}

function whyRefused(text: string): string {
  if (/^\s*\d+\s*sec/i.test(text))
    return `pg_cron refuses "${text}": an interval is 1 to 59 seconds, as in '30 seconds'`
  if (/^\s*\d+\s*(min|hour|day)/i.test(text)) {
    return `pg_cron refuses "${text}": only seconds can be given as an interval; use a cron entry, as in '*/5 * * * *'`
  }
  return `pg_cron refuses "${text}": it is neither a cron entry of five fields nor an interval of 1 to 59 seconds`
}

/** `sscanf(" %u secon%c%c %c")` on the lower-case text, as in TryParseInterval: blanks between number and unit are optional. */
function readSeconds(text: string): number | null {
  const match = /^\s*\+?(\d+)\s*second(?:s\s*)?$/i.exec(text)
  const seconds = match === null ? 0 : Number(match[1])
  return seconds > 0 && seconds < 60 ? seconds : null
}

// --- the cron entry ---

const NICKNAMES: Readonly<Record<string, string>> = {
  daily: '0 0 * * *',
  midnight: '0 0 * * *',
  hourly: '0 * * * *',
  weekly: '0 0 * * 0',
  monthly: '0 0 1 * *',
}

function readCron(text: string): CronEntry | 'reboot' | null {
  // Leading blank lines and comment lines are skipped (skip_comments)
  const body = text.replace(/^(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*/, '')
  if (!body.startsWith('@')) return readFields(body)
  // Nicknames are compared with strcmp: case matters; what follows is skipped
  const name = /^@([^ \t\n]*)/.exec(body)?.[1] ?? ''
  if (name === 'reboot' || name === 'restart') return 'reboot'
  if (name === 'yearly' || name === 'annually') return { ...readFields('0 0 1 1 *')!, months: [] }
  const fields = Object.hasOwn(NICKNAMES, name) ? NICKNAMES[name] : undefined
  return fields === undefined ? null : readFields(fields)
}

function readFields(text: string): CronEntry | null {
  const cursor: Cursor = { text, at: 0, skipped: [], largeStep: false }
  const minutes = readList(cursor, 0, 59)
  const hours = minutes && readList(cursor, 0, 23)
  const lastDay = hours !== null && /^\$[ \t]/.test(text.slice(cursor.at, cursor.at + 2))
  const anyDay = text[cursor.at] === '*'
  const days = lastDay ? skipDollar(cursor) : hours && readList(cursor, 1, 31)
  const months = days && readList(cursor, 1, 12, MONTHS)
  const anyWeekday = text[cursor.at] === '*'
  const weekdays = months && readList(cursor, 0, 7, WEEKDAYS)
  if (!minutes || !hours || !days || !months || !weekdays) return null
  const rest = text.slice(cursor.at).trim()
  const skipped = rest === '' ? cursor.skipped : [...cursor.skipped, rest]
  const largeStep = cursor.largeStep
  const week = [...new Set(weekdays.map((day) => day % 7))].sort((a, b) => a - b)
  return { minutes, hours, days, months, weekdays: week, lastDay, anyDay, anyWeekday, largeStep, skipped }
}

interface Cursor {
  readonly text: string
  at: number
  largeStep: boolean
  readonly skipped: string[]
}

function skipDollar(cursor: Cursor): readonly number[] {
  cursor.at += 1
  skipBlanks(cursor)
  return []
}

function skipBlanks(cursor: Cursor): void {
  while (cursor.text[cursor.at] === ' ' || cursor.text[cursor.at] === '\t') cursor.at += 1
}

/** `range {"," range}`, then whatever stands before the next blank, unread (get_list). Null: refused. */
function readList(cursor: Cursor, low: number, high: number, names: readonly string[] = []): readonly number[] | null {
  const values = new Set<number>()
  for (;;) {
    if (!readRange(cursor, values, low, high, names)) return null
    if (cursor.text[cursor.at] !== ',') break
    cursor.at += 1
  }
  const from = cursor.at
  while (cursor.at < cursor.text.length && !' \t\n'.includes(cursor.text[cursor.at]!)) cursor.at += 1
  if (cursor.at > from) cursor.skipped.push(cursor.text.slice(from, cursor.at))
  skipBlanks(cursor)
  return [...values].filter((value) => value <= high).sort((a, b) => a - b)
}

/** `*`, `n` or `n-m`, the first and last with an optional `/step`; a step after a single number is refused (get_range). */
function readRange(cursor: Cursor, values: Set<number>, low: number, high: number, names: readonly string[]): boolean {
  let first: number | null = low
  let last: number | null = high
  if (cursor.text[cursor.at] === '*') cursor.at += 1
  else {
    first = readNumber(cursor, low, names)
    if (first === null || first < low || first > high) return false
    if (cursor.text[cursor.at] !== '-') {
      values.add(first)
      return cursor.text[cursor.at] !== '/'
    }
    cursor.at += 1
    last = readNumber(cursor, low, names)
    if (last === null || last < low || last > high) return false
  }
  let step: number | null = 1
  if (cursor.text[cursor.at] === '/') {
    cursor.at += 1
    step = readNumber(cursor, 0, [])
    if (step === null || step <= 0) return false
    // Refused since pg_cron 1.6.5 (commit 5c10a8a); Supabase has projects on either side
    if (step > high) cursor.largeStep = true
  }
  addRange(values, first, last, step, low)
  return true
}

/**
 * A range that runs backwards is accepted without an error. With a step it sets nothing; without one, `bit_nset` fills the rest of the
 * first value's byte and the beginning of the last one's, so that `22-2` happens to mean 22, 23, 0, 1, 2 and `5-1` means nothing.
 */
function addRange(values: Set<number>, first: number, last: number, step: number, low: number): void {
  for (let value = first; value <= last; value += step) values.add(value)
  if (first <= last || step !== 1) return
  const [start, stop] = [first - low, last - low]
  if (start >> 3 === stop >> 3) return
  for (let bit = start; bit <= (start | 7); bit++) values.add(bit + low)
  for (let bit = stop & ~7; bit <= stop; bit++) values.add(bit + low)
}

/** A run of letters and digits: a name of three letters, in any case, or a number (get_number). */
function readNumber(cursor: Cursor, low: number, names: readonly string[]): number | null {
  const from = cursor.at
  while (/[A-Za-z0-9]/.test(cursor.text[cursor.at] ?? '')) cursor.at += 1
  const word = cursor.text.slice(from, cursor.at)
  const name = names.findIndex((candidate) => candidate.slice(0, 3).toLowerCase() === word.toLowerCase())
  if (name >= 0) return name + low
  return /^\d+$/.test(word) ? Number(word) : null
}

// --- the smallest gap ---

/** Computed from the firings themselves; null: it never fires twice. */
function smallestGap(entry: CronEntry): number | null {
  const times = entry.hours.flatMap((hour) => entry.minutes.map((minute) => hour * 60 + minute))
  const dayGap = times.length === 0 ? null : smallestDayGap(entry)
  if (dayGap === null) return null
  let gap = dayGap * DAY - (times.at(-1)! - times[0]!) * 60
  for (let i = 1; i < times.length; i++) gap = Math.min(gap, (times[i]! - times[i - 1]!) * 60)
  return gap
}

/** Sixty years hold every pairing of month length and weekday at least twice (they repeat after 28 years, until 2100). */
function smallestDayGap(entry: CronEntry): number | null {
  const start = Date.UTC(2001, 0, 1) / 1000 / DAY
  let smallest: number | null = null
  let previous: number | null = null
  for (let day = start; day < start + 60 * 366; day++) {
    if (!firesOn(entry, day)) continue
    if (previous !== null && (smallest === null || day - previous < smallest)) smallest = day - previous
    if (smallest === 1) return 1
    previous = day
  }
  return smallest
}

/** ShouldRunTask: the two day fields are AND-ed where one of them begins with a star, OR-ed where both are restricted. */
function firesOn(entry: CronEntry, day: number): boolean {
  const date = new Date(day * DAY * 1000)
  if (!entry.months.includes(date.getUTCMonth() + 1)) return false
  const lastDay = entry.lastDay && new Date((day + 1) * DAY * 1000).getUTCDate() === 1
  const byDate = entry.days.includes(date.getUTCDate()) || lastDay
  const byWeekday = entry.weekdays.includes(date.getUTCDay())
  return entry.anyDay || entry.anyWeekday ? byDate && byWeekday : byDate || byWeekday
}

// --- words ---

function wordsOf(entry: CronEntry): string {
  const time = timeWords(entry.minutes, entry.hours)
  const date = dateWords(entry)
  if (date !== '') return `${time} ${date}`
  return /^at \d/.test(time) ? `${time} every day` : time
}

function timeWords(minutes: readonly number[], hours: readonly number[]): string {
  const [minute, hour] = [evenStep(minutes, 60), evenStep(hours, 24)]
  const allHours = hour === 1
  if (minutes.length * hours.length <= 4) {
    return `at ${list(hours.flatMap((h) => minutes.map((m) => clock(h, m))))}`
  }
  if (minutes.length === 1 && hour !== null) {
    return minutes[0] === 0 ? every(hour, 'hour') : `${every(hour, 'hour')} at minute ${minutes[0]}`
  }
  const within = minute === null ? `at ${numbered('minute', minutes)}` : every(minute, 'minute')
  if (allHours) return minute === null ? `${within} of every hour` : within
  const from = hours[0]!
  if (hours.at(-1)! - from === hours.length - 1)
    return `${within} from ${clock(from, 0)} to ${clock(hours.at(-1)!, 59)}`
  return `${within} in ${numbered('hour', hours)}`
}

function dateWords(entry: CronEntry): string {
  const allDays = entry.days.length === 31
  const allWeekdays = entry.weekdays.length === 7
  const byDate = entry.lastDay ? 'on the last day of the month' : `on ${numbered('day', entry.days)} of the month`
  const weekdays = entry.weekdays.map((day) => WEEKDAYS[day]!)
  const span = weekdays.length > 2 && entry.weekdays.at(-1)! - entry.weekdays[0]! === weekdays.length - 1
  const byWeekday = `on ${span ? `${weekdays[0]} to ${weekdays.at(-1)}` : list(weekdays)}`
  const either = !entry.anyDay && !entry.anyWeekday
  const parts: string[] = []
  if (either && !allDays && !allWeekdays) parts.push(`${byDate} or ${byWeekday}`)
  else if (!either && !allDays && !allWeekdays)
    parts.push(`${byDate} if it is ${span ? byWeekday.slice(3) : list(weekdays, 'or')}`)
  else if (!allDays && !(either && allWeekdays)) parts.push(byDate)
  else if (!allWeekdays && !(either && allDays)) parts.push(byWeekday)
  if (entry.months.length < 12) parts.push(`in ${list(entry.months.map((month) => MONTHS[month - 1]!))}`)
  return parts.join(' ')
}

/** The step of values that divide the whole evenly, from any offset: `5-59/10` is every ten minutes; null: uneven. */
function evenStep(values: readonly number[], whole: number): number | null {
  const step = whole / values.length
  return values.every((value, i) => value === values[0]! + i * step) && values.length > 1 ? step : null
}

function every(n: number, unit: string): string {
  return n === 1 ? `every ${unit}` : `every ${n} ${unit}s`
}

function numbered(unit: string, values: readonly number[]): string {
  return `${unit}${values.length === 1 ? '' : 's'} ${list(values.map(String))}`
}

function list(words: readonly string[], last = 'and'): string {
  if (words.length > 8) return `${words.slice(0, 6).join(', ')}, …`
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

function clock(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
