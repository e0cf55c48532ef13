import type { Finding } from '../../model/index.js'
import { durationInWords } from '../duration.js'
import { raceOf, raceStory, type Race } from '../race.js'
import { count } from '../words.js'
import { displayWidth, padRight, wrap } from './layout.js'
import type { Palette } from './palette.js'

/** Rows that are followed one by one; the others go the same way. */
const FOLLOWED = 3

interface Step {
  readonly at: number
  readonly a: readonly string[]
  readonly b: readonly string[]
}

/** The two runs side by side over time, with the finding's own rows and numbers; empty where it has none. */
export function timelineLines(finding: Finding, width: number, palette: Palette): string[] {
  const race = raceOf(finding)
  if (race === null) return []
  const steps = merged(stepsOf(race, finding))
  const times = steps.map((step) => durationInWords(step.at))
  const first = Math.max(...times.map(displayWidth), 'after'.length)
  const half = Math.floor((width - first - 4) / 2)
  const row = (time: string, a: readonly string[], b: readonly string[]): string[] => {
    const [left, right] = [a, b].map((texts) => texts.flatMap((text) => wrap(text, half))) as [string[], string[]]
    return Array.from({ length: Math.max(left.length, right.length, 1) }, (_, line) =>
      [line === 0 ? time.padStart(first) : ' '.repeat(first), padRight(left[line] ?? '', half), right[line] ?? '']
        .join('  ')
        .trimEnd(),
    )
  }
  return [
    ...row('after', ['run A'], ['run B']).map(palette.faint),
    ...steps.flatMap((step, index) => row(times[index]!, step.a, step.b)),
    '',
    ...raceStory(race, finding).flatMap((sentence) => wrap(sentence, width).map(palette.prose)),
  ]
}

function stepsOf(race: Race, finding: Finding): Step[] {
  const { rows, concurrency, perRowSeconds, bStarts } = race
  const effects = race.effects.join(', ')
  const first = rows - race.again
  const from = finding.table === null ? '' : ` of ${finding.table}`
  const beginsA = (row: number) => Math.floor((row - 1) / concurrency) * perRowSeconds
  const beginsB = (row: number) => bStarts + Math.floor((row - 1 - first) / concurrency) * perRowSeconds
  const followed = Array.from({ length: Math.min(FOLLOWED, race.twice) }, (_, index) => first + index + 1)
  const others = race.twice - followed.length
  const start = race.entrance === 'next-tick' ? 'the next tick starts it' : 'it starts'
  const opening = [`picks ${count(rows, 'row')}${from}`]
  if (!followed.includes(1)) opening.push(`begins ${rowsNamed(1, Math.min(concurrency, rows))}: ${effects}`)
  return [
    { at: 0, a: opening, b: [] },
    { at: bStarts, a: progressOf(race), b: [`${start}; picks ${rowsNamed(first + 1, rows)} again`] },
    ...followed.map((row) => ({ at: beginsA(row), a: [`row ${row}: ${effects}`], b: [] })),
    ...followed.map((row) => ({ at: beginsB(row), a: [], b: [`row ${row}: ${effects}, a second time`] })),
    ...(others > 0
      ? [{ at: beginsB(followed.at(-1)! + 1), a: [], b: [`and so on: ${count(others, 'more row')} done by both`] }]
      : []),
    { at: race.aEnds, a: ['ends'], b: [] },
    { at: race.bEnds, a: [], b: ['ends'] },
  ]
}

function progressOf({ entrance, finished, inFlight, waiting }: Race): string[] {
  if (entrance === 'together') return []
  const done = finished === 0 ? 'has finished none' : `has finished ${finished}`
  return [`${done}, works on ${inFlight}, ${waiting === 0 ? 'none waits' : `${waiting} to do`}`]
}

function rowsNamed(from: number, to: number): string {
  return from >= to ? `row ${to}` : `rows ${from}–${to}`
}

/** In the order of time; what happens in one moment stands in one row. */
function merged(steps: readonly Step[]): Step[] {
  const sorted = steps.map((step) => ({ ...step, at: Math.round(step.at * 10) / 10 })).sort((a, b) => a.at - b.at)
  const result: Step[] = []
  for (const step of sorted) {
    const last = result.at(-1)
    if (last === undefined || last.at !== step.at) result.push(step)
    else result[result.length - 1] = { at: last.at, a: [...last.a, ...step.a], b: [...last.b, ...step.b] }
  }
  return result
}
