import type { Operand, Predicate, RoutineAnswer, SqlTaking, SqlWrite } from '../model/index.js'

/** A row that the routine read into variables. */
export interface ReadRow {
  readonly table: string
  readonly where: Predicate | null
  /** Locked until the transaction ends. */
  readonly locked: boolean
  /** Read after an advisory lock of this transaction was granted: nobody else is in between. */
  readonly exclusive: boolean
  readonly answer: RoutineAnswer
}

/** What is known of a variable. */
export interface Binding {
  /** Its value, if known. */
  readonly operand: Operand | null
  /** The row that it holds (a record), or a column of which it holds. */
  readonly row: ReadRow | null
  readonly column: string | null
  /** What it tells of rows, if it is true or set; several where paths meet. */
  readonly answers: readonly RoutineAnswer[]
}

export const NOTHING: Binding = { operand: null, row: null, column: null, answers: [] }

/** What is known at one point of a routine. */
export interface State {
  readonly variables: ReadonlyMap<string, Binding>
  /** What FOUND says here. */
  readonly found: RoutineAnswer | null
  readonly reads: readonly ReadRow[]
  readonly takings: readonly SqlTaking[]
  /** Answers that are known to be positive here, and those known to be negative. */
  readonly proven: readonly RoutineAnswer[]
  readonly failed: readonly RoutineAnswer[]
  /** Of the proven inserts, those that a unique key may refuse: what is left is bookkeeping. */
  readonly keyed: readonly RoutineAnswer[]
  /** Conditions that the row read is known to satisfy, by tests in the code. */
  readonly conditions: readonly { readonly row: ReadRow; readonly where: Predicate }[]
  /** An advisory lock of the transaction is held. */
  readonly exclusive: boolean
  /** The row (by identity) that a later write took. */
  readonly taken: readonly { readonly row: ReadRow; readonly taking: SqlTaking }[]
}

export const START: State = {
  variables: new Map(),
  found: null,
  reads: [],
  takings: [],
  proven: [],
  failed: [],
  keyed: [],
  conditions: [],
  exclusive: false,
  taken: [],
}

export function bind(state: State, name: string, binding: Binding): State {
  return { ...state, variables: new Map(state.variables).set(name, binding) }
}

/** What is known where several paths meet; null where none arrives. */
export function meet(states: readonly (State | null)[]): State | null {
  const arriving = states.filter((state) => state !== null)
  return arriving.length === 0 ? null : arriving.reduce(meetTwo)
}

function meetTwo(left: State, right: State): State {
  if (left === right) return left
  const variables = new Map<string, Binding>()
  for (const name of new Set([...left.variables.keys(), ...right.variables.keys()])) {
    const one = left.variables.get(name) ?? NOTHING
    const two = right.variables.get(name) ?? NOTHING
    variables.set(name, one === two ? one : meetBindings(one, two))
  }
  return {
    variables,
    found: same(left.found, right.found) ? left.found : null,
    reads: unite(left.reads, right.reads),
    takings: unite(left.takings, right.takings),
    proven: left.proven.filter((each) => right.proven.includes(each)),
    failed: left.failed.filter((each) => right.failed.includes(each)),
    keyed: unite(left.keyed, right.keyed),
    conditions: left.conditions.filter((each) => right.conditions.includes(each)),
    exclusive: left.exclusive && right.exclusive,
    taken: unite(left.taken, right.taken),
  }
}

function meetBindings(one: Binding, two: Binding): Binding {
  return {
    operand: same(one.operand, two.operand) ? one.operand : null,
    row: one.row === two.row ? one.row : null,
    column: one.column === two.column ? one.column : null,
    answers: unite(one.answers, two.answers),
  }
}

function unite<T>(left: readonly T[], right: readonly T[]): readonly T[] {
  const more = right.filter((each) => !left.includes(each))
  return more.length === 0 ? left : [...left, ...more]
}

function same(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right)
}

/** The result of following a routine: what its paths give back, and what they do besides. */
export interface Outcomes {
  readonly answers: RoutineAnswer[]
  readonly writes: SqlWrite[]
  sends: boolean
}

/**
 * The answer that counts where paths give different ones: rows that nobody took, or that could not be decided, win over rows
 * that were taken; a routine is as sound as its weakest path.
 */
export function weakest(answers: readonly RoutineAnswer[]): RoutineAnswer {
  let result: RoutineAnswer = { kind: 'other' }
  for (const answer of answers) if (weakness(answer) > weakness(result)) result = answer
  return result
}

function weakness(answer: RoutineAnswer): number {
  switch (answer.kind) {
    case 'rows':
    case 'flag':
      return answer.taking.soundness === 'sound' ? 2 : answer.taking.soundness === 'unproven' ? 5 : 6
    case 'unknown':
      return 5
    case 'read':
      return 4
    case 'lock':
      return 3
    case 'insert':
      return 2
    case 'other':
      return 0
  }
}
