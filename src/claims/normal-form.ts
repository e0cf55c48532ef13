import type { Comparison, Operand, Predicate } from '../model/index.js'

/** A condition without AND, OR and NOT inside. `negated` only where no other kind says the same. */
export type Atom =
  | { readonly kind: 'compare'; readonly column: string; readonly op: Comparison; readonly operand: Operand }
  | { readonly kind: 'in'; readonly column: string; readonly operands: readonly Operand[] }
  | { readonly kind: 'null' | 'not-null'; readonly column: string }
  | { readonly kind: 'distinct' | 'not-distinct'; readonly column: string; readonly operand: Operand }
  | { readonly kind: 'other'; readonly text: string; readonly columns: readonly string[]; readonly negated: boolean }

/** Conditions that hold together. */
export type Conjunction = readonly Atom[]

/** More alternatives than people write; the algebra then says "unproven". */
const MAX_ALTERNATIVES = 64

const OPPOSITE: Readonly<Record<Comparison, Comparison>> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
}

/**
 * The alternatives under which a predicate is true (disjunctive normal form), or null where they are too many.
 * Exact under three-valued logic as far as "true" goes: NOT (a < b) is true exactly where a >= b is.
 */
export function alternatives(predicate: Predicate): Conjunction[] | null {
  return expand(predicate, false)
}

function expand(predicate: Predicate, negated: boolean): Conjunction[] | null {
  switch (predicate.kind) {
    case 'not':
      return expand(predicate.term, !negated)
    case 'and':
    case 'or':
      return (predicate.kind === 'and') !== negated
        ? product(predicate.terms, negated)
        : union(predicate.terms, negated)
    case 'compare':
      // A comparison with null is true of no row.
      if (predicate.operand.kind === 'literal' && predicate.operand.value === null) return []
      return [[negated ? { ...predicate, op: OPPOSITE[predicate.op] } : predicate]]
    case 'in':
      if (!negated) return [[predicate]]
      return [predicate.operands.map((operand) => ({ kind: 'compare', column: predicate.column, op: '<>', operand }))]
    case 'null':
      return [[{ kind: negated ? 'not-null' : 'null', column: predicate.column }]]
    case 'distinct':
      return [[{ ...predicate, kind: negated ? 'not-distinct' : 'distinct' }]]
    case 'other':
      return [[{ ...predicate, negated }]]
  }
}

function product(terms: readonly Predicate[], negated: boolean): Conjunction[] | null {
  let all: Conjunction[] = [[]]
  for (const term of terms) {
    const each = expand(term, negated)
    if (!each || all.length * each.length > MAX_ALTERNATIVES) return null
    all = all.flatMap((left) => each.map((right) => [...left, ...right]))
  }
  return all
}

function union(terms: readonly Predicate[], negated: boolean): Conjunction[] | null {
  const all: Conjunction[] = []
  for (const term of terms) {
    const each = expand(term, negated)
    if (!each || all.length + each.length > MAX_ALTERNATIVES) return null
    all.push(...each)
  }
  return all
}
