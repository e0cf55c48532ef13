import { attemptTable, effectsText, onAttempt } from './facts.js'
import type { Rule } from './rule.js'

export const lockOnlyClaim: Rule = {
  meta: {
    id: 'lock-only-claim',
    title: 'The rows are locked and handed out, but not changed',
    severity: 'error',
    what: 'An SQL function selects rows FOR UPDATE, usually SKIP LOCKED, and returns them without changing them.',
    why: 'A row lock lives until the transaction ends, and PostgREST runs each RPC in a transaction of its own: the locks are gone before the caller reads the first row. Nothing in the row says that it is taken, so the next call returns it again.',
    example: `return query
  select * from jobs where status = 'pending'
  limit 20 for update skip locked;`,
    sound: `return query
  update jobs set status = 'processing'
  where id in (
    select id from jobs where status = 'pending'
    limit 20 for update skip locked
  )
  returning *;`,
    fix: 'Turn the SELECT into UPDATE … RETURNING over the locked rows, in the same statement.',
    falsePositives: ['the function is called inside an open transaction on one connection that also spans the work'],
    references: [
      'PostgREST docs, Transactions: each request is one transaction',
      'PostgreSQL docs 13.3.2, Row-Level Locks',
    ],
  },
  check: onAttempt(
    'lock-only-claim',
    (loop, attempt) =>
      `This SELECT locks rows of ${attemptTable(loop, attempt)} only until the call returns and changes nothing in them: by the time of ${effectsText(loop)} the next call is handed the same rows.`,
  ),
}
