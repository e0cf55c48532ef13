import type { Predicate, RoutineAnswer, SqlTaking } from '../model/index.js'
import { allOf, conjuncts, falsifies } from './algebra.js'
import type { SqlEnv } from './env.js'
import type { ReadRow, State } from './state.js'
import type { StatementFacts } from './statement.js'

/**
 * Judges a statement anew with what the routine did before it: an UPDATE by a key that an earlier SELECT read is sound if that
 * SELECT locked the row, and takes what nobody guards if it did not (truth table 30–33, 53–56).
 */
export function settle(
  facts: StatementFacts,
  used: readonly ReadRow[],
  state: State,
  frame: { readonly env: SqlEnv; readonly repeatable: boolean },
): { readonly facts: StatementFacts; readonly state: State } {
  const taking = takingOf(facts.count)
  if (!taking || taking.soundness === 'lock-only-claim') {
    const answer = readBack(facts.answer, used, state)
    return { facts: { ...facts, answer, count: facts.count.kind === 'read' ? answer : facts.count }, state }
  }
  const owner = ownerOf(taking, used, state)
  if (owner) {
    // A second write to a row that is taken already claims nothing.
    const own: RoutineAnswer = { kind: 'rows', taking: owner }
    const answer = facts.answer.kind === 'rows' ? own : facts.answer
    return { facts: { ...facts, answer, count: { kind: 'flag', taking: owner } }, state }
  }
  const related = relatedReads(taking, used, state)
  const settled = judgeWith(taking, related, state, frame)
  // Whoever read the row before, by the same key, holds what this write took, or failed to take.
  const readers = state.reads.filter((row) => row.table === taking.table && sharesKey(row.where, taking.where))
  const rows = [...new Set([...related, ...readers])]
  const answer: RoutineAnswer = takingOf(facts.answer) === taking ? { kind: 'rows', taking: settled } : facts.answer
  const count: RoutineAnswer = { kind: 'flag', taking: settled }
  return {
    facts: { ...facts, answer, count },
    state: {
      ...state,
      takings: [...state.takings, settled],
      taken: [...state.taken, ...rows.map((row) => ({ row, taking: settled }))],
    },
  }
}

export function takingOf(answer: RoutineAnswer): SqlTaking | null {
  return answer.kind === 'rows' || answer.kind === 'flag' ? answer.taking : null
}

/**
 * The taking as far as it protects a row that was read before it and is handed out after: without a lock on the row, only if
 * the routine asked whether the write found it.
 */
export function handedOut(row: ReadRow, taking: SqlTaking, state: State): SqlTaking {
  if (taking.soundness !== 'sound' || row.locked || row.exclusive) return taking
  const asked = state.proven.some((each) => takingOf(each) === taking)
  return asked ? taking : { ...taking, soundness: 'claim-subselect-unlocked' }
}

/** Rows read again after they were taken, by their key or by the token that the taking left in them, are the taken rows. */
function readBack(answer: RoutineAnswer, used: readonly ReadRow[], state: State): RoutineAnswer {
  if (answer.kind !== 'read') return answer
  const taken = state.taken.find((each) => used.includes(each.row) && each.row.table === answer.pick.table)
  if (taken) return { kind: 'rows', taking: handedOut(taken.row, taken.taking, state) }
  const owned = used
    .map((row) => takingOf(row.answer))
    .find((each) => each?.table === answer.pick.table && each.change !== null)
  if (owned) return { kind: 'rows', taking: owned }
  const terms = conjuncts(answer.pick.where)
  const byToken = state.takings.find(
    (each) =>
      each.table === answer.pick.table &&
      each.change?.kind === 'set' &&
      each.change.assignments.some(
        ({ column, operand }) =>
          (operand.kind === 'fresh' || operand.kind === 'opaque') &&
          terms.some(
            (term) =>
              term.kind === 'compare' && term.op === '=' && term.column === column && same(term.operand, operand),
          ),
      ),
  )
  if (byToken) return { kind: 'rows', taking: byToken }
  // The same key that a claim was pinned by, once the claim is known to have succeeded.
  const byKey = state.proven
    .map(takingOf)
    .find((each) => each?.table === answer.pick.table && sharesKey(each.where, answer.pick.where))
  return byKey ? { kind: 'rows', taking: byKey } : answer
}

