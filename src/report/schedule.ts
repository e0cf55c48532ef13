/**
 * A pg_cron schedule in words. pg_cron's clock is GMT unless `cron.timezone` says otherwise (pg_cron README);
 * its other notation is `N seconds` (pg_cron src/job_metadata.c, TryParseInterval).
 */
export function scheduleInWords(schedule: string, intervalSeconds: number | null): string {
  return cronInWords(schedule.trim().toLowerCase()) ?? gapInWords(intervalSeconds)
}

const NICKNAMES: Readonly<Record<string, string>> = {
  '@hourly': 'every hour',
  '@daily': 'every day at 00:00 UTC',
  '@midnight': 'every day at 00:00 UTC',
  '@weekly': 'every Sunday at 00:00 UTC',
  '@monthly': 'on day 1 of every month at 00:00 UTC',
  '@yearly': 'once a year',
  '@annually': 'once a year',
  '@reboot': 'at every start of the database',
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

function cronInWords(schedule: string): string | null {
  const seconds = /^(\d{1,2}) *seconds?$/.exec(schedule)
  if (seconds) return every(Number(seconds[1]), 'second')
  const nickname = NICKNAMES[schedule]
  if (nickname) return nickname
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...rest] = schedule.split(/\s+/)
  if (month !== '*' || rest.length > 0) return null
  if (day === '*' && weekday === '*') return hour === '*' ? minutesInWords(minute) : hoursInWords(minute, hour)
  const at = clock(minute, hour)
  if (at === null) return null
  if (day === '*' && weekday === '1-5') return `from Monday to Friday at ${at}`
  if (day === '*' && /^[0-7]$/.test(weekday)) return `every ${DAYS[Number(weekday)]} at ${at}`
  if (weekday === '*' && /^\d{1,2}$/.test(day)) return `on day ${Number(day)} of every month at ${at}`
  return null
}

function minutesInWords(minute: string): string | null {
  if (minute === '*') return 'every minute'
  const step = stepOf(minute, 60)
  if (step !== null) return every(step, 'minute')
  return /^\d{1,2}$/.test(minute) ? `every hour at minute ${Number(minute)}` : null
}

function hoursInWords(minute: string, hour: string): string | null {
  const at = clock(minute, hour)
  if (at !== null) return `every day at ${at}`
  const step = stepOf(hour, 24)
  return step !== null && /^\d{1,2}$/.test(minute) ? every(step, 'hour') : null
}

/** `*` followed by a step that divides the field evenly; an uneven one (7 minutes) restarts at the full hour. */
function stepOf(field: string, size: number): number | null {
  const match = /^\*\/(\d{1,2})$/.exec(field)
  const step = match ? Number(match[1]) : 0
  return step > 0 && size % step === 0 ? step : null
}

function clock(minute: string, hour: string): string | null {
  if (!/^\d{1,2}$/.test(minute) || !/^\d{1,2}$/.test(hour)) return null
  return `${hour.padStart(2, '0')}:${minute.padStart(2, '0')} UTC`
}

function every(number: number, unit: string): string {
  return number === 1 ? `every ${unit}` : `every ${number} ${unit}s`
}

function gapInWords(seconds: number | null): string {
  if (seconds === null) return 'on a schedule that could not be read'
  if (seconds % 3600 === 0) return `at gaps of ${seconds / 3600} h or more`
  return seconds % 60 === 0 ? `at gaps of ${seconds / 60} min or more` : `at gaps of ${seconds} s or more`
}
