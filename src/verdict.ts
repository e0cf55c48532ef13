import type { ClaimKind, FunctionWork, Overlap, Reason, SoundClaim, Tick, Verdict, WorkLoop } from './model/index.js'
import { overlapOf, severityOf } from './overlap/index.js'
import { isBroadcast, nearest, undecided, type FoundRule } from './rules/index.js'
import type { Confidence, Severity } from './model/index.js'

/** What the sums of the contract are made with. */
export interface Assumptions {
  readonly assumedRows: number
  readonly maxRows: number
  readonly maxRunSeconds: number | null
}

export interface JudgedLoop {
  readonly loop: WorkLoop
  readonly found: FoundRule | null
  readonly overlap: Overlap
  readonly severity: Severity
  readonly confidence: Confidence
}

export interface Judged {
  readonly verdict: Verdict
  readonly claims: readonly ClaimKind[]
  readonly reasons: readonly Reason[]
  readonly overlap: Overlap | null
  readonly loops: readonly JudgedLoop[]
}

/** The verdict of a function: `race` wins over `unknown`, that over `broadcast`, that over `safe` (contract, Verdicts). */
export function judgeFunction(work: FunctionWork, ticks: readonly Tick[], assumptions: Assumptions): Judged {
  const intervals = ticks.flatMap((tick) => (tick.intervalSeconds === null ? [] : [tick.intervalSeconds]))
  const intervalSeconds = intervals.length > 0 ? Math.min(...intervals) : null
  const loops = work.loops.map((loop) => judgeLoop(loop, work.name, ticks, intervalSeconds, assumptions))
  const reasons = [...work.unknowns]
  for (const loop of work.loops) {
    const reason = undecided(loop)
    if (reason && !reasons.some((known) => known.message === reason.message)) reasons.push(reason)
  }
  const handed = work.loops.length === 0 ? takenBeforeHandoff(work) : []
  const races = loops.filter((each) => each.found !== null)
  const verdict: Verdict =
    races.length > 0
      ? 'race'
      : reasons.length > 0
        ? 'unknown'
        : work.loops.some((loop) => isBroadcast(loop))
          ? 'broadcast'
          : work.loops.length > 0 || handed.length > 0
            ? 'safe'
            : 'no-row-work'
  const taken = [...work.loops.flatMap((loop) => loop.claims), ...handed]
  const claims = [...new Set(taken.map((claim) => claim.kind))].sort()
  return { verdict, claims, reasons, overlap: loudest(races.length > 0 ? races : loops), loops }
}

/**
 * The claims of a function whose rows are worked on in another one, if it takes each before it hands it on; its own verdict
 * is that, whatever the other does with it. Not taken is no race: the effects of the other, where it has some, are loops here.
 */
function takenBeforeHandoff({ handoffs }: FunctionWork): SoundClaim[] {
  const claims = handoffs.flatMap(({ claim }) => (claim === null ? [] : [claim]))
  return claims.length === handoffs.length ? claims : []
}

function judgeLoop(
  loop: WorkLoop,
  name: string,
  ticks: readonly Tick[],
  intervalSeconds: number | null,
  assumptions: Assumptions,
): JudgedLoop {
  const overlap = overlapOf({
    intervalSeconds,
    limit: loop.source.limit,
    assumedRows: assumptions.assumedRows,
    maxRows: assumptions.maxRows,
    concurrency: loop.concurrency,
    perRow: loop.effects.map((effect) => ({ title: effect.match.title, latency: effect.latency })),
    ...(assumptions.maxRunSeconds === null ? {} : { maxRunSeconds: assumptions.maxRunSeconds }),
  })
  const unowned = loop.effects.filter((effect) => effect.ownedBy === null)
  const onlyUnknown = unowned.length > 0 && unowned.every((effect) => effect.match.unknownHost)
  return {
    loop,
    found: nearest(loop),
    overlap,
    severity: severityOf(overlap, onlyUnknown),
    confidence: confidenceOf(name, ticks, onlyUnknown),
  }
}

/** Medium at most where a tick's target was assumed by its name; low where nothing is known of the other end. */
function confidenceOf(name: string, ticks: readonly Tick[], onlyUnknown: boolean): Confidence {
  const dispatches = ticks.flatMap((tick) => tick.dispatches.filter((dispatch) => dispatch.function === name))
  const assumed = dispatches.length > 0 && dispatches.every((dispatch) => dispatch.assumed !== undefined)
  return onlyUnknown ? 'low' : assumed ? 'medium' : 'high'
}

const LOUDNESS = { expected: 2, possible: 1, unlikely: 0 } as const

function loudest(loops: readonly JudgedLoop[]): Overlap | null {
  let worst: Overlap | null = null
  for (const { overlap } of loops)
    if (
      !worst ||
      LOUDNESS[overlap.level] > LOUDNESS[worst.level] ||
      (overlap.level === worst.level && overlap.worstSeconds > worst.worstSeconds)
    )
      worst = overlap
  return worst
}
