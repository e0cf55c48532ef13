import { columnsOf, disjoint, leavesPick } from '../claims/index.js'
import type { ClaimAttempt, Mark, RowSource } from '../model/index.js'
import { among, asked, held, tested, won, type Statement } from '../clients/statement.js'
import type { Machine } from '../typescript/index.js'
import type { WorkContext } from './context.js'
import { placeInFile, type Body } from './places.js'
import type { EffectEvent, Recorder } from './recorder.js'
import { changeOfRecord, isRecord, keyOfRecord } from './records.js'
import { coverage, judgeStatement, mentions, mentionsRows, stateConditions } from './soundness.js'
import type { Driver } from './sources.js'

/** Everything that the naming of a finding needs to know of one loop whose effect is not owned. */
export interface Story {
  readonly driver: Driver
  readonly source: RowSource
  readonly effect: EffectEvent
  readonly body: Body
  /** Statements that came before the effect, and after it, in control-flow order. */
  readonly before: readonly Statement[]
  readonly after: readonly Statement[]
  readonly marks: readonly Mark[]
}

/** What looks like a claim or a lock before the effect, and why it does not hold. */
export function attemptsOf(story: Story, context: WorkContext, recorder: Recorder, machine: Machine): ClaimAttempt[] {
  const { driver, before, effect } = story
  const attempts: ClaimAttempt[] = []
  /** Made within another function that is called; the loop's own attempts are nearer. */
  const elsewhere = new Set<ClaimAttempt>()
  const add = (statement: Statement, flaw: ClaimAttempt['flaw'], reason?: string) => {
    const taking =
      statement.answer?.kind === 'rows' || statement.answer?.kind === 'flag' ? statement.answer.taking : null
    const inSql = taking !== null && (flaw === 'claim-subselect-unlocked' || flaw === 'lock-only-claim')
    const attempt: ClaimAttempt = {
      flaw,
      location: inSql ? taking.location : placeInFile(story.body, statement.site),
      table: statement.table,
      where: statement.where,
      change: changeOfRecord(statement, driver),
      key: keyOfRecord(statement, statement.table === null ? null : context.table(statement.table), machine),
      reason: reason ? { message: reason, location: statement.location } : null,
    }
    attempts.push(attempt)
    if (statement.site.calls.some((call) => recorder.boundaries.has(call.target))) elsewhere.add(attempt)
  }
  const leaves = story.marks.some((mark) => mark.leavesPick === 'yes' && mark.kind !== 'insert')
  // The rows themselves come from something that takes them, or seems to.
  if (driver.source.kind !== 'select' && story.source.kind === 'claim') {
    const judged = judgeStatement(driver.source, { context, recorder, machine }, null, [], true)
    if (judged.kind === 'flawed') {
      const moved = judged.flaw === 'lock-only-claim' && before.some((each) => movesLocked(each, driver.source))
      if (moved) add(driver.source, 'unproven', 'whether every row that is locked is also moved on is not known')
      else add(driver.source, judged.flaw, judged.reason)
    }
  }
  for (const statement of before) {
    if (statement.id === driver.source.id) continue
    // Put back before the work: it was a claim no more.
    if (recorder.undone.has(statement.id) && !effect.facts.has(held(statement.id))) continue
    const ofRow = mentions(statement, driver.related)
    if (!statement.sent) {
      if (ofRow && statement.kind !== 'insert') add(statement, 'builder-not-awaited')
      continue
    }
    switch (statement.kind) {
      case 'update':
      case 'delete': {
        if (statement.table !== story.source.table || (!ofRow && statement.pins.length > 0)) break
        const table = statement.table === null ? null : context.table(statement.table)
        const conditions = stateConditions(statement, table)
        if (!ofRow && conditions.length === 0) break
        // Rows that this loop does not pick: a sweep of those that are too old, say.
        if (!ofRow && disjoint(statement.where, story.source.where)) break
        const moves = movesOut(statement, story.source)
        const judged = judgeStatement(
          statement,
          { context, recorder, machine },
          story.source.where,
          changesAfter(story),
          true,
        )
        if (judged.kind === 'sound') {
          const batch = statement.pins.length === 0 || statement.pins.some((pin) => pin.list)
          if (!effect.facts.has(batch ? among(statement.id) : won(statement.id))) add(statement, 'unchecked-claim')
        } else if (judged.flaw === 'unconditional-claim') {
          if (moves) add(statement, judged.flaw)
        } else if (judged.flaw !== 'unproven' || moves) add(statement, judged.flaw, judged.reason)
        break
      }
      case 'insert':
      case 'upsert': {
        if (!mentions(statement, driver.own) || !isRecord(statement, machine)) break
        const checked = effect.facts.has(won(statement.id))
        const judged = judgeStatement(statement, { context, recorder, machine }, null, [], true)
        if (judged.kind === 'sound') {
          if (!checked) add(statement, statement.kind === 'upsert' ? 'upsert-as-claim' : 'insert-claim-error-ignored')
        } else if (judged.flaw === 'unproven') {
          if (checked) add(statement, 'unproven', judged.reason)
        } else if (judged.flaw === 'upsert-as-claim') {
          const known = statement.table === null ? null : context.table(statement.table)
          if (!leaves && (known === null || coverage(statement, known, { context, recorder, machine }) === 'yes'))
            add(statement, judged.flaw)
        } else if (checked && !leaves) add(statement, judged.flaw)
        break
      }
      case 'call': {
        const answer = statement.answer
        if (!answer) break
        if (answer.kind === 'lock') {
          // Ignored answers lock nothing, and neither does a lock that is granted.
          add(statement, 'session-lock-over-pool')
          break
        }
        if (answer.kind === 'unknown') {
          if (ofRow && effect.facts.has(won(statement.id))) add(statement, 'unproven', answer.reason)
          break
        }
        if ((answer.kind !== 'flag' && answer.kind !== 'rows') || (!ofRow && !effect.facts.has(won(statement.id))))
          break
        if (!ofRow && answer.kind === 'rows') break
        const judged = judgeStatement(statement, { context, recorder, machine }, story.source.where, [], true)
        if (judged.kind === 'flawed') {
          // A routine that counts or stamps the row by its key is no claim, unless it moves the row out of the pick.
          if (judged.flaw !== 'unconditional-claim' || movesOut(statement, story.source))
            add(statement, judged.flaw, judged.reason)
        } else {
          const batch = statement.pins.some((pin) => pin.list)
          if (!effect.facts.has(batch ? among(statement.id) : won(statement.id))) add(statement, 'unchecked-claim')
        }
        break
      }
      case 'select':
        break
    }
  }
  const own = attempts.filter((attempt) => !elsewhere.has(attempt))
  const nearest = own.length > 0 ? own : attempts
  return [...nearest, ...moduleLocks(story, recorder), ...runLocks(story, recorder), ...checks(story, recorder)]
}

