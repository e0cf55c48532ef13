import { attemptTable, conditionText, effectsFollow, onAttempt } from './facts.js'
import type { Rule } from './rule.js'

export const uncheckedClaim: Rule = {
  meta: {
    id: 'unchecked-claim',
    title: 'The claim is sound, and nobody looks whether it took the row',
    severity: 'error',
    what: 'A conditional update stands before the work and would take the row, but the work goes on whatever it brought back.',
    why: 'The loser of the race updates no row, and no row is not an error: PostgREST answers a PATCH that matched nothing with success, so supabase-js gives `error === null`, and `data === null` unless `.select()` asks for the rows. Reading `error`, `.throwOnError()` or testing a list for truth (an empty array is truthy) tells the loser nothing.',
    example: `const { error } = await supabase
  .from('jobs').update({ status: 'processing' })
  .eq('id', job.id).eq('status', 'pending')
if (error) throw error            // no row is no error
await send(job)`,
    sound: `const { data: claimed, error } = await supabase
  .from('jobs').update({ status: 'processing' })
  .eq('id', job.id).eq('status', 'pending')
  .select('id').maybeSingle()
if (error) throw error
if (!claimed) continue            // the other run has it
await send(job)`,
    fix: 'Ask for the row back (`.select("id").maybeSingle()`) and leave when there is none; for a batch, loop over what the update returned.',
    falsePositives: [
      'the result is tested in a helper that could not be opened',
      'the loop walks what the claim returned under another name that could not be followed',
    ],
    references: [
      'supabase-js: without .select() an update returns no rows, and zero matched rows are no error',
      'PostgREST docs, Tables and Views: PATCH, Prefer: return=representation',
    ],
  },
  check: onAttempt(
    'unchecked-claim',
    (loop, attempt) =>
      `The conditional update of ${attemptTable(loop, attempt)}${conditionText(attempt.where)} takes the row for one run only, but ${effectsFollow(loop)} whether or not a row came back.`,
  ),
}
