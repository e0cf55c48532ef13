import type { Finding } from '../model/index.js'
import { durationInWords } from './duration.js'
import { count, list } from './words.js'

/**
 * Two runs of one function over time, from a finding's own numbers (its `overlap`): what run A has done when run B starts,
 * and which rows both work on. Seconds count from A's start.
 */
export interface Race {
  /** Which seconds per row were taken: the typical ones where they are enough for an overlap, else the worst. */
  readonly basis: 'typical' | 'worst'
  readonly perRowSeconds: number
  readonly rows: number
  readonly concurrency: number
  readonly entrance: Entrance
  readonly leaves: Leaves
  readonly aEnds: number
  readonly bStarts: number
  readonly bEnds: number
  /** A's rows at the moment that B starts. */
  readonly finished: number
  readonly inFlight: number
  readonly waiting: number
  /** The last so many of A's rows are picked by B as well. */
  readonly again: number
  /** Of these, the ones that both runs get to. */
  readonly twice: number
  /** What is done for each of them. */
  readonly effects: readonly string[]
}

/**
 * How B comes to start: by the next tick of the schedule; earlier than that (a held-up request, another tick, by hand); in
 * the same moment as A.
 */
export type Entrance = 'next-tick' | 'early' | 'together'

/**
 * When a row of A leaves what B picks: never; once A has finished it; once A has begun it; once A has begun any of them
 * (then only runs that start together pick the same rows).
 */
export type Leaves = 'never' | 'finished' | 'begun' | 'at-once'

/** Rules whose loop moves the row before the work, or takes all rows in one step that two runs can do side by side. */
const EARLIER: Readonly<Record<string, Leaves>> = {
  'unconditional-claim': 'begun',
  'unchecked-claim': 'begun',
  'claim-subselect-unlocked': 'at-once',
  'single-flight-not-atomic': 'at-once',
}

/** The race of a finding; null where it has no numbers to draw from. */
export function raceOf(finding: Finding): Race | null {
  const { overlap } = finding
  if (overlap === null || overlap.batch < 1) return null
  const basis = overlap.level === 'expected' ? 'typical' : 'worst'
  const runSeconds = basis === 'typical' ? overlap.typicalSeconds : overlap.worstSeconds
  const concurrency = Math.min(Math.max(1, overlap.concurrency), overlap.batch)
  const told = overlap.perRow.reduce((sum, each) => sum + each[`${basis}Seconds`], 0)
  const perRowSeconds = told > 0 ? told : (runSeconds * concurrency) / overlap.batch
  if (!(perRowSeconds > 0 && runSeconds > 0)) return null

  const run: Run = { rows: overlap.batch, concurrency, perRowSeconds, runSeconds }
  const leaves = leavesOf(finding)
  const interval = overlap.intervalSeconds
  const entrances: readonly (readonly [Entrance, number])[] = [
    ...(interval !== null && interval < runSeconds ? [['next-tick', interval] as const] : []),
    ['early', runSeconds / 2],
    ['together', 0],
  ]
  // A moment at which B would find nothing of A's is not the one to draw.
  const [entrance, bStarts] =
    entrances.find(([kind, at]) =>
      leaves === 'at-once' ? kind === 'together' : kind === 'together' || stateAt(run, at, leaves).again > 0,
    ) ?? (['together', 0] as const)
  const state = entrance === 'together' ? allAgain(run) : stateAt(run, bStarts, leaves)
  const first = run.rows - state.again
  const twice = Math.min(begunBy(run, runSeconds) - first, begunBy(run, runSeconds))
  return {
    basis,
    perRowSeconds,
    rows: run.rows,
    concurrency,
    entrance,
    leaves,
    aEnds: runSeconds,
    bStarts,
    bEnds: bStarts + Math.min(runSeconds, Math.ceil(state.again / concurrency) * perRowSeconds),
    ...state,
    twice: Math.max(0, Math.min(twice, state.again)),
    effects: [...new Set((finding.effects.length > 0 ? finding.effects : overlap.perRow).map((each) => each.title))],
  }
}

interface Run {
  readonly rows: number
  readonly concurrency: number
  readonly perRowSeconds: number
  readonly runSeconds: number
}

