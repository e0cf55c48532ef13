import type { PlStatement } from '../sql/index.js'
import { afterLoop, type Flow } from './branches.js'
import { truth } from './compare.js'
import { withinArms, type Frame, type RelationRow } from './machine.js'
import { asArray } from './operators.js'
import { expression, type Run } from './pl-run.js'
import { assign, holdsRows } from './pl-variables.js'
import { known } from './contents.js'
import { alternatives, bool, FALSE, number, object, SOMETHING, TRUE, UNKNOWN, type Value } from './value.js'

/** More turns than this of a loop over constants are not unrolled. */
const MOST_TURNS = 1000

/** Runs the statements of a loop once. */
export type Body = (frame: Frame) => Flow

/** One turn: does the loop go on, and how does it end? */
function turn(frame: Frame, label: string | null, body: Body): { readonly goesOn: boolean; readonly flow: Flow } {
  const flow = withinArms(frame.machine.path, () => body(frame))
  if (flow === 'next') return { goesOn: true, flow }
  if (flow === 'return') return { goesOn: false, flow }
  const mine = flow.label === null || flow.label === label
  return mine ? { goesOn: flow.leave === 'continue', flow: 'next' } : { goesOn: false, flow }
}

/** LOOP and WHILE. */
export function repeat(frame: Frame, run: Run, label: string | null, condition: () => Value, body: Body): Flow {
  run.mayExit = false
  for (let count = 0; count < MOST_TURNS; count++) {
    const decided = truth(condition())
    if (decided === 'no') break
    const { goesOn, flow } = turn(frame, label, body)
    if (!goesOn) return flow
    // What ends the loop is not known: one turn shows what it does.
    if (decided === 'unknown' || run.mayExit) break
  }
  run.mayExit = false
  return 'next'
}

/** FOR i IN a..b. */
export function integers(frame: Frame, loop: Extract<PlStatement, { kind: 'for-integer' }>, body: Body): Flow {
  const from = Number(known(expression(frame, loop.from)) ?? NaN)
  const to = Number(known(expression(frame, loop.to)) ?? NaN)
  const counted = Number.isInteger(from) && Number.isInteger(to)
  const count = counted ? Math.min(MOST_TURNS, Math.max(0, to - from + 1)) : 1
  for (let index = 0; index < count; index++) {
    frame.variables.set(loop.variable, counted ? number(from + index) : SOMETHING)
    const { goesOn, flow } = turn(frame, loop.label, body)
    if (!goesOn) return left(frame, flow)
  }
  frame.variables.set('found', counted ? bool(count > 0) : UNKNOWN)
  return 'next'
}

/** A loop that had a turn leaves FOUND true (docs 43.5.5). */
function left(frame: Frame, flow: Flow): Flow {
  if (flow === 'next') frame.variables.set('found', TRUE)
  return flow
}

type RowLoop = Extract<PlStatement, { kind: 'for-query' | 'for-dynamic' | 'foreach' }>

/** FOR … IN a query. */
export function overRows(frame: Frame, run: Run, loop: RowLoop, rows: readonly RelationRow[], body: Body): Flow {
  return overElements(frame, loop, rows, body, ({ row }) => {
    const columns = [...row.fields.keys()]
    const [name = ''] = loop.variables
    const record = run.types.get(name) === undefined || holdsRows(run, name) || columns.length !== 1
    if (loop.variables.length === 1 && record) {
      frame.variables.set(name, row)
      return
    }
    for (const [index, variable] of loop.variables.entries()) {
      assign(frame, run, variable, row.fields.get(columns[index] ?? '') ?? UNKNOWN)
    }
  })
}

/** FOREACH … IN ARRAY. */
export function overArray(frame: Frame, run: Run, loop: Extract<PlStatement, { kind: 'foreach' }>, body: Body): Flow {
  const elements = alternatives(expression(frame, loop.array)).flatMap(elementsOf)
  return overElements(frame, loop, elements, body, ({ row }) =>
    assign(frame, run, loop.variables[0] ?? '', row.fields.get('')!),
  )
}

function elementsOf(value: Value): RelationRow[] {
  const one = (item: Value, sources: RelationRow['sources'] = []): RelationRow => {
    return { row: object(new Map([['', item]])), sources, certain: sources.length === 0 }
  }
  const items = value.kind === 'text' ? asArray(value) : value
  switch (items.kind) {
    case 'null':
      return []
    case 'list':
      return items.items.map((item) => one(item))
    case 'rows':
      return [one(items.element, items.sources)]
    case 'unknown':
      // A column that holds an array: its elements belong to that row.
      return [one(items, items.origin.kind === 'column' ? [items.origin.source] : [])]
    default:
      return [one(UNKNOWN)]
  }
}

function overElements(
  frame: Frame,
  loop: RowLoop,
  elements: readonly RelationRow[],
  body: Body,
  bind: (element: RelationRow) => void,
): Flow {
  for (const element of elements.slice(0, MOST_TURNS)) {
    if (element.sources.length > 0) {
      const flow = forAll(frame, loop, element, body, bind)
      if (flow !== 'next') return flow
      continue
    }
    bind(element)
    const { goesOn, flow } = turn(frame, loop.label, body)
    if (!goesOn) return left(frame, flow)
  }
  const known = elements.some((element) => element.certain && element.sources.length === 0)
  frame.variables.set('found', known ? TRUE : elements.length === 0 ? FALSE : UNKNOWN)
  return 'next'
}

/** One turn that stands for any number of them. */
function forAll(
  frame: Frame,
  loop: RowLoop,
  element: RelationRow,
  body: Body,
  bind: (element: RelationRow) => void,
): Flow {
  const before = new Map(frame.variables)
  bind(element)
  const { flow } = turn({ ...frame, rows: [...frame.rows, ...element.sources] }, loop.label, body)
  afterLoop(frame, before, element.sources)
  // A RETURN in the turn is no reason to stop: there may be no row.
  return flow === 'return' ? 'next' : flow
}