/** Does a write, row by row in the transaction of the lock, move locked rows out of what the lock was asked for? */
const movesLocked = (write: Statement, locked: Statement): boolean =>
  write.sent &&
  write.table === locked.table &&
  write.change !== null &&
  write.site.loops.length > locked.site.loops.length &&
  [...locked.facts].some((fact) => fact.startsWith('x') && write.facts.has(fact)) &&
  mentions(write, new Set([locked.id])) &&
  leavesPick(locked.where, write.change) === 'yes'

const changesAfter = (story: Story) =>
  story.after.flatMap((statement) =>
    statement.change && statement.table === story.source.table ? [statement.change] : [],
  )

/** Does the write move the row out of what the loop picks, as far as can be told? */
export function movesOut(statement: Statement, source: RowSource): boolean {
  if (statement.change === null) return false
  if (source.where !== null && leavesPick(source.where, statement.change) !== 'no') return true
  if (source.where === null && source.columns.length === 0) return source.kind !== 'select'
  if (statement.change.kind === 'delete') return true
  // A column by which the code (not the query) chooses rows.
  const queried = columnsOf(source.where)
  return statement.change.assignments.some(
    (each) => source.columns.includes(each.column) && !queried.includes(each.column),
  )
}

/** `if (busy) return; busy = true`: a variable of the module (domain 4.2 in-memory-lock). */
function moduleLocks(story: Story, recorder: Recorder): ClaimAttempt[] {
  const attempts: ClaimAttempt[] = []
  for (const [taint, site] of recorder.moduleTests)
    if (story.effect.facts.has(`m${taint}`) && story.effect.facts.has(`s${taint}`))
      attempts.push({
        flaw: 'in-memory-lock',
        location: placeInFile(story.body, site),
        table: null,
        where: null,
        change: null,
        reason: null,
      })
  return attempts
}

