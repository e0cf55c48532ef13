import type { Operand, Predicate } from '../../model/index.js'

/** How to take a row out of one picked state: the condition to repeat, the value to set, and what of it is a new word. */
export interface TakenState {
  readonly where: Predicate
  readonly value: Operand
  readonly added: string | number | null
}

/**
 * The claim over one column: `term` is a conjunct of the pick, `written` is what the work writes into the column. The
 * author's own word for a row in work is taken where there is one, else one that is not in use. Null: the column is not a
 * state that can be taken by a constant, such as a text that the work fills in, or a flag: a flag knows no "in work", and
 * what it says (sent, paused) is not so yet.
 */
export function takeState(term: Predicate, column: string, written: readonly Operand[]): TakenState | null {
  const picked = pickedValues(term, column)
  if (picked !== null) return takeValues(picked, column, written)
  const orNone = pickedOrNull(term, column)
  if (orNone !== null) return takeWords(term, orNone, written)

  if (term.kind === 'null' && term.column === column) return takeNull(term, written)
  if (term.kind === 'not' && term.term.kind === 'null' && term.term.column === column) {
    const emptied = written.some((operand) => operand.kind === 'literal' && operand.value === null)
    return emptied ? { where: term, value: literal(null), added: null } : null
  }
  const excluded = excludedValues(term, column)
  const [first] = excluded ?? []
  if (excluded === null || first === undefined) return null
  // IS DISTINCT FROM a word also admits NULL, which `<>` does not: no short condition says both.
  if (!excluded.every((value) => typeof value === 'string') || term.kind === 'distinct') return null
  const word = freeWord(excluded, written)
  const notYet: Predicate = { kind: 'compare', column, op: '<>', operand: literal(word) }
  return { where: { kind: 'and', terms: [term, notYet] }, value: literal(word), added: word }
}

type Value = string | number | boolean

/** The values of `column = v`, `column IN (v…)` and `column = v OR column = w`; null: the term says something else. */
function pickedValues(term: Predicate, column: string): readonly Value[] | null {
  if (term.kind === 'compare' && term.column === column && term.op === '=') return values([term.operand])
  if (term.kind === 'in' && term.column === column) return values(term.operands)
  if (term.kind !== 'or') return null
  const each = term.terms.map((one) => pickedValues(one, column))
  return each.some((one) => one === null) ? null : each.flatMap((one) => one ?? [])
}

/** The values of `column IS NULL OR column = v`; null: the term says something else. */
function pickedOrNull(term: Predicate, column: string): readonly Value[] | null {
  if (term.kind !== 'or') return null
  const rest = term.terms.filter((one) => one.kind !== 'null' || one.column !== column)
  if (rest.length === term.terms.length || rest.length === 0) return null
  return pickedValues({ kind: 'or', terms: rest }, column)
}

function values(operands: readonly Operand[]): readonly Value[] | null {
  const found = operands.flatMap((operand) =>
    operand.kind === 'literal' && operand.value !== null ? [operand.value] : [],
  )
  return found.length === operands.length && found.length > 0 ? found : null
}

function takeValues(picked: readonly Value[], column: string, written: readonly Operand[]): TakenState | null {
  const where: Predicate =
    picked.length === 1
      ? { kind: 'compare', column, op: '=', operand: literal(picked[0]!) }
      : { kind: 'in', column, operands: picked.map(literal) }
  if (picked.every((value) => typeof value === 'string')) return takeWords(where, picked, written)
  if (picked.every((value) => typeof value === 'number')) {
    const used = new Set([...picked, ...constants(written)])
    let free = 1
    while (used.has(free)) free++
    return { where, value: literal(free), added: free }
  }
  return null
}

function takeWords(where: Predicate, picked: readonly Value[], written: readonly Operand[]): TakenState | null {
  if (!picked.every((value) => typeof value === 'string')) return null
  const word = freeWord(picked, written)
  return { where, value: literal(word), added: word }
}

function takeNull(where: Predicate, written: readonly Operand[]): TakenState | null {
  if (written.some((operand) => operand.kind === 'now'))
    return { where, value: { kind: 'now', offset: 0 }, added: null }
  const [first] = constants(written)
  // A text that the work fills in is content; only where all that is ever written are constants is it a state.
  if (typeof first !== 'string' || written.some(({ kind }) => kind !== 'literal')) return null
  const word = freeWord([], written)
  return { where, value: literal(word), added: word }
}

/** The values of `column <> v`, `column IS DISTINCT FROM v` and `column NOT IN (v…)`. */
function excludedValues(term: Predicate, column: string): readonly Value[] | null {
  if (term.kind === 'not')
    return term.term.kind === 'in' && term.term.column === column ? values(term.term.operands) : null
  const excludes = (term.kind === 'compare' && term.op === '<>') || term.kind === 'distinct'
  return excludes && term.column === column ? values([term.operand]) : null
}

/** A word for "in work" that the column does not know yet, in the letter case of the words that it knows. */
function freeWord(picked: readonly string[], written: readonly Operand[]): string {
  const used = [...picked, ...constants(written).filter((value) => typeof value === 'string')]
  const upper = used.length > 0 && used.every((word) => word === word.toUpperCase() && word !== word.toLowerCase())
  const words = ['processing', 'claimed', 'in_progress', 'taken'].map((word) => (upper ? word.toUpperCase() : word))
  return words.find((word) => !used.includes(word)) ?? `${words[0]!}_by_tick`
}

function constants(operands: readonly Operand[]): readonly Value[] {
  return operands.flatMap((operand) => (operand.kind === 'literal' && operand.value !== null ? [operand.value] : []))
}

function literal(value: Value | null): Operand {
  return { kind: 'literal', value }
}
