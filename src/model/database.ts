import type { Operand } from './predicate.js'
import type { Location } from './span.js'

/** A unique or primary key, or a unique index. An expression column is null. */
export interface UniqueKey {
  readonly columns: readonly (string | null)[]
  readonly primary: boolean
  /** The WHERE of a partial index, as SQL; null: it covers every row. */
  readonly condition: string | null
  readonly location: Location
}

export interface Table {
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
  readonly keys: readonly UniqueKey[]
  /** What a column is where an insert does not name it; null: an expression. A column that is not here has no default. */
  readonly defaults: ReadonlyMap<string, Operand | null>
  /** Columns that a BEFORE UPDATE trigger moves on every update (touch triggers). */
  readonly touched: readonly string[]
  readonly location: Location
}

/** An SQL routine as it stands once all migrations have run: the last definition of its signature. */
export interface Routine {
  readonly schema: string
  readonly name: string
  readonly parameters: readonly RoutineParameter[]
  readonly language: string
  readonly volatility: 'volatile' | 'stable' | 'immutable'
  /** The text of the CREATE statement, and where it stands. */
  readonly text: string
  readonly location: Location
}

export interface RoutineParameter {
  readonly name: string | null
  readonly type: string
  readonly mode: 'in' | 'out' | 'inout' | 'variadic' | 'table'
  readonly hasDefault: boolean
}
