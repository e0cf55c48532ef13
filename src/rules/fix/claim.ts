import { columnsOf, conjuncts, falsifies, staysTaken } from '../../claims/index.js'
import type { Assignment, Change, ClaimAttempt, Mark, Operand, Predicate, WorkLoop } from '../../model/index.js'
import { tableName } from '../facts.js'
import { takeState } from './state.js'

export type SetChange = Extract<Change, { kind: 'set' }>

/** A claim that can be printed, and that takes the row: `change` makes `where` false. The key is left out of `where`. */
export interface PrintableClaim {
  readonly where: Predicate
  readonly change: SetChange
  /** A state that the claim adds to the table's vocabulary, and its column; null: none. */
  readonly newState: { readonly column: string; readonly value: string | number } | null
  /** A lease column that the table may not have yet; null: none needed. */
  readonly newColumn: string | null
  /** The claim lapses by itself. */
  readonly lease: boolean
}

/** Longer than a hosted run can last (400 s on a paid plan: Supabase docs, Functions limits) and the longest call in it. */
export const LEASE_MINUTES = 10

/** A condition and a change that somebody wrote to take a row. */
export interface TriedClaim {
  readonly where: Predicate | null
  readonly change: Change | null
}

/**
 * The claim for the rows of a loop: as another function takes them soundly, else from what the author already wrote: the
 * failed attempt with the least change, the state by which the rows are picked, or a lease. Null: nothing in the row says
 * that it is free, so that a ledger must. Every claim returned has been put through the algebra.
 */
export function claimFor(
  loop: WorkLoop,
  attempt: ClaimAttempt | null,
  sibling: TriedClaim | null = null,
): PrintableClaim | null {
  const key = loop.source.key ?? 'id'
  const next = settable(sibling?.change ?? null)
  const same = next && proven(loop, printable(sibling?.where ?? null, key), next)
  if (same) return same
  const picked = printable(loop.source.where, key)
  const onRows = attempt !== null && isRowTable(loop, attempt.table) ? attempt : null
  const tried = settable(onRows?.change ?? null)

  // What was tried, as it is (only unchecked, unsent or unlocked), then under the picked state, then under that state
  // without what it sets.
  if (tried !== null) {
    const own = printable(onRows?.where ?? null, key)
    const narrower = [own, picked].map((terms) => withoutNew(terms, tried))
    for (const terms of [about(own, tried), about(picked, tried), ...narrower, [...own, ...picked]]) {
      const claim = proven(loop, terms, tried)
      if (claim !== null) return claim
    }
    const leased = lease(loop, picked, tried)
    if (leased !== null && leased.newColumn === null) return leased
  }

  const changes = stateChanges(loop, onRows)
  for (const column of new Set(changes.map((assignment) => assignment.column))) {
    const written = changes.filter((assignment) => assignment.column === column).map(({ operand }) => operand)
    for (const term of picked) {
      const taken = takeState(term, column, written)
      if (taken === null) continue
      const claim = proven(loop, [taken.where], { kind: 'set', assignments: [{ column, operand: taken.value }] })
      if (claim !== null) return { ...claim, newState: taken.added === null ? null : { column, value: taken.added } }
    }
  }

  return lease(loop, picked, null)
}

/** A lease: taken where it is free or older than a run can last, with the picked state repeated. */
function lease(loop: WorkLoop, picked: readonly Predicate[], tried: SetChange | null): PrintableClaim | null {
  const own = tried?.assignments.find(({ operand }) => operand.kind === 'now')?.column ?? pickedLease(picked)
  // Nothing moves the row out of the pick, so that a lease would only put the repeat off.
  if (own === undefined && rowMarks(loop).every(({ leavesPick }) => leavesPick === 'no')) return null
  const column = own ?? 'claimed_at'
  const free: Predicate = {
    kind: 'or',
    terms: [
      { kind: 'null', column },
      { kind: 'compare', column, op: '<', operand: { kind: 'now', offset: -LEASE_MINUTES * 60_000 } },
    ],
  }
  const state = picked.filter((term) => term.kind !== 'or' && !mentioned([term], column))
  const change = { kind: 'set', assignments: [{ column, operand: now }] } as const
  const claim = proven(loop, [...state, free], change)
  return claim && { ...claim, lease: true, newColumn: own === undefined ? column : null }
}

/** A column that the pick itself lets lapse: `locked_at is null or locked_at < …`. */
function pickedLease(picked: readonly Predicate[]): string | undefined {
  for (const term of picked) {
    if (term.kind !== 'or') continue
    const free = term.terms.find((one) => one.kind === 'null')
    if (free?.kind !== 'null') continue
    const lapses = ({ kind, ...one }: Predicate): boolean =>
      kind === 'compare' && 'operand' in one && one.column === free.column && one.operand.kind === 'now'
    if (term.terms.some(lapses)) return free.column
  }
  return undefined
}

