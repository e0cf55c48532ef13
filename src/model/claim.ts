import type { Location } from './span.js'
import type { Change, Operand, Predicate } from './predicate.js'

/** Every way in which a claim can fail to exclude a second run; each has a rule of the same name. */
export type ClaimFlaw =
  | 'unconditional-claim'
  | 'claim-not-self-falsifying'
  | 'claim-subselect-unlocked'
  | 'lock-only-claim'
  | 'upsert-as-claim'

export type Soundness = 'sound' | 'unproven' | ClaimFlaw

/** A statement of SQL that takes rows, or seems to: what it does to its table, and whether two callers can both get one row. */
export interface SqlTaking {
  readonly table: string | null
  /** Which rows qualify: the statement's own condition and that of the sub-select that finds the rows. */
  readonly where: Predicate | null
  readonly change: Change | null
  readonly soundness: Soundness
  /** The keyword of the statement that takes (or fails to take) the rows. */
  readonly location: Location
  /** How many rows at most; null: no limit. */
  readonly limit: Operand | null
  /** Parameters of the routine that pin the row by equality, as `column = parameter`. */
  readonly keys: readonly { readonly column: string; readonly parameter: string }[]
  /** Why it is unproven. */
  readonly reason?: string
}

/**
 * What a caller of an SQL routine (or of one statement) gets, as far as taking rows goes.
 *
 * - rows: rows that `taking` took (or failed to take: see its soundness)
 * - flag: a truthy answer (true, a count, a row) says that `taking` took the row
 * - read: rows that were only read: `pick` says from where
 * - lock: a truthy answer says that an advisory lock was granted; `session` ones outlive the call on a pooled connection,
 *   `transaction` ones end with it
 * - insert: a truthy answer says that a row was inserted under a unique key
 * - other: nothing that has to do with rows
 * - unknown: could not be decided
 */
export type RoutineAnswer =
  | { readonly kind: 'rows' | 'flag'; readonly taking: SqlTaking }
  | { readonly kind: 'read'; readonly pick: SqlPick }
  | { readonly kind: 'lock'; readonly scope: 'session' | 'transaction'; readonly location: Location }
  | { readonly kind: 'insert'; readonly insert: SqlInsert }
  | { readonly kind: 'other' }
  | { readonly kind: 'unknown'; readonly reason: string; readonly location: Location | null }

/** Rows that SQL reads and hands on without taking them. */
export interface SqlPick {
  readonly table: string | null
  readonly where: Predicate | null
  readonly limit: Operand | null
  readonly location: Location
}

export interface SqlInsert {
  readonly table: string
  readonly columns: readonly string[]
  readonly onConflict: 'nothing' | 'update' | 'error'
  readonly location: Location
  /** A key in a store outside the database, which is unique by itself. */
  readonly outside?: boolean
}

/** A write that a routine makes besides what its answer speaks of: it may mark a row or record an effect. */
export interface SqlWrite {
  readonly kind: 'update' | 'insert' | 'delete'
  readonly table: string
  readonly where: Predicate | null
  readonly change: Change
  readonly location: Location
}

export interface RoutineSummary {
  readonly answer: RoutineAnswer
  readonly writes: readonly SqlWrite[]
  /** Requests sent by the routine itself (pg_net or the http extension). */
  readonly sends: boolean
}
