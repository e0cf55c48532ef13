import type { Predicate } from '../model/index.js'
import { attemptTable, conditionText, effectsText, onAttempt } from './facts.js'
import type { Rule } from './rule.js'

export const unconditionalClaim: Rule = {
  meta: {
    id: 'unconditional-claim',
    title: 'The row is moved first, but by its key alone',
    severity: 'error',
    what: 'The state is changed before the work, but the update names only the key: it succeeds for whoever comes.',
    why: 'Both runs read the row while it was still free. Each sets it to "in progress" by its id; the second update overwrites the same value and reports success like the first. A claim is a claim because it can fail.',
    example: `await supabase.from('jobs')
  .update({ status: 'processing' })
  .eq('id', job.id)
await send(job)`,
    sound: `const { data: claimed } = await supabase.from('jobs')
  .update({ status: 'processing' })
  .eq('id', job.id).eq('status', 'pending')
  .select('id').maybeSingle()
if (!claimed) continue
await send(job)`,
    fix: 'Repeat the picked state in the update, ask for the row back, and skip it when none comes.',
    falsePositives: [
      'the rows were taken before, by code that could not be followed, and this update is a mere stamp',
      'a lock on the whole run holds, taken somewhere that could not be followed',
    ],
    references: ['PostgreSQL docs 13.2.1, Read Committed Isolation Level'],
  },
  check: onAttempt(
    'unconditional-claim',
    (loop, attempt) =>
      `The row of ${attemptTable(loop, attempt)} is moved before ${effectsText(loop)}, but this update asks only for the key and not for the state it was picked by${picked(loop.source.where)}: both runs succeed.`,
  ),
}

function picked(where: Predicate | null): string {
  return where === null ? '' : ` (${conditionText(where).replace(/^ where /, '')})`
}