const now: Operand = { kind: 'now', offset: 0 }

/**
 * The claim, if the algebra says that it takes the row and that nothing which the work writes later frees it for a run
 * with an older list. The picked states that the work changes are repeated for that reason, whatever the claim is about.
 */
function proven(loop: WorkLoop, about: readonly Predicate[], change: SetChange): PrintableClaim | null {
  if (about.length === 0) return null
  const terms = [...repeated(loop, about), ...about]
  const where: Predicate = terms.length === 1 ? terms[0]! : { kind: 'and', terms }
  if (falsifies(where, change) !== 'yes') return null
  const later = rowMarks(loop).flatMap((mark) => (mark.change === null ? [] : [mark.change]))
  if (staysTaken({ where, change }, loop.source.where, later) === 'no') return null
  return { where, change, newState: null, newColumn: null, lease: false }
}

function repeated(loop: WorkLoop, about: readonly Predicate[]): readonly Predicate[] {
  const written = stateChanges(loop, null).map(({ column }) => column)
  return printable(loop.source.where, loop.source.key ?? 'id').filter((term) => {
    const columns = columnsOf(term)
    return columns.some((column) => written.includes(column)) && !columns.some((column) => mentioned(about, column))
  })
}

function rowMarks(loop: WorkLoop): readonly Mark[] {
  return loop.marks.filter(({ table, kind }) => isRowTable(loop, table) && kind !== 'insert')
}

function isRowTable(loop: WorkLoop, table: string | null): boolean {
  return table === null || loop.source.table === null || tableName(table) === tableName(loop.source.table)
}

/** What the work writes into the picked rows: first what moves them out of the pick. */
function stateChanges(loop: WorkLoop, attempt: ClaimAttempt | null): readonly Assignment[] {
  const marks = rowMarks(loop)
  const leaving = marks.filter(({ leavesPick }) => leavesPick === 'yes')
  return [
    ...leaving.map(({ change }) => change),
    attempt?.change ?? null,
    ...marks.map(({ change }) => change),
  ].flatMap((change) => (change?.kind === 'set' ? change.assignments : []))
}

/** The part of an attempt's SET that can be printed: constants and moments. */
function settable(change: Change | null): SetChange | null {
  if (change?.kind !== 'set') return null
  const assignments = change.assignments.filter(
    ({ operand }) => operand.kind === 'literal' || (operand.kind === 'now' && operand.offset !== null),
  )
  return assignments.length === 0 ? null : { kind: 'set', assignments }
}

/** The terms that speak of a column that the claim sets: the others do not help to take the row. */
function about(terms: readonly Predicate[], change: SetChange): readonly Predicate[] {
  return terms.filter((term) => change.assignments.some(({ column }) => mentioned([term], column)))
}

/** The lists of a condition without the value that the claim sets: `in ('pending', 'processing')` keeps 'pending'. */
function withoutNew(terms: readonly Predicate[], change: SetChange): readonly Predicate[] {
  return terms.flatMap((term): readonly Predicate[] => {
    if (term.kind !== 'in') return []
    const set = change.assignments.find(({ column }) => column === term.column)?.operand
    if (set?.kind !== 'literal') return []
    const operands = term.operands.filter((one) => one.kind !== 'literal' || one.value !== set.value)
    const [first] = operands
    if (first === undefined) return []
    return operands.length === 1
      ? [{ kind: 'compare', column: term.column, op: '=', operand: first }]
      : [{ ...term, operands }]
  })
}

/** The conjuncts of a condition that can be printed for one row again, the key left out. */
function printable(where: Predicate | null, key: string): readonly Predicate[] {
  return where === null ? [] : conjuncts(where).filter((term) => isPrintable(term) && !mentioned([term], key))
}

function isPrintable(term: Predicate): boolean {
  switch (term.kind) {
    case 'and':
    case 'or':
      return term.terms.every((one) => one.kind !== 'and' && one.kind !== 'or' && isPrintable(one))
    case 'not':
      return term.term.kind === 'null' || (term.term.kind === 'in' && isPrintable(term.term))
    case 'null':
      return true
    case 'in':
      return term.operands.every((operand) => operand.kind === 'literal' && operand.value !== null)
    case 'compare':
      return isConstant(term.operand)
    case 'distinct':
      return term.operand.kind === 'literal' && typeof term.operand.value === 'boolean'
    case 'other':
      return false
  }
}

function isConstant(operand: Operand): boolean {
  if (operand.kind === 'literal') return operand.value !== null
  return operand.kind === 'now' && operand.offset !== null
}

function mentioned(terms: readonly Predicate[], column: string): boolean {
  return terms.some((term) => columnsOf(term).includes(column))
}
