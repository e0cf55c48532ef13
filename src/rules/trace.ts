import type { AttemptFlaw, Dispatch, Tick, TraceStep, WorkLoop } from '../model/index.js'
import { list, rowsText, unowned } from './facts.js'
import type { Match } from './rule.js'

/**
 * The story of a finding, in its order: which schedule, which request, which pick, which loop, what is in the way of a
 * second run and does not hold, the effect, the write that records it. Steps that the analysis wrote down are kept in
 * their own words; the rest is filled in from the loop's facts.
 */
export function traceOf(loop: WorkLoop, match: Match, ticks: readonly Tick[]): readonly TraceStep[] {
  const steps = [...loop.trace]
  const seen = new Set(steps.map(place))
  for (const step of [...scheduled(loop, ticks), ...worked(loop, match)]) {
    if (seen.has(place(step))) continue
    seen.add(place(step))
    steps.push(step)
  }
  return steps.sort((a, b) => rank[a.role] - rank[b.role])
}

/** A lock of the run comes before its pick, a claim of the row before its effect. */
const rank: Readonly<Record<TraceStep['role'], number>> = {
  schedule: 0,
  dispatch: 1,
  lock: 2,
  pick: 3,
  read: 4,
  loop: 5,
  check: 6,
  claim: 7,
  effect: 8,
  mark: 9,
}

function place({ role, location }: TraceStep): string {
  return `${role} ${location.file}:${location.startLine}:${location.startColumn}`
}

function scheduled(loop: WorkLoop, ticks: readonly Tick[]): readonly TraceStep[] {
  return ticks.flatMap((tick): TraceStep[] => {
    const dispatch = tick.dispatches.find((one) => one.function === loop.function) ?? tick.dispatches[0]
    const name = tick.name === null ? 'a job without a name' : `"${tick.name}"`
    return [
      { role: 'schedule', message: `pg_cron runs ${name} at ${tick.schedule}`, location: tick.location },
      ...(dispatch === undefined ? [] : [dispatchStep(loop, dispatch)]),
    ]
  })
}

function dispatchStep(loop: WorkLoop, dispatch: Dispatch): TraceStep {
  const via = dispatch.via.length === 0 ? '' : ` by way of ${list(dispatch.via)}`
  const target = dispatch.function ?? dispatch.url
  const onwards = dispatch.function === loop.function ? '' : `, on the way to ${loop.function}`
  const each = dispatch.fanout ? ' once for each row' : ''
  return {
    role: 'dispatch',
    message: `pg_net requests ${target}${each}${via}${onwards}, and nothing waits for the answer`,
    location: dispatch.location,
  }
}

function worked(loop: WorkLoop, match: Match): readonly TraceStep[] {
  const { attempt } = match
  const steps: TraceStep[] = [
    { role: 'pick', message: `picks ${rowsText(loop)}`, location: loop.source.location },
    { role: 'loop', message: 'works on each of them', location: loop.location },
  ]
  if (attempt !== undefined) {
    steps.push({ role: roles[attempt.flaw] ?? 'claim', message: match.message, location: attempt.location })
  }
  for (const { match: effect, location, inner } of unowned(loop)) {
    const call: TraceStep = { role: 'effect', message: effect.title, location }
    const itself: TraceStep = { role: 'effect', message: `${effect.title}, the call itself`, location: inner }
    steps.push(...(place(call) === place(itself) ? [call] : [call, itself]))
  }
  return steps
}

const roles: Partial<Record<AttemptFlaw, TraceStep['role']>> = {
  'session-lock-over-pool': 'lock',
  'in-memory-lock': 'lock',
  'single-flight-not-atomic': 'lock',
  'check-then-act': 'check',
}
