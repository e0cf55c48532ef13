import type { RoutineAnswer, SqlTaking } from '../model/index.js'
import { constantOf, findAll, parseExpression, type Node, type SqlText } from '../sql/index.js'
import { sendsRequest } from './calls.js'
import { answersOf, tellingOf, type Frame } from './frame.js'
import { takingOf } from './settle.js'
import { weakest, type ReadRow, type State } from './state.js'

/** What `RETURN value` (or `RETURN NEXT value`) tells the caller; empty where it says "nothing taken". */
export function returnedAnswers(value: SqlText | null, state: State, frame: Frame): RoutineAnswer[] {
  if (!value) return outputAnswers(state, frame)
  const expression = parseExpression(value)
  if (!expression.ok) return [{ kind: 'unknown', reason: expression.message, location: expression.location }]
  return toldBy([expression.node], expression.source, state, frame)
}

/** The same for the list of `RETURN QUERY SELECT a, b` without FROM. */
export function toldBy(nodes: readonly Node[], source: SqlText, state: State, frame: Frame): RoutineAnswer[] {
  if (nodes.some(sendsRequest)) frame.outcomes.sends = true
  const constant = nodes.length === 1 ? constantOf(nodes[0]) : undefined
  if (constant !== undefined) return isPositive(constant) ? [positiveAnswer(state)] : []
  // `jsonb_build_object('claimed', true)`: the truth values written in it say which way it went.
  const truths = nodes.flatMap(constantsIn).filter((each) => typeof each === 'boolean')
  if (truths.length > 0 && !truths.includes(true)) return []
  const all = nodes.flatMap((node) => tellingOf(node, source, state, frame))
  const told = best(all.filter((each) => !hasFailed(each, state)))
  if (truths.length === 0 || (told && told.kind !== 'read')) return told ? [told] : []
  // What is read beside a TRUE does not speak against what the TRUE stands for.
  const positive = truths.includes(false) ? OTHER : positiveAnswer(state)
  return positive.kind === 'other' ? (told ? [told] : []) : [positive]
}

const OTHER: RoutineAnswer = { kind: 'other' }

/** What the OUT parameters hold. */
function outputAnswers(state: State, frame: Frame): RoutineAnswer[] {
  const told = best(frame.outputs.flatMap((name) => answersOf([name], state)).filter((each) => !hasFailed(each, state)))
  return told ? [told] : []
}

/** What a routine that ends without RETURN gives back. */
export function finalAnswers(state: State, frame: Frame): RoutineAnswer[] {
  return outputAnswers(state, frame)
}

function isPositive(constant: string | number | boolean | null): boolean {
  return constant !== null && constant !== false && constant !== 0
}

function constantsIn(node: Node): (string | number | boolean | null | undefined)[] {
  return findAll(node, 'A_Const').map((each) => constantOf({ A_Const: each }))
}

/** Of several things told in one value, what was taken counts before what was only read. */
function best(answers: readonly RoutineAnswer[]): RoutineAnswer | null {
  for (const kinds of [['rows', 'flag'], ['insert'], ['lock'], ['unknown'], ['read']]) {
    const of = answers.filter((each) => kinds.includes(each.kind))
    if (of.length > 0) return weakest(of)
  }
  return null
}

/** On this path it is known that the write found nothing. */
function hasFailed(answer: RoutineAnswer, state: State): boolean {
  const taking = takingOf(answer)
  return state.failed.some((each) => each === answer || (taking !== null && takingOf(each) === taking))
}

/**
 * What TRUE means on this path: the claim that is known to have found its row. A claim that nobody asked says nothing: then
 * every caller gets TRUE, and what guards it is at most the SELECT that was asked before (truth table 56).
 */
export function positiveAnswer(state: State): RoutineAnswer {
  const proven = state.proven.filter((each) => !hasFailed(each, state))
  const certain =
    proven.findLast((each) => takingOf(each)?.change) ?? proven.findLast((each) => state.keyed.includes(each))
  if (certain) return certain.kind === 'rows' ? { kind: 'flag', taking: certain.taking } : certain
  const last = state.takings.findLast((each) => !state.failed.some((answer) => takingOf(answer) === each))
  if (last) return { kind: 'flag', taking: unasked(last, state) }
  for (const kind of ['insert', 'lock', 'read']) {
    const told = proven.findLast((each) => each.kind === kind)
    if (told) return told
  }
  return { kind: 'other' }
}

function unasked(taking: SqlTaking, state: State): SqlTaking {
  if (taking.soundness !== 'sound') return taking
  const guarding = state.taken.filter((each) => each.taking === taking).map((each) => each.row)
  const seen = (row: ReadRow): boolean =>
    state.proven.includes(row.answer) || state.conditions.some((each) => each.row === row)
  if (guarding.some((row) => (row.locked || row.exclusive) && seen(row))) return taking
  const asked = state.proven.some((each) => each.kind === 'read' && each.pick.table === taking.table)
  return { ...taking, soundness: asked ? 'claim-subselect-unlocked' : 'unconditional-claim' }
}
