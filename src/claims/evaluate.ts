import type { Assignment, Operand } from '../model/index.js'
import type { Atom, Conjunction } from './normal-form.js'
import {
  compare,
  either,
  FALSE,
  isNull,
  MAY,
  not,
  NULL,
  shifted,
  TRUE,
  UNKNOWN,
  type Outcome,
  type Value,
} from './values.js'

/** The row after a write: what was known of it before, and the columns that the write sets. */
export interface After {
  readonly before: Conjunction
  readonly set: ReadonlyMap<string, Operand>
}

export function after(before: Conjunction, assignments: readonly Assignment[]): After {
  return { before, set: new Map(assignments.map((each) => [each.column, each.operand])) }
}

/** What a condition comes out as when the second run asks it of the row after the write. */
export function evaluate(atom: Atom, row: After): Outcome {
  if (columnsOfAtom(atom).every((column) => !row.set.has(column))) return unchanged(atom, row)
  switch (atom.kind) {
    case 'other':
      return UNKNOWN
    case 'null':
      return nullness(valueOf(atom.column, row), row)
    case 'not-null':
      return not(nullness(valueOf(atom.column, row), row))
    case 'compare':
      return compared(valueOf(atom.column, row), atom.operand, row, (left, right) => compare(left, atom.op, right))
    case 'in':
      return anyOf(atom.operands.map((each) => equal(atom.column, each, row)))
    case 'distinct':
      return distinct(atom.column, atom.operand, row)
    case 'not-distinct':
      return not(distinct(atom.column, atom.operand, row))
  }
}

/** The columns of the row that a condition looks at. */
export function columnsOfAtom(atom: Atom): string[] {
  if (atom.kind === 'other') return [...atom.columns]
  const operands = 'operand' in atom ? [atom.operand] : 'operands' in atom ? atom.operands : []
  return [atom.column, ...operands.flatMap((operand) => (operand.kind === 'column' ? operand.column : []))]
}

/** Can conditions all be true of one row? Only plain contradictions are seen: `a is null and a < 1`, `a in (1, 2) and a > 2`. */
export function isSatisfiable(conditions: Conjunction): boolean {
  const fits = (atom: Atom, before: Conjunction): boolean => unchanged(atom, { before, set: new Map() }).true
  return conditions.every((atom) => {
    const others = conditions.filter((each) => textOf(each) !== textOf(atom)) // a repeated condition proves nothing
    if (!fits(atom, others)) return false
    if (atom.kind !== 'in') return true
    // One of its values has to suit all the others.
    return atom.operands.some((operand) => {
      const is: Atom = { kind: 'compare', column: atom.column, op: '=', operand }
      return others.every((other) => fits(other, [is]))
    })
  })
}

const texts = new WeakMap<Atom, string>()

/** The same text for the same condition; made once. */
function textOf(atom: Atom): string {
  let text = texts.get(atom)
  if (text === undefined) texts.set(atom, (text = JSON.stringify(atom)))
  return text
}

/** A condition over columns that the write leaves alone: as true or false as it was, where that is known. */
function unchanged(atom: Atom, row: After): Outcome {
  const text = textOf(atom)
  if (row.before.some((each) => textOf(each) === text)) return TRUE
  if (atom.kind === 'other') return MAY
  const known = knownBefore(atom.column, row)
  if (known === null) return MAY
  const ofEach = (operands: readonly Operand[], test: (value: Value) => Outcome): Outcome =>
    known.values?.length && operands.every((operand) => operand.kind === 'literal')
      ? either(known.values.map(test))
      : MAY
  switch (atom.kind) {
    case 'null':
      return not(known.notNull)
    case 'not-null':
      return known.notNull
    case 'compare':
      return ofEach([atom.operand], (value) => compare(value, atom.op, literal(atom.operand)))
    case 'in':
      return ofEach(atom.operands, (value) => anyOf(atom.operands.map((each) => compare(value, '=', literal(each)))))
    case 'distinct':
      return ofEach([atom.operand], (value) => differ(value, literal(atom.operand)))
    case 'not-distinct':
      return ofEach([atom.operand], (value) => not(differ(value, literal(atom.operand))))
  }
}

