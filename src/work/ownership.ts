import { conjuncts, leavesPick } from '../claims/index.js'
import type { Change, ClaimKind, DispatchRows, SoundClaim } from '../model/index.js'
import { among, held, won, type Statement } from '../clients/statement.js'
import type { Machine } from '../typescript/index.js'
import type { WorkContext } from './context.js'
import type { Recorder, RowEvent } from './recorder.js'
import { judgeStatement, mentions, mentionsRows, stateConditions } from './soundness.js'
import { sourcesOf, type Driver } from './sources.js'

/** The rows of the request's body, by the number that stands for them in the analysis. */
export type BodyRows = ReadonlyMap<number, DispatchRows>

/**
 * By what the row of an effect is taken, on every path to it; null: by nothing that holds (domain 5.1).
 * Claims that this path has won are among its facts; rows that a claim gave back are taken as they are.
 */
export function ownerOf(
  event: RowEvent,
  driver: Driver,
  bodies: BodyRows,
  context: WorkContext,
  recorder: Recorder,
  machine: Machine,
): SoundClaim | null {
  for (const id of driver.related) {
    const statement = recorder.statements.get(id)
    if (!statement) continue
    const body = bodies.get(id)
    if (body?.taking?.soundness === 'sound') return claimOf('dispatcher-claim', statement, body.taking)
    if (body) continue
    const kind = givenBack(statement, event, context, recorder, machine)
    if (kind) return claimOf(kind, statement, null)
  }
  const later = laterChanges(event, recorder)
  for (const statement of recorder.statements.values()) {
    if (!statement.sent || statement.kind === 'select' || !event.facts.has(held(statement.id))) continue
    const answer = statement.answer?.kind
    if (statement.kind === 'call' && answer !== 'flag' && answer !== 'insert' && answer !== 'rows') continue
    const ofRow = mentions(statement, driver.related)
    if (!ofRow && mentionsRows(statement)) continue
    // A batch says that some row came back; this row is one of them only where the code has asked.
    const batch =
      statement.pins.some((pin) => pin.list) ||
      (!ofRow && statement.table === driver.source.table && statement.kind !== 'insert')
    if (!event.facts.has(batch ? among(statement.id) : won(statement.id))) continue
    if (!batch && statement.kind === 'call' && answer === 'rows' && !ofRow) continue
    const judged = judgeStatement(
      statement,
      { context, recorder, machine },
      driver.source.where,
      later(statement),
      ofRow || batch,
    )
    if (judged.kind === 'sound') return claimOf(batch ? 'batch-claim' : judged.claim, statement, null)
  }
  if (
    event.kind === 'effect' &&
    event.keyStable &&
    sourcesOf(event.keyTaints, recorder, false).some((id) => driver.related.has(id))
  )
    return { kind: 'idempotency-key', table: null, where: null, change: null, location: driver.source.location }
  return null
}

const claimOf = (kind: ClaimKind, statement: Statement, taking: DispatchRows['taking']): SoundClaim => ({
  kind,
  table: taking?.table ?? statement.table,
  where: taking?.where ?? statement.where,
  change: taking?.change ?? statement.change,
  location: taking?.location ?? statement.location,
})

/** Are these the rows that a sound claim gave back? */
function givenBack(
  statement: Statement,
  event: RowEvent,
  context: WorkContext,
  recorder: Recorder,
  machine: Machine,
): ClaimKind | null {
  if (!statement.sent) return null
  if (statement.kind === 'select') return readBack(statement, context, recorder, machine)
  if (!event.facts.has(held(statement.id))) return null
  if (statement.kind === 'call') {
    const answer = statement.answer
    if (answer?.kind !== 'rows') return null
    // Locked and returned unchanged: the lock lasts as long as the transaction that is open over the work.
    const open = [...statement.facts].find((fact) => fact.startsWith('x'))
    if (answer.taking.soundness === 'lock-only-claim' && open && event.facts.has(open)) return 'batch-claim'
    if (
      answer.taking.soundness === 'lock-only-claim' &&
      open &&
      movedUnderLock(statement, open, event, context, recorder)
    )
      return 'batch-claim'
    return answer.taking.soundness === 'sound' ? (statement.pins.length > 0 ? 'row-claim' : 'batch-claim') : null
  }
  if (statement.result === 'nothing' || statement.kind === 'insert') return null
  if (statement.kind === 'upsert' && statement.onConflict !== 'nothing') return null
  const judged = judgeStatement(statement, { context, recorder, machine }, null, [], true)
  if (judged.kind !== 'sound') return null
  return statement.pins.length === 0 || statement.pins.some((pin) => pin.list) ? 'batch-claim' : judged.claim
}

/**
 * Rows that were locked and, in the same transaction, moved out of what the lock was asked for: who comes after finds them
 * moved, as with a claim of one statement.
 */
function movedUnderLock(
  locked: Statement,
  transaction: string,
  event: RowEvent,
  context: WorkContext,
  recorder: Recorder,
): boolean {
  for (const write of recorder.statements.values()) {
    if (!write.sent || write.table !== locked.table || write.table === null || write.change === null) continue
    if (!write.facts.has(transaction) || !event.facts.has(held(write.id)) || write.id === locked.id) continue
    if (!mentions(write, new Set([locked.id]))) continue
    // All the rows, or the one that there is.
    if (!write.pins.some((pin) => pin.list) && locked.limit !== 1) continue
    const known = conjuncts(locked.where).map((term) => JSON.stringify(term))
    const more = stateConditions(write, context.table(write.table))
    if (!more.every((term) => known.includes(JSON.stringify(term)))) continue
    if (leavesPick(locked.where, write.change) === 'yes') return true
  }
  return false
}

/**
 * Rows that are read back: by the token that a sound claim of this run wrote into them (domain 5.4 S16), or by their keys,
 * each of which was put into a list once its row was won.
 */
function readBack(statement: Statement, context: WorkContext, recorder: Recorder, machine: Machine): ClaimKind | null {
  for (const claim of recorder.statements.values()) {
    if (claim.kind !== 'update' || claim.table !== statement.table || !claim.sent) continue
    const token = statement.pins.some(
      (pin) => !pin.list && claim.inserted.get(pin.column) === pin.value && machine.taints(pin.value).has('fresh'),
    )
    const keys = statement.keys.some(
      ({ of, facts }) =>
        (of === claim.id || mentions(claim, new Set([of]))) &&
        (facts.includes(won(claim.id)) || facts.includes(among(claim.id))) &&
        !recorder.undone.has(claim.id) &&
        !claim.pins.some((pin) => pin.list),
    )
    if (!token && !keys) continue
    const judged = judgeStatement(claim, { context, recorder, machine }, null, [], true)
    if (judged.kind === 'sound')
      return claim.pins.length > 0 && !claim.pins.some((pin) => pin.list) ? 'row-claim' : 'batch-claim'
  }
  return null
}

/** What the same work writes to a claim's table once the effect has been made. */
function laterChanges(event: RowEvent, recorder: Recorder): (claim: Statement) => Change[] {
  const at = recorder.events.indexOf(event)
  return (claim) =>
    recorder.events
      .slice(at + 1)
      .flatMap((other) =>
        other.kind === 'statement' &&
        other.statement.kind === 'update' &&
        other.statement.table === claim.table &&
        other.statement.change &&
        mentionsRows(other.statement)
          ? [other.statement.change]
          : [],
      )
}
