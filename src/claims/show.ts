import type { Change, Operand, Predicate } from '../model/index.js'

/** A predicate as SQL for people; what is not known stands as `…`. */
export function showPredicate(predicate: Predicate | null): string {
  if (predicate === null) return 'true'
  switch (predicate.kind) {
    case 'and':
    case 'or': {
      if (predicate.terms.length === 0) return predicate.kind === 'and' ? 'true' : 'false'
      const parts = predicate.terms.map((term) => {
        const text = showPredicate(term)
        return predicate.kind === 'and' && term.kind === 'or' && term.terms.length > 1 ? `(${text})` : text
      })
      return parts.join(` ${predicate.kind} `)
    }
    case 'not': {
      const { term } = predicate
      if (term.kind === 'null') return `${term.column} is not null`
      if (term.kind === 'in') return `${term.column} not in (${term.operands.map(showOperand).join(', ')})`
      if (term.kind === 'distinct') return `${term.column} is not distinct from ${showOperand(term.operand)}`
      return `not (${showPredicate(term)})`
    }
    case 'compare':
      return `${predicate.column} ${predicate.op} ${showOperand(predicate.operand)}`
    case 'in':
      return `${predicate.column} in (${predicate.operands.map(showOperand).join(', ')})`
    case 'null':
      return `${predicate.column} is null`
    case 'distinct':
      return `${predicate.column} is distinct from ${showOperand(predicate.operand)}`
    case 'other':
      return predicate.text
  }
}

/** The SET list of a change as SQL for people. */
export function showChange(change: Change): string {
  if (change.kind === 'delete') return 'delete'
  return change.assignments.map((each) => `${each.column} = ${showOperand(each.operand)}`).join(', ')
}

/** A value as SQL for people; a value read with the row earlier as `:column`. */
export function showOperand(operand: Operand): string {
  switch (operand.kind) {
    case 'literal':
      return typeof operand.value === 'string' ? `'${operand.value.replaceAll("'", "''")}'` : String(operand.value)
    case 'now':
      if (operand.offset === 0) return 'now()'
      if (operand.offset === null)
        return operand.later === undefined ? 'now() ± …' : `now() ${operand.later ? '+' : '-'} …`
      return `now() ${operand.offset > 0 ? '+' : '-'} interval '${duration(Math.abs(operand.offset))}'`
    case 'column':
      return showShifted(operand.column, operand.delta)
    case 'read':
      return showShifted(`:${operand.column}`, operand.delta)
    case 'fresh':
      return 'gen_random_uuid()'
    case 'opaque':
      return /^\$?\w+(\.\w+)?$/.test(operand.id) ? operand.id : '…'
  }
}

function showShifted(column: string, delta: number | null): string {
  if (delta === null) return `f(${column})`
  // Whole minutes are more likely a length of time than a count.
  const amount =
    Math.abs(delta) >= 60_000 && delta % 1000 === 0 ? `interval '${duration(Math.abs(delta))}'` : Math.abs(delta)
  return delta === 0 ? column : `${column} ${delta > 0 ? '+' : '-'} ${amount}`
}

function duration(milliseconds: number): string {
  const units: readonly (readonly [string, number])[] = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1000],
  ]
  const [unit, size] = units.find((each) => milliseconds >= each[1] && milliseconds % each[1] === 0) ?? ['second', 1000]
  const count = milliseconds / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
