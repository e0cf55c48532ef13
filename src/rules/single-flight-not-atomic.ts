import { attemptTable, effectsFollow, onAttempt } from './facts.js'
import type { Rule } from './rule.js'

export const singleFlightNotAtomic: Rule = {
  meta: {
    id: 'single-flight-not-atomic',
    title: 'The run lock is read first and written after',
    severity: 'error',
    what: 'A row says whether a run is going on. The run reads it, and when it is free writes it in a second statement.',
    why: 'Two runs can both read "free" before either has written: reading and writing are two requests, and nothing in the second asks whether the first still holds.',
    example: `const { data: lock } = await supabase.from('locks').select('locked_at').eq('name', 'mail').single()
if (lock.locked_at) return new Response('busy')
await supabase.from('locks').update({ locked_at: now }).eq('name', 'mail')
await sendAll()`,
    sound: `const { data: lock } = await supabase.from('locks')
  .update({ locked_at: now })
  .eq('name', 'mail')
  .or(\`locked_at.is.null,locked_at.lt.\${staleBefore}\`)
  .select('name').maybeSingle()
if (!lock) return new Response('busy')
await sendAll()`,
    fix: 'Take the lock with one conditional update that also lets a lock be taken over that is older than a run can last, and test whether a row came back. Taking each row is better still: it holds for every entrance of the function.',
    falsePositives: ['a unique index that is not in the migrations refuses the second write'],
    references: ['PostgreSQL docs 13.2.1, Read Committed Isolation Level'],
  },
  check: onAttempt(
    'single-flight-not-atomic',
    (loop, attempt) =>
      `Whether a run is going on is read from ${attempt.table === null ? 'a lock row' : attemptTable(loop, attempt)} here and written in a later statement: two runs can both find it free, and ${effectsFollow(loop)} in both.`,
  ),
}
