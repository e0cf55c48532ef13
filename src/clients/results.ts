import type { RoutineAnswer } from '../model/index.js'
import {
  UNDEFINED,
  UNKNOWN,
  altOf,
  foreign,
  unknown,
  type Const,
  type Fact,
  type Foreign,
  type ForeignData,
  type Machine,
  type Value,
} from '../typescript/index.js'
import { columnFor, type Names } from './names.js'
import { failed, rowTaint, rowsTaint, won, type ResultShape, type Statement } from './statement.js'

/** What a statement gave back, as values of the program. */
export type ResultData = ForeignData & { readonly statement: number } & (
    | { readonly type: 'rows'; readonly names?: Names }
    /** A row that is there. */
    | { readonly type: 'row'; readonly names?: Names }
    /** A row, or null. */
    | { readonly type: 'maybe-row'; readonly names?: Names }
    | { readonly type: 'column'; readonly column: string }
    | { readonly type: 'length' }
    /** The number of rows that a write changed. */
    | { readonly type: 'count' }
    /** A routine's answer: true, a number, an object. */
    | { readonly type: 'answer' }
    /** `wins`: no error means that the row came back. */
    | { readonly type: 'error'; readonly wins: boolean }
    | { readonly type: 'error-code'; readonly wins: boolean }
  )

export const isResult = (value: Foreign): value is Foreign & { data: ResultData } =>
  'statement' in value.data && value.data.type !== 'response'

const make = (data: ResultData): Foreign => foreign(data)

type Named = { readonly names?: Names }
const named = (names: Names | undefined): Named => (names ? { names } : {})

export const rowOf = (id: number, names?: Names): Foreign => make({ type: 'row', statement: id, ...named(names) })
export const rowsOf = (id: number, names?: Names): Foreign => make({ type: 'rows', statement: id, ...named(names) })
export const maybeRowOf = (id: number, names?: Names): Foreign =>
  make({ type: 'maybe-row', statement: id, ...named(names) })
export const countOf = (id: number): Foreign => make({ type: 'count', statement: id })
export const columnOf = (id: number, column: string): Foreign => make({ type: 'column', statement: id, column })

/** `data` of a statement, by the shape that was asked for. */
export function dataOf(id: number, shape: ResultShape, answer: RoutineAnswer | null): Value {
  switch (shape) {
    case 'rows':
      return rowsOf(id)
    case 'one':
    case 'maybe-one':
      return make({ type: 'maybe-row', statement: id })
    case 'nothing':
      // PostgREST sends no body then. An older client did, so nothing rests on its being null.
      return UNKNOWN
    case 'answer':
      return answer?.kind === 'rows' || answer?.kind === 'read' ? rowsOf(id) : make({ type: 'answer', statement: id })
  }
}

/** The object that an awaited supabase-js query gives. */
export function resultObject(machine: Machine, statement: Statement): Value {
  const { id } = statement
  const wins = statement.kind === 'insert' || statement.result === 'one'
  return machine.object([
    ['data', dataOf(id, statement.result, statement.answer)],
    ['error', make({ type: 'error', statement: id, wins })],
    ['count', make({ type: 'count', statement: id })],
    ['status', UNKNOWN],
    ['statusText', UNKNOWN],
  ])
}

export function resultProperty(value: Foreign & { data: ResultData }, name: string | null): Value {
  const { data } = value
  const id = data.statement
  switch (data.type) {
    case 'rows':
      if (name === 'length' || name === 'count' || name === 'rowCount' || name === 'numAffectedRows')
        return make({ type: 'length', statement: id })
      if (name === 'rows') return value
      if (name === null || /^\d+$/.test(name))
        return altOf([
          { value: rowOf(id, data.names), facts: [won(id)] },
          { value: UNDEFINED, facts: [`!${won(id)}`] },
        ])
      // A routine that returns one composite value gives an object where others give a list.
      return columnOf(id, name)
    case 'row':
    case 'maybe-row': {
      if (name === null) return unknown(new Set([rowTaint(id)]))
      const column = data.names ? columnFor(data.names, name) : name
      return typeof column === 'string' ? columnOf(id, column) : rowOf(id, column)
    }
    case 'column':
      return columnOf(id, name === null ? data.column : `${data.column}.${name}`)
    case 'answer':
      return value
    case 'error':
      return name === 'code' || name === 'message' || name === 'status'
        ? make({ type: 'error-code', statement: id, wins: data.wins })
        : UNKNOWN
    default:
      return unknown(resultTaints(value))
  }
}

