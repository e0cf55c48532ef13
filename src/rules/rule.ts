import type { ClaimAttempt, Location, Severity, WorkLoop } from '../model/index.js'

/** What a rule says of itself: `explain RULE` and the formats that carry rule descriptions are made from this. */
export interface RuleMeta {
  readonly id: string
  readonly title: string
  /** At its loudest; overlap and unknown hosts can only lower it. */
  readonly severity: Severity
  /** What the code does, when the rule speaks. */
  readonly what: string
  /** Why two runs get through. */
  readonly why: string
  /** Code that the rule speaks of, and the same code made sound. */
  readonly example: string
  readonly sound: string
  readonly fix: string
  /** Where the rule can be wrong, most likely first. */
  readonly falsePositives: readonly string[]
  readonly references: readonly string[]
}

/** One loop's own facts: where the finding stands, what it says, and the failed claim that it names, if it names one. */
export interface Match {
  readonly location: Location
  readonly message: string
  readonly attempt?: ClaimAttempt
}

/** A rule looks at one loop and at nothing else: no source text, no tree, no other loop. */
export interface Rule {
  readonly meta: RuleMeta
  readonly check: (loop: WorkLoop) => Match | null
}
