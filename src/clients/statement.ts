import type { Assignment, Change, Location, Predicate, RoutineAnswer, SqlWrite } from '../model/index.js'
import type { Fact, Site, Taints, Value } from '../typescript/index.js'

/**
 * One request to the project's database, as the code sends it. `id` names its place in the code and in the chain of calls:
 * facts and taints speak of it by that number.
 */
export interface Statement {
  readonly id: number
  readonly kind: 'select' | 'update' | 'insert' | 'upsert' | 'delete' | 'call'
  /** The table's name without schema "public"; null: not known. For `call` the routine's. */
  readonly table: string | null
  readonly where: Predicate | null
  /** Equalities with values of the program: they may pin a row. */
  readonly pins: readonly Pin[]
  readonly change: Change | null
  /** What an insert, upsert or update writes, by column. */
  readonly inserted: ReadonlyMap<string, Value>
  readonly onConflict: 'error' | 'nothing' | 'update'
  /** Columns that the upsert names as the conflict's. */
  readonly conflictColumns: readonly string[] | null
  readonly result: ResultShape
  readonly limit: number | null
  /** The arguments of a routine, by parameter name (or $1 …). */
  readonly args: ReadonlyMap<string, Value>
  /** What is known of the routine, or of the text of SQL. */
  readonly answer: RoutineAnswer | null
  readonly writes: readonly SqlWrite[]
  /** Built and never sent. */
  readonly sent: boolean
  /** Sent on a connection whose transaction stays open over what follows. */
  readonly openTransaction: boolean
  readonly location: Location
  readonly site: Site
  /** What its conditions and values were made from. */
  readonly taints: Taints
  /** Facts when it was sent. */
  readonly facts: ReadonlySet<Fact>
  /** Lists of keys that it asks for: of which statement's rows, and what was known of each when it went into the list. */
  readonly keys: readonly { readonly of: number; readonly facts: readonly Fact[] }[]
  /** The expression that stands for the client in the code. */
  readonly clientName: string | null
  readonly viaHttp: boolean
}

/** What comes back: rows, one row or an error, one row or nothing, a number of rows, nothing, a routine's answer. */
export type ResultShape = 'rows' | 'one' | 'maybe-one' | 'nothing' | 'answer'

export interface Pin {
  readonly column: string
  readonly value: Value
  /** `in (…)` over a list. */
  readonly list: boolean
}

/** What stands in a statement before it is sent and numbered. */
export type Draft = Omit<Statement, 'id' | 'taints' | 'facts' | 'keys' | 'site' | 'location' | 'sent'>

export const EMPTY_DRAFT: Draft = {
  kind: 'select',
  table: null,
  where: null,
  pins: [],
  change: null,
  inserted: new Map(),
  onConflict: 'error',
  conflictColumns: null,
  result: 'rows',
  limit: null,
  args: new Map(),
  answer: null,
  writes: [],
  openTransaction: false,
  clientName: null,
  viaHttp: false,
}

/** Fact: the statement brought a row (its claim was won, its insert made a row, its lock was granted). */
export const won = (id: number): Fact => `w${id}`
/** Fact: what the statement took has not been given back. */
export const held = (id: number): Fact => `h${id}`
/** Fact: the row at hand is among those that the statement gave back. */
export const among = (id: number): Fact => `i${id}`
/** Fact: the statement failed. */
export const failed = (id: number): Fact => `e${id}`
/** Fact: it was asked whether the row at hand is among those that the statement read. */
export const asked = (id: number): Fact => `q${id}`
/** Fact: a condition over the statement's result decided the path. */
export const tested = (id: number): Fact => `t${id}`

/** Taint: a value of one row of a statement's result. */
export const rowTaint = (id: number): string => `row:${id}`
/** Taint: a value made of many rows of a statement's result, or of their number. */
export const rowsTaint = (id: number): string => `rows:${id}`

/** The statement that a taint speaks of, if it speaks of one. */
export function statementOf(taint: string): { id: number; many: boolean } | null {
  if (taint.startsWith('row:')) return { id: Number(taint.slice(4)), many: false }
  if (taint.startsWith('rows:')) return { id: Number(taint.slice(5)), many: true }
  return null
}

/** The statement whose row a fact says to be `won` or `held`, if it says that of one. */
export function takerOf(fact: Fact): number | null {
  return fact[0] === 'w' || fact[0] === 'h' ? Number(fact.slice(1)) : null
}

/** Can only one row come back? */
export const isOneRow = (statement: Statement | undefined): boolean =>
  statement?.result === 'one' || statement?.result === 'maybe-one' || statement?.limit === 1

export type { Assignment }
