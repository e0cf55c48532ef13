import type { Assignment, Change, Location, Operand, RoutineAnswer, SqlWrite } from '../model/index.js'
import { as, keywordBefore, locate, type Node, type NodeOf, type SqlText } from '../sql/index.js'
import type { Scope } from './env.js'
import { alternativesOf, operandOf } from './operand.js'

export const OTHER: RoutineAnswer = { kind: 'other' }

/** The part of the facts that depends on the kind of statement. */
export interface Core {
  readonly answer: RoutineAnswer
  readonly count: RoutineAnswer
  readonly writes: readonly SqlWrite[]
  readonly locksRows?: boolean
}

/** What a SET list leaves in the row; several where a CASE decides. The first one is what is shown. */
export function changesOf(targets: readonly Node[], scope: Scope): [Change, ...Change[]] {
  let all: Assignment[][] = [[]]
  const shown: Assignment[] = []
  for (const node of targets) {
    const target = as(node, 'ResTarget')
    if (!target?.name) continue
    const column = target.name
    const value = assigned(target.val)
    // `set data['key'] = …` changes the column in a way that is not known.
    const operands: Operand[] = target.indirection?.length
      ? [{ kind: 'column', column, delta: null }]
      : alternativesOf(value, scope)
    shown.push({ column, operand: operands.length === 1 ? operands[0]! : operandOf(value, scope) })
    const product = all.flatMap((each) => operands.map((operand) => [...each, { column, operand }]))
    all = product.length <= 16 ? product : all.map((each) => [...each, { column, operand: operandOf(value, scope) }])
  }
  const changes = all.map((assignments): Change => ({ kind: 'set', assignments }))
  return changes.length === 1 ? [changes[0]!] : [{ kind: 'set', assignments: shown }, ...changes]
}

/** The value of one column of `(a, b) = (1, 2)`. */
function assigned(value: Node | undefined): Node | undefined {
  const multiple = as(value, 'MultiAssignRef')
  return multiple ? as(multiple.source, 'RowExpr')?.args?.[(multiple.colno ?? 1) - 1] : value
}

/** Where the keyword stands that begins a write; trees do not say. */
export function keywordLocation(relation: NodeOf<'RangeVar'>, source: SqlText, word: string): Location {
  const keyword = keywordBefore(source, relation.location ?? 0, word)
  return keyword ? locate(source, keyword.start, keyword.end) : locate(source, relation.location ?? 0)
}