/** Narrows what was tested to be a literal. */
function literal(operand: Operand): Value {
  return operand.kind === 'column' ? { kind: 'old', column: operand.column, delta: operand.delta } : operand
}

/** IS DISTINCT FROM between two values, at least one of them a literal. */
function differ(left: Value, right: Value): Outcome {
  if (isNull(left) || isNull(right)) return isNull(left) && isNull(right) ? FALSE : TRUE
  return not(compare(left, '=', right))
}

/** What the conditions before the write say of a column: its possible values (null: any), and whether it is set. */
function knownBefore(column: string, row: After): { values: Value[] | null; notNull: Outcome } | null {
  let values: Value[] | null = null
  let known = false
  for (const atom of row.before) {
    if (atom.kind === 'other' || atom.column !== column) continue
    if (atom.kind === 'null') return { values: [{ kind: 'literal', value: null }], notNull: FALSE }
    if (atom.kind === 'not-distinct' && atom.operand.kind === 'literal' && atom.operand.value === null) {
      return { values: [atom.operand], notNull: FALSE }
    }
    if (atom.kind === 'distinct') known ||= atom.operand.kind === 'literal' && atom.operand.value === null
    else known = true
    const pinned =
      (atom.kind === 'compare' && atom.op === '=') || atom.kind === 'not-distinct'
        ? [atom.operand]
        : atom.kind === 'in'
          ? atom.operands
          : []
    const fixed = pinned.flatMap((operand) => (operand.kind === 'literal' || operand.kind === 'read' ? operand : []))
    if (values === null && fixed.length > 0 && fixed.length === pinned.length) values = fixed
  }
  return known ? { values, notNull: TRUE } : null
}

/** The value of a column after the write. */
function valueOf(column: string, row: After): Value {
  const set = row.set.get(column)
  if (!set) return { kind: 'old', column, delta: 0 }
  // A SET speaks of the row before the write.
  return set.kind === 'column' ? { kind: 'old', column: set.column, delta: set.delta } : set
}

/** The values that a symbolic value can have, given what is known of the row before. */
function possible(value: Value, row: After): readonly Value[] {
  if (value.kind !== 'old') return [value]
  const known = knownBefore(value.column, row)
  return known?.values?.map((each) => shifted(each, value.delta)) ?? [value]
}

function compared(left: Value, operand: Operand, row: After, test: (left: Value, right: Value) => Outcome): Outcome {
  // A column on the right is asked of the row after the write too.
  const right = operand.kind === 'column' ? shifted(valueOf(operand.column, row), operand.delta) : operand
  const lefts = possible(left, row)
  const rights = possible(right, row)
  return either(lefts.flatMap((one) => rights.map((two) => test(one, two))))
}

function equal(column: string, operand: Operand, row: After): Outcome {
  return compared(valueOf(column, row), operand, row, (left, right) => compare(left, '=', right))
}

function distinct(column: string, operand: Operand, row: After): Outcome {
  return compared(valueOf(column, row), operand, row, (left, right) => {
    if (isNull(right)) return not(nullness(left, row))
    if (isNull(left)) return not(nullness(right, row))
    const same = compare(left, '=', right)
    return {
      true: same.false || same.null,
      false: same.true || same.null,
      null: false,
      proven: same.proven && !same.null,
    }
  })
}

function nullness(value: Value, row: After): Outcome {
  switch (value.kind) {
    case 'literal':
      return value.value === null ? TRUE : FALSE
    case 'now':
    case 'fresh':
      return FALSE
    case 'opaque':
      return value.nonNull ? FALSE : { ...MAY, null: false, proven: false }
    case 'read':
      return { ...MAY, null: false, proven: false }
    case 'old': {
      if (value.delta === null) return { ...MAY, null: false, proven: false }
      const known = knownBefore(value.column, row)
      return known ? not(known.notNull) : { ...MAY, null: false }
    }
  }
}

function anyOf(all: readonly Outcome[]): Outcome {
  if (all.length === 0) return NULL
  return {
    true: all.some((each) => each.true),
    false: all.every((each) => each.false),
    null: all.some((each) => each.null),
    proven: all.some((each) => each.true && each.proven) || all.every((each) => each.proven),
  }
}
