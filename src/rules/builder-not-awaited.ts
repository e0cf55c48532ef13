import { attemptTable, effectsText, onAttempt } from './facts.js'
import type { Rule } from './rule.js'

export const builderNotAwaited: Rule = {
  meta: {
    id: 'builder-not-awaited',
    title: 'The claim is built and never sent',
    severity: 'error',
    what: 'A supabase-js query that would take the row stands as a statement of its own, without await, then or return.',
    why: 'A supabase-js builder is lazy: it sends its request when something calls `.then()`, which `await` does. Without it there is no request at all. The row is never taken, not even late.',
    example: `supabase.from('jobs').update({ status: 'processing' }).eq('id', job.id)
await send(job)`,
    sound: `const { data: claimed } = await supabase.from('jobs')
  .update({ status: 'processing' })
  .eq('id', job.id).eq('status', 'pending')
  .select('id').maybeSingle()
if (!claimed) continue
await send(job)`,
    fix: 'Await it, and test what comes back: awaiting alone makes the claim happen, not hold.',
    falsePositives: ['the builder is handed to a helper that calls then and could not be opened'],
    references: ['supabase-js, PostgrestBuilder: the fetch is made inside then()'],
  },
  check: onAttempt(
    'builder-not-awaited',
    (loop, attempt) =>
      `This query of ${attemptTable(loop, attempt)} is built but never awaited, so no request is sent and the work (${effectsText(loop)}) is done on a row that nobody took.`,
  ),
}
