/**
 * The vocabulary of conditions and of what a write sets, shared by SQL and TypeScript.
 * A predicate speaks of the columns of one row of one table; columns are normalised names without table or quotes.
 */

/** A value in a condition or in a SET. */
export type Operand =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  /**
   * The moment of the statement plus `offset` milliseconds; null: shifted by an unknown amount, of which `later` may say
   * whether it lies ahead (`now() + lease`) or back (`now() - age`). `period`: cut down to the day, hour … it lies in, and so
   * the same for runs that overlap.
   */
  | { readonly kind: 'now'; readonly offset: number | null; readonly later?: boolean; readonly period?: boolean }
  /** An expression over the target row's own column: `attempts + 1` is column attempts, delta 1; delta null: some other expression. */
  | { readonly kind: 'column'; readonly column: string; readonly delta: number | null }
  /** A value that was read with the row earlier (version, updated_at), plus `delta`; delta null: changed in an unknown way. */
  | { readonly kind: 'read'; readonly column: string; readonly delta: number | null }
  /** New for every call: a random uuid, a worker's own token. */
  | { readonly kind: 'fresh' }
  /** Not known. Two operands with one `id` have one value within a run; `nonNull` where it cannot be null. */
  | { readonly kind: 'opaque'; readonly id: string; readonly nonNull: boolean }

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

export type Predicate =
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Predicate[] }
  | { readonly kind: 'not'; readonly term: Predicate }
  | { readonly kind: 'compare'; readonly column: string; readonly op: Comparison; readonly operand: Operand }
  | { readonly kind: 'in'; readonly column: string; readonly operands: readonly Operand[] }
  /** `column IS NULL`. */
  | { readonly kind: 'null'; readonly column: string }
  /** `column IS DISTINCT FROM operand`. */
  | { readonly kind: 'distinct'; readonly column: string; readonly operand: Operand }
  /** A condition that the analysis does not read; `columns` of the row that it mentions. */
  | { readonly kind: 'other'; readonly text: string; readonly columns: readonly string[] }

/** One column of a SET, or of the values of an INSERT. */
export interface Assignment {
  readonly column: string
  readonly operand: Operand
}

/** What a write leaves in the row: columns with new values, or no row at all. */
export type Change = { readonly kind: 'set'; readonly assignments: readonly Assignment[] } | { readonly kind: 'delete' }
