import { attemptTable, effectsFollow, onAttempt } from './facts.js'
import type { Rule } from './rule.js'

export const upsertAsClaim: Rule = {
  meta: {
    id: 'upsert-as-claim',
    title: 'An upsert lets both runs through',
    severity: 'error',
    what: 'Before the work a record is written by upsert, as if the first to write it were the only one to go on.',
    why: 'ON CONFLICT DO UPDATE turns the second insert into an update, which succeeds and returns the row like the first. `.upsert()` does that by default (`Prefer: resolution=merge-duplicates`). With `ignoreDuplicates` the second run gets no row, but only `.select()` and a test of the rows can tell.',
    example: `await supabase.from('runs').upsert({ job_id: job.id, started_at: now })
await send(job)`,
    sound: `const { data: mine } = await supabase.from('runs')
  .upsert({ job_id: job.id, started_at: now }, { onConflict: 'job_id', ignoreDuplicates: true })
  .select('job_id')
if (!mine?.length) continue
await send(job)`,
    fix: 'Use ignoreDuplicates with .select() and test for a row, or a plain insert whose error (23505) leaves.',
    falsePositives: ['the upsert is a progress record, and the claim lies in code that could not be followed'],
    references: [
      'PostgREST docs, Upsert: resolution=merge-duplicates and ignore-duplicates',
      'PostgreSQL docs, INSERT: ON CONFLICT',
    ],
  },
  check: onAttempt(
    'upsert-as-claim',
    (loop, attempt) =>
      `The upsert into ${attemptTable(loop, attempt)} succeeds for the second run just as for the first, so ${effectsFollow(loop)} in both.`,
  ),
}
