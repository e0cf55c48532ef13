import type { Confidence, Finding, Overlap, Severity, Tick, WorkLoop } from '../model/index.js'
import { consequence } from './consequence.js'
import { unowned } from './facts.js'
import { fingerprint } from './fingerprint.js'
import { writeFix } from './fix/index.js'
import type { Match, Rule } from './rule.js'
import { siblingStep, siblingTrace, type Sibling } from './sibling.js'
import { traceOf } from './trace.js'

/** What a finding says beyond its loop: the active ticks that reach the function, and what was computed for them. */
export interface FindingContext {
  readonly ticks: readonly Tick[]
  readonly overlap: Overlap | null
  readonly severity: Severity
  readonly confidence: Confidence
  /** Another function that takes rows of the same table soundly. */
  readonly sibling?: Sibling
}

/** The finding of one loop. Give all findings of a report to `numbered` afterwards, so that no two have one fingerprint. */
export function toFinding(loop: WorkLoop, match: Match, rule: Rule, context: FindingContext): Finding {
  const effects = unowned(loop).map(({ match: { title, provider, kind }, location }) => ({
    title,
    provider,
    kind,
    location,
  }))
  const { sibling } = context
  const { fix } = writeFix(loop, rule.meta.id, match.attempt ?? null, sibling)
  const about = { ruleId: rule.meta.id, function: loop.function, effects, table: loop.source.table }
  return {
    ...about,
    severity: context.severity,
    confidence: context.confidence,
    message: match.message,
    location: match.location,
    ticks: [...new Set(context.ticks.map((tick) => tick.name ?? tick.schedule))],
    consequence: consequence(loop, context.overlap),
    overlap: context.overlap,
    trace: [...traceOf(loop, match, context.ticks), ...(sibling ? [siblingTrace(sibling)] : [])],
    fix: sibling ? { ...fix, steps: [siblingStep(sibling), ...fix.steps] } : fix,
    fingerprint: fingerprint(about),
  }
}
