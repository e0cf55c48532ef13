import type { EffectMatch, Latency } from './effect.js'
import type { ClaimFlaw } from './claim.js'
import type { Change, Predicate } from './predicate.js'
import type { Location, Reason } from './span.js'

/** How rows are taken before the work; the words of the report's `claims`. */
export type ClaimKind =
  'row-claim' | 'batch-claim' | 'insert-claim' | 'single-flight' | 'dispatcher-claim' | 'idempotency-key'

/** Where the rows of a loop come from. */
export interface RowSource {
  readonly kind: 'select' | 'claim' | 'body' | 'unknown'
  readonly table: string | null
  readonly where: Predicate | null
  /** The most rows that one run gets; null: no limit stands there. */
  readonly limit: number | null
  readonly location: Location
  /** A condition over time relative to now picks the rows, in the query or in the code. */
  readonly timeBound: boolean
  /** Columns by which the query or the code chooses rows. */
  readonly columns: readonly string[]
  /** The column that names one row: the table's primary key, or the column by which the code writes the row back. */
  readonly key: string | null
  /** What the code calls the row in the loop ("job"), and the client it reads with ("supabase"); for the printed fix. */
  readonly rowName: string | null
  readonly clientName: string | null
  /** `kind: unknown` only: why. */
  readonly reason: Reason | null
}

/** An external call in a loop over rows. */
export interface EffectSite {
  readonly match: EffectMatch
  /** The call as it stands in the loop's own body. */
  readonly location: Location
  /** The call itself, which may stand in a helper; the same as `location` where it does not. */
  readonly inner: Location
  readonly latency: Latency
  /** By what the row of this effect is taken; null: by nothing that holds. */
  readonly ownedBy: ClaimKind | null
}

/** Everything that may be wrong with something that looks like a claim or a lock. */
export type AttemptFlaw =
  | ClaimFlaw
  | 'unchecked-claim'
  | 'builder-not-awaited'
  | 'insert-claim-without-unique'
  | 'insert-claim-error-ignored'
  | 'check-then-act'
  | 'session-lock-over-pool'
  | 'in-memory-lock'
  | 'single-flight-not-atomic'
  | 'unproven'

/** Something before the effect that looks like a claim, or a lock, and does not hold. */
export interface ClaimAttempt {
  readonly flaw: AttemptFlaw
  readonly location: Location
  readonly table: string | null
  readonly where: Predicate | null
  readonly change: Change | null
  /** A record's: the columns that tell it from others, where a key or the code says so. */
  readonly key?: readonly string[]
  /** `unproven` only: what could not be decided. */
  readonly reason: Reason | null
}

/** A write after the effect that records it. */
export interface Mark {
  readonly location: Location
  readonly table: string
  readonly kind: 'update' | 'delete' | 'insert'
  readonly change: Change | null
  /** A record's: the columns that tell it from others. */
  readonly key?: readonly string[]
  /** Does the write move the row out of what the loop picks? */
  readonly leavesPick: 'yes' | 'no' | 'unproven'
}

export interface TraceStep {
  readonly role: 'schedule' | 'dispatch' | 'pick' | 'loop' | 'effect' | 'claim' | 'lock' | 'check' | 'mark' | 'read'
  readonly message: string
  readonly location: Location
}

/** A loop over rows (or the handling of one row) with at least one external effect. */
export interface WorkLoop {
  readonly function: string
  /** The loop statement, or the pick where there is no loop in the syntax. */
  readonly location: Location
  readonly source: RowSource
  /** In control-flow order. */
  readonly effects: readonly EffectSite[]
  /** In control-flow order; empty where every effect is owned. */
  readonly attempts: readonly ClaimAttempt[]
  readonly marks: readonly Mark[]
  /** Rows in flight at once. */
  readonly concurrency: number | 'all'
  /** How its effects are taken, where they are. */
  readonly claims: readonly SoundClaim[]
  /** One request per row from SQL: the `net.http_post`, where the loop is one in SQL. */
  readonly fanout: Location | null
  readonly trace: readonly TraceStep[]
}

export interface SoundClaim {
  readonly kind: ClaimKind
  readonly table: string | null
  readonly where: Predicate | null
  readonly change: Change | null
  readonly location: Location
}

/** A row that goes on to another function of the project. No effect by itself; what the other one does is. */
export interface Handoff {
  /** By what the row is taken before it is handed on; null: by nothing that holds. */
  readonly claim: SoundClaim | null
}

/** What the analysis of one edge function found. */
export interface FunctionWork {
  readonly name: string
  readonly loops: readonly WorkLoop[]
  /** Rows that are handed on, where there are no loops with effects. */
  readonly handoffs: readonly Handoff[]
  /** What could not be followed, and would decide the verdict. */
  readonly unknowns: readonly Reason[]
  /** Other functions of the project that it calls. */
  readonly calls: readonly string[]
}