export function resultTaints(value: Foreign & { data: ResultData }): ReadonlySet<string> {
  const { data } = value
  switch (data.type) {
    case 'row':
    case 'maybe-row':
    case 'column':
      return new Set([rowTaint(data.statement)])
    default:
      return new Set([rowsTaint(data.statement)])
  }
}

/** What follows where the value is truthy or falsy; null: it cannot be. */
export function resultTruth(value: Foreign & { data: ResultData }, wanted: boolean): readonly Fact[] | null {
  const { data } = value
  const id = data.statement
  switch (data.type) {
    case 'row':
      return wanted ? [won(id)] : null
    case 'maybe-row':
    case 'answer':
    case 'count':
    case 'length':
      return [wanted ? won(id) : `!${won(id)}`]
    case 'rows':
      return [wanted ? `!${failed(id)}` : failed(id)]
    case 'column':
      return wanted ? [won(id)] : []
    case 'error':
      if (wanted) return [failed(id), `!${won(id)}`]
      return data.wins ? [`!${failed(id)}`, won(id)] : [`!${failed(id)}`]
    case 'error-code':
      return wanted ? [failed(id)] : []
  }
}

export function resultCompare(
  value: Foreign & { data: ResultData },
  op: '==' | '<' | '<=' | '>' | '>=',
  other: Const,
  wanted: boolean,
): readonly Fact[] | null {
  const { data } = value
  const id = data.statement
  const nothing = other.value === null || other.value === undefined
  switch (data.type) {
    case 'count':
    case 'length': {
      // No number at all: nothing says that there is a row.
      if (op === '==' && nothing) return wanted ? [`!${won(id)}`] : []
      const some = meansSome(op, other.value)
      return some === null ? [] : [some === wanted ? won(id) : `!${won(id)}`]
    }
    case 'maybe-row':
    case 'rows':
    case 'row':
    case 'error':
      return op === '==' && nothing ? resultTruth(value, !wanted) : []
    case 'answer':
      if (op === '==' && (nothing || other.value === false || other.value === 0)) return resultTruth(value, !wanted)
      if (op === '==' && other.value === true) return resultTruth(value, wanted)
      if (typeof other.value === 'number' || typeof other.value === 'bigint') {
        const some = meansSome(op, other.value)
        return some === null ? [] : [some === wanted ? won(id) : `!${won(id)}`]
      }
      // `data.status === 'claimed'`: an answer that says one thing rather than another.
      return op === '==' && wanted ? [won(id)] : []
    case 'error-code':
      if (op !== '==') return []
      if (wanted) return [failed(id), `!${won(id)}`]
      // A duplicate key is what a lost insert says: who goes on without one has the row, or another error to answer for.
      return (other.value === '23505' || other.value === 409) && data.wins ? [won(id)] : []
    case 'column':
      return []
  }
}

/** Does `n op value` mean that there is at least one? null: it says nothing of that. */
function meansSome(op: '==' | '<' | '<=' | '>' | '>=', given: Const['value']): boolean | null {
  const value = typeof given === 'bigint' ? Number(given) : given
  if (typeof value !== 'number') return value === null ? null : null
  if (op === '==') return value === 0 ? false : value >= 1 ? true : null
  if (op === '>') return value >= 0 ? true : null
  if (op === '>=') return value >= 1 ? true : null
  if (op === '<') return value <= 1 ? false : null
  return value < 1 ? false : null
}