/** A lock of the run that is read first and written after, with nothing that makes the two one (domain 4.2). */
function runLocks(story: Story, recorder: Recorder): ClaimAttempt[] {
  const attempts: ClaimAttempt[] = []
  const own = story.before.filter((each) => !each.site.calls.some((call) => recorder.boundaries.has(call.target)))
  for (const read of own) {
    if (read.kind !== 'select' || read.table === null || read.table === story.source.table || mentionsRows(read))
      continue
    if (!story.effect.facts.has(tested(read.id))) continue
    const order = own.indexOf(read)
    const write = own.find(
      (statement, index) =>
        index > order &&
        statement.table === read.table &&
        ['update', 'insert', 'upsert'].includes(statement.kind) &&
        !mentions(statement, story.driver.related) &&
        setsWhatIsRead(statement, read, recorder),
    )
    if (write)
      attempts.push({
        flaw: 'single-flight-not-atomic',
        location: placeInFile(story.body, read.site),
        table: read.table,
        where: read.where,
        change: write.change,
        reason: null,
      })
  }
  return attempts
}

/** Does the write change what the read asks for? An insert makes a row that the read would find. */
function setsWhatIsRead(write: Statement, read: Statement, recorder: Recorder): boolean {
  if (write.kind !== 'update') return true
  const asked = new Set([...columnsOf(read.where), ...(recorder.testedColumns.get(read.id) ?? [])])
  return write.change?.kind === 'set' && write.change.assignments.some((each) => asked.has(each.column))
}

/** "Already done?", the work, the record: a read that decides, and a write of the same table after the effect. */
function checks(story: Story, recorder: Recorder): ClaimAttempt[] {
  // A mark on the row itself is what was meant to keep it from being done again.
  if (story.marks.some((mark) => mark.table === story.source.table && mark.leavesPick !== 'no')) return []
  for (const read of story.before) {
    const isRead = read.kind === 'select' || (read.kind === 'call' && read.answer?.kind === 'read')
    const table = read.answer?.kind === 'read' ? read.answer.pick.table : read.table
    if (!isRead || table === null || table === story.source.table || read.id === story.driver.source.id) continue
    const record = story.after.find(
      (statement) =>
        mentions(statement, story.driver.related) &&
        ((statement.table === table && statement.kind !== 'select' && statement.kind !== 'call') ||
          statement.writes.some((write) => write.table === table)) &&
        saysNotDone(read, statement, story, recorder),
    )
    if (!record) continue
    return [
      {
        flaw: 'check-then-act',
        location: placeInFile(story.body, read.site),
        table,
        where: read.where,
        change: null,
        reason: null,
      },
    ]
  }
  return []
}

/** Does the way to the effect lead through "there is no such record", or through a column that the record then changes? */
function saysNotDone(read: Statement, record: Statement, story: Story, recorder: Recorder): boolean {
  const { facts } = story.effect
  const absent = facts.has(`!${won(read.id)}`) || facts.has(`!${among(read.id)}`) || facts.has(asked(read.id))
  if (absent) return record.kind !== 'delete'
  if (!facts.has(tested(read.id))) return false
  const columns = recorder.testedColumns.get(read.id) ?? new Set<string>()
  return [...record.inserted.keys()].some((column) => columns.has(column))
}
