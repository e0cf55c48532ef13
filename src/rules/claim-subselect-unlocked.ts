import { attemptTable, onAttempt } from './facts.js'
import type { Rule } from './rule.js'

export const claimSubselectUnlocked: Rule = {
  meta: {
    id: 'claim-subselect-unlocked',
    title: 'The UPDATE takes rows that a read without a lock found',
    severity: 'error',
    what: 'SQL finds free rows in a sub-select, a CTE or an earlier SELECT without FOR UPDATE, and then updates them by key; the UPDATE itself does not ask for the state again.',
    why: 'Two callers read the same ids. The second UPDATE waits for the first, and then PostgreSQL re-evaluates only the WHERE of the UPDATE on the new row version, not the sub-select that found it (PostgreSQL docs 13.2.1). `id IN (…)` is still true, so the second caller gets the same rows.',
    example: `update jobs set status = 'processing'
where id in (select id from jobs where status = 'pending' limit 10)
returning *;`,
    sound: `update jobs set status = 'processing'
where id in (
  select id from jobs where status = 'pending'
  order by id limit 10 for update skip locked
)
returning *;`,
    fix: 'Lock what the sub-select finds (FOR UPDATE SKIP LOCKED), or repeat the state in the WHERE of the UPDATE.',
    falsePositives: [
      'the role or the function runs under REPEATABLE READ or higher by a setting that is not in the migrations',
      'an advisory transaction lock is taken on the way in, in code that could not be followed',
    ],
    references: [
      'PostgreSQL docs 13.2.1, Read Committed Isolation Level',
      'PostgreSQL docs, SELECT: The Locking Clause (SKIP LOCKED)',
    ],
  },
  check: onAttempt(
    'claim-subselect-unlocked',
    (loop, attempt) =>
      `This UPDATE takes rows of ${attemptTable(loop, attempt)} that a read without a lock found, and does not test their state itself: two callers get the same rows.`,
  ),
}