/** The taking by which the row of this write is owned already. */
function ownerOf(taking: SqlTaking, used: readonly ReadRow[], state: State): SqlTaking | null {
  const owners = [
    ...used.map((row) => takingOf(row.answer)),
    ...state.taken.filter((each) => used.includes(each.row)).map((each) => each.taking),
    ...state.proven.map(takingOf).filter((each) => each !== null && sharesKey(each.where, taking.where)),
  ]
  return owners.find((each) => each?.table === taking.table && each.soundness === 'sound') ?? null
}

/** The earlier reads that this write goes by. */
function relatedReads(taking: SqlTaking, used: readonly ReadRow[], state: State): ReadRow[] {
  const known = state.reads.filter(
    (row) =>
      sharesKey(row.where, taking.where) &&
      (state.proven.includes(row.answer) || state.conditions.some((each) => each.row === row)),
  )
  const asked = state.proven.flatMap((answer): ReadRow[] => {
    if (answer.kind !== 'read' || answer.pick.table === null || state.reads.some((row) => row.answer === answer))
      return []
    const { table, where } = answer.pick
    return sharesKey(where, taking.where) ? [{ table, where, locked: false, exclusive: state.exclusive, answer }] : []
  })
  return [...new Set([...used, ...known, ...asked])].filter((row) => row.table === taking.table)
}

function judgeWith(
  taking: SqlTaking,
  related: readonly ReadRow[],
  state: State,
  frame: { readonly env: SqlEnv; readonly repeatable: boolean },
): SqlTaking {
  if (taking.soundness === 'sound' || taking.change === null) return taking
  const touched = taking.table === null ? [] : (frame.env.table(null, taking.table)?.touched ?? [])
  const conditions = (rows: readonly ReadRow[]): Predicate[] =>
    rows.flatMap((row) => [
      ...conjuncts(row.where),
      ...state.conditions.filter((each) => each.row === row).map((each) => each.where),
    ])
  const holding = related.filter((row) => row.locked || row.exclusive || frame.repeatable)
  const nobodyBetween =
    holding.length > 0 || (taking.soundness === 'claim-subselect-unlocked' && (state.exclusive || frame.repeatable))
  if (nobodyBetween) {
    const where = allOf([taking.where, ...conditions(holding)])
    const answer = falsifies(where, taking.change, touched)
    if (answer === 'yes') return withoutReason({ ...taking, where, soundness: 'sound' })
    if (answer === 'unproven')
      return {
        ...taking,
        where,
        soundness: 'unproven',
        reason: 'whether the new values make the condition false is not known',
      }
    return conditions(holding).length > 0 ? { ...taking, where, soundness: 'claim-not-self-falsifying' } : taking
  }
  if (related.length === 0 && isKeyUnclear(taking, state, frame)) {
    return {
      ...taking,
      soundness: 'unproven',
      reason: 'whether its key is that of the row that was locked before is not known',
    }
  }
  if (related.length === 0 || taking.soundness === 'unproven') return taking
  const where = allOf([taking.where, ...conditions(related)])
  const checked = falsifies(where, taking.change, touched) !== 'no'
  return checked ? { ...taking, where, soundness: 'claim-subselect-unlocked' } : { ...taking, where }
}

/** Pinned by a variable that came about on several paths, while a row of the same table is locked. */
function isKeyUnclear(taking: SqlTaking, state: State, frame: { readonly env: SqlEnv }): boolean {
  if (!state.reads.some((row) => row.table === taking.table && row.locked)) return false
  return conjuncts(taking.where).some(
    (term) =>
      term.kind === 'compare' &&
      term.op === '=' &&
      term.operand.kind === 'opaque' &&
      /^\w+$/.test(term.operand.id) &&
      !frame.env.parameters.has(term.operand.id),
  )
}

function withoutReason(taking: SqlTaking): SqlTaking {
  const { reason: _, ...rest } = taking
  return rest
}

/** Do both pin the row by the same value of the same column? */
export function sharesKey(one: Predicate | null, two: Predicate | null): boolean {
  const terms = conjuncts(two)
  return conjuncts(one).some(
    (left) =>
      left.kind === 'compare' &&
      left.op === '=' &&
      (left.operand.kind === 'opaque' || left.operand.kind === 'read') &&
      terms.some((right) => same(left, right)),
  )
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
