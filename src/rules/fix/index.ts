import type { Change, ClaimAttempt, Fix, Predicate, WorkLoop } from '../../model/index.js'
import { claimFor, type TriedClaim } from './claim.js'
import { ledgerFirst, newLedger, uniqueKey, upsertThatTells } from './ledger.js'
import { batchClaimInSql, fanoutInSql, rowClaimInSql } from './sql.js'
import { claimSteps, recordSteps } from './steps.js'
import { claimInTypeScript, namesOf } from './typescript.js'

/** A fix, and the claim that its code prints, so that the algebra can be asked whether it takes the row. */
export interface WrittenFix {
  readonly fix: Fix
  /** Null: the fix is a record under a unique key, which the index decides. */
  readonly claim: { readonly table: string; readonly where: Predicate; readonly change: Change } | null
}

/**
 * The repair of one loop, written out for its table, its key and its states. `sibling`: how another function of the project
 * takes rows of the same table.
 */
export function writeFix(
  loop: WorkLoop,
  ruleId: string,
  attempt: ClaimAttempt | null,
  sibling: TriedClaim | null = null,
): WrittenFix {
  return recordFix(loop, ruleId, attempt) ?? rowFix(loop, ruleId, attempt, sibling) ?? ledgerFix(loop)
}

/** Where a record of the effect exists already, the repair is to write it first and to let its key decide. */
function recordFix(loop: WorkLoop, ruleId: string, attempt: ClaimAttempt | null): WrittenFix | null {
  switch (ruleId) {
    case 'insert-claim-without-unique': {
      const code = attempt === null ? null : uniqueKey(attempt)
      const first =
        'Add the unique key over the columns that say what one effect is, after removing duplicates that exist.'
      return { fix: { steps: recordSteps(loop, first), code, language: code === null ? null : 'sql' }, claim: null }
    }
    case 'insert-claim-error-ignored': {
      if (attempt === null || attempt.table === null) return null
      const first = 'Leave when the insert fails: a duplicate (23505) means that another run has the row.'
      return typescript(recordSteps(loop, first), ledgerFirst(loop, attempt.table, attempt, true))
    }
    case 'upsert-as-claim': {
      if (attempt === null || attempt.table === null) return null
      const first = 'Insert without merging, ask which rows were inserted, and leave when there is none.'
      return typescript(recordSteps(loop, first), upsertThatTells(loop, attempt))
    }
    case 'check-then-act':
    case 'effect-before-claim': {
      const records = loop.marks.filter((mark) => mark.kind === 'insert' && mark.table !== loop.source.table)
      const record = records.find((mark) => mark.table === attempt?.table) ?? records[0]
      const onlyRecord = loop.marks.every((mark) => mark.kind === 'insert')
      if (record === undefined || (ruleId === 'effect-before-claim' && !onlyRecord)) return null
      const first = 'Write the record before the effect, under a unique key, and leave when the insert fails.'
      return typescript(recordSteps(loop, first), ledgerFirst(loop, record.table, record, false))
    }
    default:
      return null
  }
}

function rowFix(
  loop: WorkLoop,
  ruleId: string,
  attempt: ClaimAttempt | null,
  sibling: TriedClaim | null,
): WrittenFix | null {
  const table = loop.source.table ?? attempt?.table ?? null
  const claim = table === null ? null : claimFor(loop, attempt, sibling)
  if (table === null || claim === null) return null
  const key = loop.source.key ?? 'id'
  const printed = { table, where: claim.where, change: claim.change }
  if (ruleId === 'sql-fanout-unclaimed') {
    return sql(claimSteps(loop, claim, 'fanout'), fanoutInSql(table, key, claim, loop.source, loop.function), printed)
  }
  if (ruleId === 'claim-subselect-unlocked' || ruleId === 'lock-only-claim') {
    return takesBatch(loop, attempt)
      ? sql(claimSteps(loop, claim, 'routine'), `${batchClaimInSql(table, key, claim, loop.source)};`, printed)
      : sql(claimSteps(loop, claim, 'loop'), rowClaimInSql(table, key, claim), printed)
  }
  return {
    ...typescript(claimSteps(loop, claim, 'loop'), claimInTypeScript(table, claim, namesOf(loop))),
    claim: printed,
  }
}

/** Does the SQL hand out the rows of the loop, rather than answer for one that was picked before? */
function takesBatch(loop: WorkLoop, attempt: ClaimAttempt | null): boolean {
  return loop.source.kind !== 'select' || attempt?.flaw === 'lock-only-claim'
}

function ledgerFix(loop: WorkLoop): WrittenFix {
  const first =
    'Nothing in the row says that its work is begun: keep a ledger with a unique key (row, period), insert before the effect, and leave when the insert fails.'
  return typescript(recordSteps(loop, first), newLedger(loop))
}

function typescript(steps: readonly string[], code: string): WrittenFix {
  return { fix: { steps, code, language: 'ts' }, claim: null }
}

function sql(steps: readonly string[], code: string, claim: NonNullable<WrittenFix['claim']>): WrittenFix {
  return { fix: { steps, code, language: 'sql' }, claim }
}
