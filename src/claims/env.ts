import type { Operand, RoutineSummary, Table } from '../model/index.js'
import type { SqlText } from '../sql/index.js'

/** What the names in a statement mean where it stands. */
export interface SqlEnv {
  /**
   * The value of a name that may be a routine's parameter or a variable (`['p_id']`, `['v_job', 'id']`); null where it is
   * none. A parameter whose value is not known is opaque, with the parameter's name as its id.
   */
  readonly variable: (path: readonly string[]) => Operand | null
  /** The value of `$1`, `$2`, … */
  readonly parameter: (number: number) => Operand
  /** Ids of the opaque operands that are parameters of the routine; they become the `keys` of a claim. */
  readonly parameters: ReadonlySet<string>
  /** The table as it stands after the migrations; null where it is not known. */
  readonly table: (schema: string | null, name: string) => Table | null
  /** What a routine does; null where it is not known. */
  readonly routine: (schema: string | null, name: string, argumentCount: number) => KnownRoutine | null
}

/** A routine that a statement calls, as far as it is known. */
export interface KnownRoutine {
  readonly summary: RoutineSummary
  /** The names of its input parameters in order; null where one has none. */
  readonly parameters: readonly (string | null)[]
}

/** An environment that knows nothing but `$n`, opaque by their number. */
export const EMPTY_ENV: SqlEnv = {
  variable: () => null,
  parameter: (number) => ({ kind: 'opaque', id: `$${number}`, nonNull: false }),
  parameters: new Set(),
  table: () => null,
  routine: () => null,
}

/** A statement's own view: which names are columns of the row that it asks about. */
export interface Scope {
  readonly env: SqlEnv
  readonly source: SqlText
  /**
   * The table whose row conditions speak of; `alias` is how it is called. `closed`: it has no other columns than those of
   * `table`, so that a name that is not known is no column.
   */
  readonly target: {
    readonly alias: string
    readonly name: string
    readonly table: Table | null
    readonly closed?: boolean
  }
  /** The other tables and sub-queries in reach, by alias. */
  readonly others: ReadonlyMap<string, OtherRelation>
}

/** Something else in FROM: a read of it gives a value, not a column of the row. */
export interface OtherRelation {
  /** The table that its rows come from; a value of the same table's row was read with that row. */
  readonly table: string | null
}

/** What a dotted name means. */
export type Resolved =
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'foreign'; readonly alias: string; readonly column: string }
  | { readonly kind: 'value'; readonly operand: Operand }
  | { readonly kind: 'unknown' }

/** Finds what a column reference means: the target's column, a variable, or something of another relation. */
export function resolve(path: readonly string[], scope: Scope): Resolved {
  const column = path.at(-1)
  if (column === undefined) return { kind: 'unknown' }
  const { target, env } = scope
  if (path.length > 1) {
    const alias = path.at(-2)!
    if (alias === target.alias) return { kind: 'column', column }
    if (scope.others.has(alias)) return { kind: 'foreign', alias, column }
    const operand = env.variable(path)
    return operand ? { kind: 'value', operand } : { kind: 'unknown' }
  }
  if (target.table?.columns.includes(column)) return { kind: 'column', column }
  const operand = env.variable(path)
  if (operand) return { kind: 'value', operand }
  if (target.closed) return { kind: 'unknown' }
  if (target.table && scope.others.size > 0) {
    const alias = [...scope.others.keys()].find((each) => each !== '')!
    return { kind: 'foreign', alias, column }
  }
  return { kind: 'column', column }
}