function leavesOf(finding: Finding): Leaves {
  return EARLIER[finding.ruleId] ?? (finding.trace.some((step) => step.role === 'mark') ? 'finished' : 'never')
}

/** Rows of a run that are begun after so many seconds; they go in waves of `concurrency`. */
function begunBy(run: Run, seconds: number): number {
  return Math.min(run.rows, Math.ceil(seconds / run.perRowSeconds - 1e-9) * run.concurrency)
}

function stateAt(run: Run, seconds: number, leaves: Leaves): Pick<Race, 'finished' | 'inFlight' | 'waiting' | 'again'> {
  const waves = Math.floor(seconds / run.perRowSeconds + 1e-9)
  const finished = Math.min(run.rows, waves * run.concurrency)
  const inFlight = Math.min(run.rows - finished, run.concurrency)
  const waiting = run.rows - finished - inFlight
  const again = { never: run.rows, finished: inFlight + waiting, begun: waiting, 'at-once': 0 }[leaves]
  return { finished, inFlight, waiting, again }
}

function allAgain({ rows, concurrency }: Run): Pick<Race, 'finished' | 'inFlight' | 'waiting' | 'again'> {
  return { finished: 0, inFlight: concurrency, waiting: rows - concurrency, again: rows }
}

/** The race in sentences, in the order of time; what stands between backticks is a name. */
export function raceStory(race: Race, finding: Finding): readonly string[] {
  const { overlap, table } = finding
  const assumed = overlap?.batchAssumed === true ? ' (no limit in the code: so many are assumed)' : ''
  return [
    `At 0 s run A picks ${count(race.rows, 'row')}${table === null ? '' : ` of \`${table}\``}${assumed}.`,
    `${started(race, overlap?.intervalSeconds ?? null)} ${progress(race)}`.trim(),
    again(race),
    `${race.twice === 1 ? 'That row is' : `${amount(race.twice, race.again)} are`} worked on by both: ${list(
      race.effects.map((title) => `${race.twice} × ${title}`),
    )}, made twice.`,
    ...later(race, overlap?.intervalSeconds ?? null),
  ]
}

function started(race: Race, interval: number | null): string {
  const at = durationInWords(race.bStarts)
  if (race.entrance === 'next-tick') return `At ${at} the next tick starts run B.`
  const how = 'a request that pg_net held up, a second tick, a run by hand'
  const next = interval === null ? '' : ` The next tick of its own comes after ${durationInWords(interval)}.`
  if (race.entrance === 'together') return `Run B starts in the same moment (${how}).${next}`
  return `Run B starts early, here at ${at}, half way through (${how}).${next}`
}

function progress(race: Race): string {
  if (race.entrance === 'together') return ''
  const parts = [
    `has finished ${race.finished === 0 ? 'none' : race.finished}`,
    `works on ${race.inFlight}`,
    ...(race.waiting > 0 ? [`has ${race.waiting} still to do`] : []),
  ]
  return `By then A ${list(parts)}.`
}

function again(race: Race): string {
  const rows = race.again === race.rows ? (race.rows === 1 ? 'the same row' : 'the same rows') : `${race.again} of them`
  const why: Readonly<Record<Leaves, string>> = {
    never: 'nothing takes a row out of what is picked',
    finished: 'a row leaves what is picked only after its work',
    begun: 'A has not moved these yet, and moving them does not keep B from doing the same',
    'at-once': 'both read before either has written',
  }
  return `B picks ${rows} again: ${race.entrance === 'together' ? why['at-once'] : why[race.leaves]}.`
}

function amount(twice: number, again: number): string {
  return twice === again ? (twice === 2 ? 'Both rows' : `All ${twice}`) : `${twice} of these`
}

/** Of a long run, B is only the first to join. */
function later(race: Race, interval: number | null): string[] {
  if (race.entrance !== 'next-tick' || interval === null) return []
  const more = Math.ceil(race.aEnds / interval) - 2
  if (more < 1) return []
  return [
    `Before A ends, after ${durationInWords(race.aEnds)}, ${count(more, 'more tick')} ${more === 1 ? 'starts a run' : 'start runs'} like B.`,
  ]
}
