import type { Assignment, Change, Operand } from '../model/index.js'
import { operandOf } from '../clients/operand.js'
import type { Machine, Value } from '../typescript/index.js'
import type { Recorder } from './recorder.js'

/** What an update sets, column by column. A column that only some paths set may keep its value. */
export function changeOf(payload: Value | null, operand: (value: Value) => Operand, machine: Machine): Change {
  if (payload === null) return { kind: 'set', assignments: [] }
  const assignment = ([column, value]: readonly [string, Value]): Assignment => {
    const given = operand(value)
    // `attempts: job.attempts + 1` is the row's own value, moved on.
    return {
      column,
      operand:
        given.kind === 'read' && given.column === column ? { kind: 'column', column, delta: given.delta } : given,
    }
  }
  return { kind: 'set', assignments: [...columnsOfPayload(payload, machine)].map(assignment) }
}

/** What an insert writes: `crate_id: crate.id` is a column of the rows that are worked through. */
export function recordOf(payload: Value | null, recorder: Recorder, machine: Machine): Change {
  const worked = (id: number): boolean => recorder.statements.get(id)?.result === 'rows'
  const columns = payload === null ? [] : [...columnsOfPayload(payload, machine)]
  return {
    kind: 'set',
    assignments: columns.map(([column, value]) => ({
      column,
      operand: coarse(value) ? { kind: 'now', offset: null, period: true } : operandOf(value, machine, worked),
    })),
  }
}

/** A moment cut down to its day, hour …: the same for runs that overlap. */
const coarse = (value: Value): boolean =>
  value.kind === 'time' ? value.coarse === true : value.kind === 'unknown' && value.taints.has('day')

/** The columns that an object, or each of a list of objects, gives a value to. */
export function columnsOfPayload(payload: Value, machine: Machine): Map<string, Value> {
  if (payload.kind === 'alt') {
    const cells = payload.options.map((option) => columnsOfPayload(option.value, machine))
    const all = new Map<string, Value>()
    for (const cell of cells)
      for (const [name, value] of cell)
        if (cells.every((other) => other.has(name))) all.set(name, cells.length > 1 ? anyOf(cells, name) : value)
    return all
  }
  const cell = machine.objectCell(payload)
  if (cell)
    return new Map([...cell.props].filter(([, value]) => !(value.kind === 'const' && value.value === undefined)))
  const first = machine.items(payload)?.element
  return first && payload.kind === 'list' ? columnsOfPayload(first, machine) : new Map()
}

const anyOf = (cells: readonly Map<string, Value>[], name: string): Value => ({
  kind: 'alt',
  options: cells.map((cell) => ({ value: cell.get(name)!, facts: [] })),
})

export const valuesOf = (payload: Value | null, machine: Machine): Map<string, Value> =>
  payload ? columnsOfPayload(payload, machine) : new Map()
