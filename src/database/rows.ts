import type { Location, Routine } from '../model/index.js'
import type { Node } from '../sql/walk.js'
import type { SqlText } from '../sql/source.js'
import type { Value } from './value.js'

/**
 * Where rows come from whose number and values are not known: a query, a write with RETURNING, or a routine that returns rows.
 * Whoever wants to know whether the rows are taken asks the statement or the routine itself.
 */
export type RowSource = StatementRows | RoutineRows

export interface StatementRows {
  readonly kind: 'statement'
  /** The statement that finds the rows, with the CTEs that it can see; its locations refer to `source`. */
  readonly node: Node
  readonly source: SqlText
  readonly location: Location
  /** The table that it reads or writes, if it is one. */
  readonly table: string | null
  /** Constants to which its condition pins columns; `alias`: of which table, where it says so. */
  readonly pinned: readonly { readonly alias: string | null; readonly column: string; readonly value: string }[]
  /** At most one row: LIMIT 1. */
  readonly single: boolean
  /** The rows have an order, or a lock: they are rows to be worked on. */
  readonly ordered: boolean
  /** The routine whose body it stands in. */
  readonly routine: Routine | null
  /** What a name that is a variable or a parameter was when the statement ran; null where it is none. */
  readonly variable: (path: readonly string[]) => Value | null
}

export interface RoutineRows {
  readonly kind: 'routine'
  readonly routine: Routine
  readonly location: Location
}
