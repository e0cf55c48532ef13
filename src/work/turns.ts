import { isResult } from '../clients/results.js'
import { isOneRow, statementOf, takerOf, type Statement } from '../clients/statement.js'
import { forget, type LoopFrame, type Machine, type Value } from '../typescript/index.js'
import type { Recorder } from './recorder.js'
import { mentions } from './soundness.js'

/**
 * A loop begins a turn with another item of a list: a claim that an earlier row won says nothing of this one. Where a loop
 * around has a row of its own, what was made of that row in its turn (its recipients, a list of its parts) is no other row.
 */
export function beginTurn(element: Value, list: Value, recorder: Recorder, machine: Machine): void {
  const ids = [...machine.taints(element)].flatMap((taint) => statementOf(taint)?.id ?? [])
  const rows = new Set(
    ids.filter(
      (id) =>
        // Where only one row can come back there is no other.
        !isOneRow(recorder.statements.get(id)) &&
        !machine.loops.some((frame) => hasRow(frame, id, machine) && madeSince(list, frame.since)),
    ),
  )
  if (rows.size === 0) return
  forget(machine.state, (fact) => {
    const taker = takerOf(fact)
    const statement = taker === null ? undefined : recorder.statements.get(taker)
    if (!statement || statement.kind === 'select') return false
    return ofOneRow(statement, machine) && mentions(statement, rows)
  })
}

/** Is the item of a loop one row of a statement, or made of one? A chunk is made of many. */
const hasRow = ({ element }: LoopFrame, id: number, machine: Machine): boolean =>
  element !== null &&
  element.kind !== 'list' &&
  element.kind !== 'map' &&
  [...machine.taints(element)].some((taint) => statementOf(taint)?.id === id)

/**
 * Was the list made in the turn that began with this cell of the heap, or is it a column of the row? A list that walked
 * over the rows again in that turn has begun turns of its own.
 */
function madeSince(list: Value, since: number): boolean {
  switch (list.kind) {
    case 'list':
    case 'map':
    case 'object':
      return list.cell > since
    case 'alt':
      return list.options.every((option) => madeSince(option.value, since))
    case 'foreign':
      return isResult(list) && list.data.type === 'column'
    case 'unknown':
      // A text of the row, taken apart.
      return true
    default:
      return false
  }
}

/** Is the statement about one row, not about a list of rows or a whole table? */
const ofOneRow = (statement: Statement, machine: Machine): boolean =>
  statement.kind === 'insert' ||
  (statement.kind === 'call'
    ? [...statement.args.values()].every((value) => machine.items(value) === null)
    : statement.pins.length > 0 && statement.pins.every((pin) => !pin.list))
