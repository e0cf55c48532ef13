import { columnsOf, conjuncts, isTimeBound, leavesPick } from '../claims/index.js'
import type { DispatchRows, RowSource, Table } from '../model/index.js'
import { isOneRow, statementOf, type Statement } from '../clients/statement.js'
import { isResult } from '../clients/results.js'
import type { LoopFrame, Site, Taints } from '../typescript/index.js'
import type { WorkContext } from './context.js'
import { nameOfRow } from './names.js'
import type { BodyRows } from './ownership.js'
import type { Recorder, RowEvent } from './recorder.js'
import { tableOfStatement } from './send.js'

/** Which rows drive an effect: the statement that gave them, and the loop that walks over them. */
export interface Driver {
  readonly source: Statement
  /** The outermost loop over its rows; null: one row, without a loop. */
  readonly frame: LoopFrame | null
  /** Every statement whose rows the effect is about: those of the loops around and of its arguments. */
  readonly related: ReadonlySet<number>
  /** Of those, the ones that the loops around walk over, and the source. */
  readonly own: ReadonlySet<number>
}

/** The statements that a value's rows come from; `many` also where it is made of many of them. */
export function sourcesOf(taints: Taints, recorder: Recorder, many: boolean): number[] {
  const ids: number[] = []
  for (const taint of taints) {
    const found = statementOf(taint)
    if (found && (many || !found.many) && recorder.statements.has(found.id)) ids.push(found.id)
  }
  return ids
}

/** With the statements from whose rows those were looked up. */
export function closure(ids: Iterable<number>, recorder: Recorder, many = true): Set<number> {
  const all = new Set<number>()
  const queue = [...ids]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (all.has(id)) continue
    all.add(id)
    const statement = recorder.statements.get(id)
    if (statement) queue.push(...sourcesOf(statement.taints, recorder, many))
  }
  return all
}

export const givesRows = (statement: Statement): boolean =>
  statement.kind === 'select' ||
  statement.result === 'rows' ||
  statement.answer !== null ||
  statement.result === 'maybe-one' ||
  statement.result === 'one'

/** What drives an effect (or a call that could not be followed); null: no row does. */
export function driverOf(event: RowEvent, recorder: Recorder, bodies: BodyRows): Driver | null {
  // Loops and picks within another function that was called are that function's own (its verdict speaks of them).
  const boundary = event.site.calls.findIndex((call) => recorder.boundaries.has(call.target))
  const outside = (id: number): boolean =>
    !recorder.statements.get(id)!.site.calls.some((call) => recorder.boundaries.has(call.target))
  const all = event.site.loops.map((frame, index) => ({
    frame,
    ids: sourcesOf(event.walked[index] ?? new Set(), recorder, true),
  }))
  const frames = all
    .filter(({ frame }) => boundary < 0 || frame.depth <= boundary)
    .map(({ frame, ids }) => ({ frame, ids: ids.filter(outside) }))
  const walked = frames
    .map(({ frame, ids }) => ({ frame, ids: ids.filter((id) => !isLookUp(recorder.statements.get(id)!)) }))
    .filter((each) => each.ids.length > 0)
  const direct = sourcesOf(event.taints, recorder, false)
  const own = boundary < 0 ? direct : [...closure(direct, recorder, false)].filter(outside)
  const related = closure([...all.flatMap((each) => each.ids), ...direct], recorder)
  const driver = (id: number, frame: LoopFrame | null): Driver => ({
    source: recorder.statements.get(id)!,
    frame,
    related,
    own: new Set([id, ...walked.flatMap((each) => each.ids)]),
  })
  // Rows that are picked one at a time within the innermost loop drive it more closely than that loop.
  const innermost = walked[walked.length - 1]
  const inner = own
    .map((id) => recorder.statements.get(id)!)
    .filter(
      (statement) =>
        isWork(statement, recorder) &&
        (!innermost || statement.site.loops.some((frame) => frame.id === innermost.frame.id)),
    )
  if (innermost && !(inner.length > 0 && !innermost.ids.some((id) => own.includes(id)))) {
    const chosen = closest(walked, recorder)
    const id = basis(chosen.ids, recorder)
    const outermost = walked.find((each) => each.ids.includes(id))!
    return driver(id, outermost.frame)
  }
  // An index loop, or one that takes a row a turn: the loop around the effect that the row was not picked outside of.
  const pool = frames.filter((each) => each.ids.length === 0).at(-1)?.frame ?? null
  const single = inner.filter((each) => pool !== null || isOneRow(each) || isTakenOut(each, recorder)).at(-1)
  if (single) return driver(single.id, pool)
  // One request for one row: what is looked up by its key is that row's work.
  const sent = [...related].find((id) => bodies.has(id))
  return sent === undefined ? null : driver(sent, null)
}

interface Walked {
  readonly frame: LoopFrame
  readonly ids: readonly number[]
}

/**
 * Of nested loops over rows, the one whose rows are the work: the innermost whose rows are taken, or picked by a state and
 * written back; else the innermost whose rows are written back at all (an address that is deleted when it fails); else
 * the innermost whose rows a state or the time picks; else the innermost. The subscribers of a due campaign are no work of
 * their own, the requests of a tenant are.
 */
