import type { Reason, WorkLoop } from '../model/index.js'
import { isBroadcast } from './broadcast.js'
import { builderNotAwaited } from './builder-not-awaited.js'
import { checkThenAct } from './check-then-act.js'
import { claimNotSelfFalsifying } from './claim-not-self-falsifying.js'
import { claimSubselectUnlocked } from './claim-subselect-unlocked.js'
import { effectBeforeClaim } from './effect-before-claim.js'
import { unowned } from './facts.js'
import { inMemoryLock } from './in-memory-lock.js'
import { insertClaimErrorIgnored } from './insert-claim-error-ignored.js'
import { insertClaimWithoutUnique } from './insert-claim-without-unique.js'
import { lockOnlyClaim } from './lock-only-claim.js'
import { noClaim } from './no-claim.js'
import type { Match, Rule } from './rule.js'
import { sessionLockOverPool } from './session-lock-over-pool.js'
import { singleFlightNotAtomic } from './single-flight-not-atomic.js'
import { sqlFanoutUnclaimed } from './sql-fanout-unclaimed.js'
import { uncheckedClaim } from './unchecked-claim.js'
import { unconditionalClaim } from './unconditional-claim.js'
import { upsertAsClaim } from './upsert-as-claim.js'

export { siblingsOf, type Sibling } from './sibling.js'
export { isBroadcast } from './broadcast.js'
export { toFinding, type FindingContext } from './finding.js'
export { writeFix, type WrittenFix } from './fix/index.js'
export { numbered } from './fingerprint.js'
export type { Match, Rule, RuleMeta } from './rule.js'

/**
 * The race rules, nearest to a sound claim first: a loop gets the first one that speaks, because that is the one whose
 * repair is the smallest change to what the author already meant.
 */
export const rules: readonly Rule[] = [
  // An attempt to take the row itself says most of what the author meant. The fewer words it lacks, the nearer it is:
  // only the check of the result; only the right condition; only the lock or the write in the SQL; the whole condition;
  // a query that is not even sent; a record whose conflict lets both through, is not read, or cannot arise.
  uncheckedClaim,
  claimNotSelfFalsifying,
  claimSubselectUnlocked,
  lockOnlyClaim,
  unconditionalClaim,
  builderNotAwaited,
  upsertAsClaim,
  insertClaimErrorIgnored,
  insertClaimWithoutUnique,
  // A lock of the whole run is a claim on all rows at once, one step further off. One in the database is nearer than a
  // variable.
  singleFlightNotAtomic,
  sessionLockOverPool,
  inMemoryLock,
  // No attempt at all. A loop in SQL is named before what its function does, since the repair lies in the SQL.
  sqlFanoutUnclaimed,
  // A question before the work is nearer to a claim than a record after it, and that is nearer than nothing.
  checkThenAct,
  effectBeforeClaim,
  noClaim,
]

export function ruleById(id: string): Rule | null {
  return rules.find((rule) => rule.meta.id === id) ?? null
}

/**
 * Why it cannot be said whether a loop races: its rows come from somewhere unknown, or something that looks like a claim
 * could not be decided. Null: it can be said.
 */
export function undecided(loop: WorkLoop): Reason | null {
  if (unowned(loop).length === 0) return null
  const unproven = loop.attempts.find(({ flaw }) => flaw === 'unproven')
  if (unproven !== undefined) {
    return unproven.reason ?? { message: 'what looks like a claim could not be decided', location: unproven.location }
  }
  if (loop.source.kind === 'unknown' && loop.attempts.length === 0) {
    return loop.source.reason ?? { message: 'where the rows come from is not known', location: loop.source.location }
  }
  return null
}

export interface FoundRule {
  readonly rule: Rule
  readonly match: Match
}

/**
 * The one race rule that a loop breaks, if it breaks one. Silent where every effect is taken, where the loop is a
 * broadcast, and where it is `undecided`.
 */
export function nearest(loop: WorkLoop): FoundRule | null {
  if (unowned(loop).length === 0 || isBroadcast(loop) || undecided(loop) !== null) return null
  for (const rule of rules) {
    const match = rule.check(loop)
    if (match !== null) return { rule, match }
  }
  return null
}
