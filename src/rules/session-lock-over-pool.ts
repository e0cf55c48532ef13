import { effectsText, onAttempt } from './facts.js'
import type { Rule } from './rule.js'

export const sessionLockOverPool: Rule = {
  meta: {
    id: 'session-lock-over-pool',
    title: 'An advisory lock is taken on a connection that is gone by the next line',
    severity: 'error',
    what: 'The run is guarded by a PostgreSQL advisory lock that is taken through an RPC or a transaction pooler, and the work happens afterwards.',
    why: 'PostgREST and a transaction pooler give a connection back when the request ends. A transaction lock (pg_advisory_xact_lock) ends with the request. A session lock stays on some pooled connection: the next run may be given that very connection, where the lock is granted again because it is re-entrant, or another one, where it is refused for as long as that connection lives and the tick silently stops.',
    example: `const { data: locked } = await supabase.rpc('try_lock')   // select pg_try_advisory_lock(1)
if (!locked) return new Response('busy')
await sendAll()`,
    sound: `const { data: claimed } = await supabase.from('jobs')
  .update({ status: 'processing' })
  .eq('id', job.id).eq('status', 'pending')
  .select('id').maybeSingle()
if (!claimed) continue`,
    fix: 'Take the rows instead of the run. Where only one run may go on, take a lock row with one conditional update that also lets a stale lock be taken over. An advisory lock holds only within one SQL function, or on a direct connection (port 5432) that is kept for the whole run.',
    falsePositives: ['the connection is a reserved, direct one behind a client that could not be recognised'],
    references: [
      'PostgreSQL docs 13.3.5, Advisory Locks',
      'PostgREST docs, Connection Pool and Transactions',
      'PgBouncer features: session-level advisory locks do not work in transaction pooling',
    ],
  },
  check: onAttempt(
    'session-lock-over-pool',
    (loop) =>
      `The advisory lock taken here does not span ${effectsText(loop)}: the connection it belongs to goes back to the pool when the call returns.`,
  ),
}
