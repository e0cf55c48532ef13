import type { Diagnostic, Location, Routine } from '../model/index.js'
import type { Node, PlBlock, SqlText } from '../sql/index.js'
import type { Catalog } from './catalog.js'
import type { JobTable } from './jobs.js'
import type { RowSource, StatementRows } from './rows.js'
import type { RowStore } from './store.js'
import type { ObjectValue, Unknown, Value } from './value.js'

/** A request that some SQL sends: by pg_net after the commit, or by the http extension at once. */
export interface Send {
  readonly api: 'net' | 'http'
  readonly method: string
  readonly url: Value
  readonly body: Value
  /** The call. */
  readonly location: Location
  /** The SQL functions on the way, outermost first. */
  readonly via: readonly string[]
  /** The rows for each of which it is sent; empty: once. */
  readonly rows: readonly RowSource[]
  /** The routine whose body sends it. */
  readonly routine: Routine | null
  readonly arms: Arms
}

/**
 * The arms of undecided branches that a statement stands in, outermost first. What stands in all arms of another statement runs whenever
 * that one does.
 */
export type Arms = readonly number[]

/** An UPDATE or DELETE that was run. */
export interface Write {
  readonly statement: StatementRows
  readonly arms: Arms
}

/** Where control is among undecided branches. */
export interface Path {
  readonly arms: number[]
  last: number
}

/** Runs `action`, and leaves the arms that it entered. */
export function withinArms<T>(path: Path, action: () => T): T {
  const { length } = path.arms
  try {
    return action()
  } finally {
    path.arms.length = length
  }
}

/** From here on statements run under a condition that is not known. */
export const enterArm = (path: Path): void => void path.arms.push(++path.last)

/** Everything that SQL can change or see. One machine runs all migrations; every job is then run on a copy. */
export interface Machine {
  readonly catalog: Catalog
  readonly jobs: JobTable
  readonly store: RowStore
  readonly sends: Send[]
  readonly writes: Write[]
  readonly path: Path
  readonly diagnostics: DiagnosticList
  readonly interpreter: Interpreter
  /** Settings that ALTER DATABASE or ALTER ROLE … SET gives a value. */
  readonly settings: Map<string, Value>
  /** Names of the routines that were run. */
  readonly called: Set<string>
  /** May the rows of tables stand for all their rows in production, also where a query asks for many? */
  readonly rowsAreAll: boolean
  /** Whether writes to tables are kept. */
  readonly frozen: boolean
  /** The holes of templates that became text to be run, by the number in their marker. */
  readonly holes: Unknown[]
  /** What is left to spend: statements and rows; a run that needs more is given up. */
  budget: { left: number; depth: number }
}

/** Where diagnostics go; the same one is kept once. */
export interface DiagnosticList {
  readonly all: Diagnostic[]
  readonly seen: Set<string>
}

/** The mutually recursive parts of the interpreter, each in its own file. */
export interface Interpreter {
  /** The value of an expression. */
  expression(frame: Frame, node: Node): Value
  /** The rows of a SELECT, or of a write with RETURNING; `one`: the caller takes the first row only. */
  query(frame: Frame, node: Node, one?: boolean): Relation
  /** What a function call gives; `star`: count(*). */
  call(frame: Frame, name: readonly string[], args: readonly EvaluatedArgument[], location: Location): Value
  /** The rows of a routine of the project; null where there is no such routine. */
  routineRows(
    frame: Frame,
    name: readonly string[],
    args: readonly EvaluatedArgument[],
    location: Location,
  ): Relation | null
  /** Runs an SQL text (a job's command, EXECUTE); gives the rows of its last statement. */
  script(frame: Frame, text: SqlText): Relation
  /** Runs one parsed statement; gives the rows that it returns. */
  statement(frame: Frame, node: Node): Relation
  /** Runs a PL/pgSQL body; gives what it returns. */
  block(frame: Frame, body: PlBlock): Returned
}

export interface EvaluatedArgument {
  readonly name: string | null
  readonly value: Value
}

/** What is in sight at one point of one routine. */
export interface Frame {
  readonly machine: Machine
  /** The text that the trees' locations refer to. */
  readonly source: SqlText
  /** Variables and named parameters by name; PL/pgSQL changes them. */
  readonly variables: Map<string, Value>
  /** `$1`, `$2`, … */
  readonly parameters: readonly Value[]
  readonly scope: Scope | null
  readonly ctes: ReadonlyMap<string, Cte>
  /** The WITH queries in sight, so that a statement can be described with them. */
  readonly withNodes: readonly Node[]
  readonly via: readonly string[]
  /** The loops over rows that the statement stands in. */
  readonly rows: readonly RowSource[]
  readonly routine: Routine | null
  readonly depth: number
  /** Some block around catches errors. */
  readonly guarded: boolean
  /** What does not parse is not worth a word. */
  readonly quiet: boolean
  /** The rows that an aggregate runs over: one frame each, with their sources. */
  readonly group: readonly GroupMember[] | null
}

export interface GroupMember {
  readonly frame: Frame
  readonly sources: readonly RowSource[]
}

/** The tables of one FROM clause, one row each; `outer`: those of the query around it. */
export interface Scope {
  readonly bindings: readonly Binding[]
  readonly outer: Scope | null
}

export interface Binding {
  readonly alias: string
  readonly row: ObjectValue
  /** A function in FROM: its alias alone is its value. */
  readonly scalar: boolean
}

export interface Cte {
  readonly relation: () => Relation
}

/** The result of a query. A row with sources stands for any number of rows. */
export interface Relation {
  readonly columns: readonly string[]
  readonly rows: readonly RelationRow[]
}

export interface RelationRow {
  readonly row: ObjectValue
  readonly sources: readonly RowSource[]
  /** False: it is not known whether the row passes the query's condition. */
  readonly certain: boolean
}

/** What a PL/pgSQL body returned: RETURN's values (one for each way out), and the rows of RETURN NEXT and RETURN QUERY. */
export interface Returned {
  readonly values: readonly Value[]
  readonly rows: readonly RelationRow[]
}

export const EMPTY: Relation = { columns: [], rows: [] }

/** A frame in which nothing is in sight: that of a migration's statement or of a job's command. */
export function rootFrame(machine: Machine, source: SqlText): Frame {
  return {
    machine,
    source,
    variables: new Map(),
    parameters: [],
    scope: null,
    ctes: new Map(),
    withNodes: [],
    via: [],
    rows: [],
    routine: null,
    depth: 0,
    guarded: false,
    quiet: false,
    group: null,
  }
}

/** An error that the SQL certainly raises: an EXCEPTION block catches it, else its statement is undone. */
export class Raised extends Error {}

/** The run needs more than it may spend. */
export class Exhausted extends Error {}

export function spend(machine: Machine, amount = 1): void {
  machine.budget.left -= amount
  if (machine.budget.left < 0) throw new Exhausted('the statement takes too many steps')
}

export function report(machine: Machine, diagnostic: Diagnostic): void {
  const { location } = diagnostic
  const key = `${diagnostic.code}|${diagnostic.message}|${location ? `${location.file}:${location.startLine}:${location.startColumn}` : ''}`
  if (machine.diagnostics.seen.has(key)) return
  machine.diagnostics.seen.add(key)
  machine.diagnostics.all.push(diagnostic)
}
