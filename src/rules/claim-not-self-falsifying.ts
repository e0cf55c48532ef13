import { attemptTable, conditionText, onAttempt } from './facts.js'
import type { Rule } from './rule.js'

export const claimNotSelfFalsifying: Rule = {
  meta: {
    id: 'claim-not-self-falsifying',
    title: 'The claim leaves its own condition true',
    severity: 'error',
    what: 'An update before the work has a condition beside the key, but what it sets leaves that condition true: a second update matches the row again.',
    why: 'Under READ COMMITTED the second UPDATE waits for the first one and then tests its own WHERE on the new version of the row (PostgreSQL docs 13.2.1). If SET did not make the WHERE false, the row still qualifies, it is updated a second time, and both callers get it back.',
    example: `.update({ status: 'processing' })
.eq('id', job.id)
.in('status', ['pending', 'processing'])   // still true afterwards`,
    sound: `.update({ status: 'processing' })
.eq('id', job.id)
.eq('status', 'pending')                   // false as soon as one run has set it`,
    fix: 'Test the column that you set, for a value that it no longer has afterwards. To re-admit rows whose worker died, add an age: processing AND claimed_at older than a run can last.',
    falsePositives: ['a BEFORE UPDATE trigger that is not in the migrations moves a tested column'],
    references: ['PostgreSQL docs 13.2.1, Read Committed Isolation Level'],
  },
  check: onAttempt(
    'claim-not-self-falsifying',
    (loop, attempt) =>
      `The update of ${attemptTable(loop, attempt)}${conditionText(attempt.where)} leaves that condition true, so the second run's update matches the row as well.`,
  ),
}
