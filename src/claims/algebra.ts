import type { Assignment, Change, Operand, Predicate } from '../model/index.js'
import { after, evaluate, isSatisfiable, type After } from './evaluate.js'
import { alternatives, type Atom, type Conjunction } from './normal-form.js'
import { shifted, type Value } from './values.js'

/** `unproven`: it cannot be decided from what is known. */
export type Answer = 'yes' | 'no' | 'unproven'

/**
 * Does the write make its own condition false, so that a second run that waits for the row finds nothing? (domain 5.2;
 * PostgreSQL docs 13.2.1: after waiting, an UPDATE asks its WHERE of the new version of the row.)
 *
 * `no` only where a row exists that both runs get. Exact over alternatives: `status = 'a' or (status = 'b' and at < x)`
 * is falsified only if every way in which it was true leads to none in which it is. Deleting always does.
 *
 * @param touched columns that a BEFORE UPDATE trigger stamps on every update
 */
export function falsifies(where: Predicate | null, change: Change, touched: readonly string[] = []): Answer {
  if (change.kind === 'delete') return 'yes'
  if (where === null) return 'no'
  const all = alternatives(where)?.filter(isSatisfiable) ?? null
  if (all === null) return 'unproven'
  const assignments = withTouched(change.assignments, touched)
  let answer: Answer = 'yes'
  for (const before of all) {
    const row = after(before, assignments)
    for (const later of all) {
      const still = stillTrue(later, row)
      if (still === 'yes') return 'no'
      if (still === 'unproven') answer = 'unproven'
    }
  }
  return answer
}

/** Is there no row for which both conditions are true? Only plain contradictions are seen. */
export function disjoint(one: Predicate | null, other: Predicate | null): boolean {
  const [ones, others] = [one, other].map((where) => (where === null ? null : alternatives(where)))
  if (!ones || !others) return false
  return ones.every((left) =>
    others.every(
      (right) => !isSatisfiable([...left, ...right]) || left.some((a) => right.some((b) => apart(a, b) || apart(b, a))),
    ),
  )
}

/** `at < now() - interval '2 days'` and `at >= now() - interval '2 days'`. */
function apart(upper: Atom, lower: Atom): boolean {
  if (upper.kind !== 'compare' || lower.kind !== 'compare' || upper.column !== lower.column) return false
  if (!upper.op.startsWith('<') || upper.op === '<>' || !lower.op.startsWith('>')) return false
  const [most, least] = [upper.operand, lower.operand].map((one) => (one.kind === 'now' ? one.offset : null))
  if (most == null || least == null) return false
  return most < least || (most === least && !(upper.op === '<=' && lower.op === '>='))
}

/** Can all these conditions be true after the write? */
function stillTrue(conditions: Conjunction, row: After): Answer {
  let proven = true
  for (const atom of conditions) {
    const outcome = evaluate(atom, row)
    if (!outcome.true) return 'no'
    if (!outcome.proven) proven = false
  }
  return proven ? 'yes' : 'unproven'
}

/** Can the condition be true of a row that has these values and otherwise nulls? `unproven`: columns not given decide. */
export function stillHolds(where: Predicate, values: readonly Assignment[]): Answer {
  const all = alternatives(where)
  if (all === null) return 'unproven'
  const given = new Set(values.map((each) => each.column))
  const missing = columnsOf(where).filter((column) => !given.has(column))
  const row = after([], [...values, ...missing.map((column) => ({ column, operand: UNSET }))])
  const answers = all.map((conditions) => stillTrue(conditions, row))
  return answers.includes('yes') ? 'yes' : answers.includes('unproven') ? 'unproven' : 'no'
}

/** A column that an INSERT does not name has its default. */
const UNSET: Operand = { kind: 'opaque', id: 'default', nonNull: false }

function withTouched(assignments: readonly Assignment[], touched: readonly string[]): Assignment[] {
  const stamp: Operand = { kind: 'now', offset: 0 }
  return [
    ...assignments.filter((each) => !touched.includes(each.column)),
    ...touched.map((column) => ({ column, operand: stamp })),
  ]
}

/** After the change, does the row no longer satisfy the pick? A pick without a condition admits every row that is there. */
export function leavesPick(pick: Predicate | null, change: Change, touched: readonly string[] = []): Answer {
  return falsifies(pick, change, touched)
}

/** What several writes to one row leave together, the later ones last. */
export function compose(changes: readonly Change[]): Change {
  let all = new Map<string, Operand>()
  for (const change of changes) {
    if (change.kind === 'delete') return change
    const next = new Map(all)
    for (const { column, operand } of change.assignments) next.set(column, resolved(operand, all))
    all = next
  }
  return { kind: 'set', assignments: [...all].map(([column, operand]) => ({ column, operand })) }
}

/** An operand over the row before a write, where an earlier write is known. */
function resolved(operand: Operand, earlier: ReadonlyMap<string, Operand>): Operand {
  const base = operand.kind === 'column' ? earlier.get(operand.column) : undefined
  if (operand.kind !== 'column' || !base) return operand
  const value: Value = base.kind === 'column' ? { kind: 'old', column: base.column, delta: base.delta } : base
  const sum = shifted(value, operand.delta)
  return sum.kind === 'old' ? { kind: 'column', column: sum.column, delta: sum.delta } : sum
}