function closest(walked: readonly Walked[], recorder: Recorder): Walked {
  const inwards = [...walked].reverse()
  const some = (test: (statement: Statement) => boolean) =>
    inwards.find((each) => each.ids.some((id) => test(recorder.statements.get(id)!)))
  const picked = (statement: Statement): boolean => isPickedByState(statement) || recorder.timeTested.has(statement.id)
  const taken = (statement: Statement): boolean => statement.kind !== 'select'
  return (
    some((statement) => taken(statement) || (picked(statement) && isWrittenBack(statement, recorder))) ??
    some((statement) => isWrittenBack(statement, recorder)) ??
    some(picked) ??
    inwards[0]!
  )
}

/** Conditions other than "those of this one". */
const isPickedByState = (statement: Statement): boolean =>
  conjuncts(statement.where).some(
    (term) => !statement.pins.some((pin) => 'column' in term && pin.column === term.column),
  )

/** Of several sources of one item, the one that the others were looked up from. */
function basis(ids: readonly number[], recorder: Recorder): number {
  return (
    ids.find(
      (id) =>
        !ids.some(
          (other) =>
            other !== id &&
            closure(sourcesOf(recorder.statements.get(id)!.taints, recorder, true), recorder).has(other),
        ),
    ) ?? ids[0]!
  )
}

/**
 * Is a row that was picked outside of any loop work, rather than a look-up (a setting, the user of a job)? A claim is;
 * a pick by a state is where the code writes the row back; a look-up by a value that the program has is not.
 */
function isWork(statement: Statement, recorder: Recorder): boolean {
  if (statement.kind !== 'select' && !(statement.kind === 'call' && statement.answer?.kind === 'read')) return true
  return statement.pins.length === 0 && isWrittenBack(statement, recorder)
}

/**
 * One effect for many rows, such as a digest, is their work where they leave the pick for it. One prompt a run about a list
 * that stays as it is, is not: nothing is there to be taken.
 */
function isTakenOut(statement: Statement, recorder: Recorder): boolean {
  if (statement.kind !== 'select') return true
  if (isTimeBound(statement.where) || recorder.timeTested.has(statement.id)) return isWrittenBack(statement, recorder)
  for (const other of writesBack(statement, recorder))
    if (other.change && leavesPick(statement.where, other.change) === 'yes') return true
  return false
}

/** One row that is read by its key, such as a setting: a loop over parts of it works on no rows. */
const isLookUp = (statement: Statement): boolean =>
  statement.kind === 'select' && isOneRow(statement) && statement.pins.length > 0

/** Does the code write to the table of a statement's rows, at one of those rows? */
const isWrittenBack = (statement: Statement, recorder: Recorder): boolean =>
  !writesBack(statement, recorder).next().done

function* writesBack(statement: Statement, recorder: Recorder): Generator<Statement> {
  const table = tableOfStatement(statement)
  for (const other of recorder.statements.values()) {
    if (other.id === statement.id || (other.kind !== 'update' && other.kind !== 'delete')) continue
    if (other.table === table && sourcesOf(other.taints, recorder, true).includes(statement.id)) yield other
  }
}

/** The rows of a driver, as the rules see them; `effect`: where they are worked on. */
export function rowSourceOf(
  driver: Driver,
  context: WorkContext,
  recorder: Recorder,
  body: DispatchRows | null,
  effect: Site,
): RowSource {
  const { source } = driver
  const table = tableOfStatement(source)
  const known = table === null ? null : context.table(table)
  const tested = recorder.testedColumns.get(source.id) ?? new Set<string>()
  const answer = source.answer
  const unknownAnswer = source.kind === 'call' && answer?.kind === 'unknown'
  return {
    kind: body
      ? 'body'
      : source.kind === 'select' || answer?.kind === 'read'
        ? 'select'
        : unknownAnswer
          ? 'unknown'
          : 'claim',
    table,
    where: source.where,
    limit: source.limit,
    location: source.location,
    timeBound: isTimeBound(source.where) || recorder.timeTested.has(source.id),
    columns: [...new Set([...columnsOf(source.where), ...tested])],
    key: keyOf(source, known, recorder),
    rowName: nameOfRow(driver, effect),
    clientName: source.clientName,
    reason: unknownAnswer ? { message: answer.reason, location: answer.location ?? source.location } : null,
  }
}

/** The column that names one row: the primary key, or the column by which the code writes the row back. */
function keyOf(source: Statement, table: Table | null, recorder: Recorder): string | null {
  const primary = table?.keys.find((key) => key.primary && key.columns.length === 1)?.columns[0]
  if (primary) return primary
  for (const other of recorder.statements.values()) {
    if (other.kind !== 'update' && other.kind !== 'delete') continue
    for (const pin of other.pins)
      if (pin.value.kind === 'foreign' && isResult(pin.value) && pin.value.data.statement === source.id)
        return pin.column
  }
  return null
}