/**
 * Is a claimed row still out of reach once the work is done, for a run that holds an older list? (domain 5.1, point 8)
 *
 * Yes where the claim's condition is false after the claim and the later writes of the same work; also where the claim
 * repeats the picked state that the last write leaves, which is the same thing. A claim that compares with a value read
 * earlier stops only runs that read before it: the pick itself must then exclude the claimed row.
 * Writes that put the row back into the pick on purpose (retry) do not count.
 */
export function staysTaken(
  claim: { readonly where: Predicate | null; readonly change: Change },
  pick: Predicate | null,
  later: readonly Change[],
  touched: readonly string[] = [],
): Answer {
  const finals = later.filter((change) => !reopens(pick, change, touched))
  const final = compose([claim.change, ...finals])
  const stale = falsifies(claim.where, final, touched)
  if (stale !== 'yes') return stale
  // Anyone who reads the row after the claim knows the new value.
  if (falsifies(withoutRead(claim.where), claim.change, touched) === 'yes') return 'yes'
  return leavesPick(pick, claim.change, touched)
}

function reopens(pick: Predicate | null, change: Change, touched: readonly string[]): boolean {
  if (pick === null || change.kind === 'delete') return false
  const columns = columnsOf(pick)
  if (!change.assignments.some((each) => columns.includes(each.column))) return false
  // Judged without what was known before: does the write itself give the row a picked state?
  const all = alternatives(pick)
  if (!all) return false
  const row = after([], withTouched(change.assignments, touched))
  const set = new Set(change.assignments.map((each) => each.column))
  return all.some((conditions) => {
    const touching = conditions.filter((atom) =>
      (atom.kind === 'other' ? atom.columns : [atom.column]).some((each) => set.has(each)),
    )
    // `status: 'failed', attempts: attempts + 1` puts the row back, though at some count it is no longer picked.
    const outcomes = touching.map((atom) => evaluate(atom, row))
    return outcomes.every((outcome) => outcome.true) && outcomes.some((outcome) => !outcome.false)
  })
}

/** The condition without its comparisons with values that were read: they hold for whoever reads anew. */
function withoutRead(predicate: Predicate | null): Predicate | null {
  if (predicate === null) return null
  const rest = conjuncts(predicate).filter((term) => !(term.kind === 'compare' && term.operand.kind === 'read'))
  return rest.length === 0 ? null : { kind: 'and', terms: rest }
}

/** The terms that all must hold, nested ANDs opened. */
export function conjuncts(predicate: Predicate | null): Predicate[] {
  if (predicate === null) return []
  return predicate.kind === 'and' ? predicate.terms.flatMap(conjuncts) : [predicate]
}

/** All conditions together, each once; null for none. */
export function allOf(predicates: readonly (Predicate | null)[]): Predicate | null {
  const terms = [...new Map(predicates.flatMap(conjuncts).map((term) => [JSON.stringify(term), term])).values()]
  return terms.length === 0 ? null : terms.length === 1 ? terms[0]! : { kind: 'and', terms }
}

/** The predicate that is true where this one is false. */
export function negate(predicate: Predicate): Predicate {
  return predicate.kind === 'not' ? predicate.term : { kind: 'not', term: predicate }
}

/** The columns that a predicate looks at, each once, in the order of their appearance. */
export function columnsOf(predicate: Predicate | null): string[] {
  const columns = new Set<string>()
  for (const leaf of leaves(predicate)) {
    if (leaf.kind === 'other') leaf.columns.forEach((column) => columns.add(column))
    else {
      columns.add(leaf.column)
      for (const operand of operandsOf(leaf)) if (operand.kind === 'column') columns.add(operand.column)
    }
  }
  return [...columns]
}

/** Does the passing of time alone change what it admits (`due_at <= now()`)? */
export function isTimeBound(predicate: Predicate | null): boolean {
  return leaves(predicate).some((leaf) =>
    leaf.kind === 'other'
      ? /\b(now|clock_timestamp|statement_timestamp|transaction_timestamp)\s*\(|\b(current_(date|time|timestamp)|localtimestamp)\b/i.test(
          leaf.text,
        )
      : operandsOf(leaf).some((operand) => operand.kind === 'now'),
  )
}

type Leaf = Extract<Predicate, { readonly kind: 'compare' | 'in' | 'null' | 'distinct' | 'other' }>

function leaves(predicate: Predicate | null): Leaf[] {
  if (predicate === null) return []
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.terms.flatMap(leaves)
    case 'not':
      return leaves(predicate.term)
    default:
      return [predicate]
  }
}

function operandsOf(leaf: Leaf): readonly Operand[] {
  return leaf.kind === 'compare' || leaf.kind === 'distinct' ? [leaf.operand] : leaf.kind === 'in' ? leaf.operands : []
}
