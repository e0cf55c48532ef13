import { attemptTable, effectsFollow, onAttempt } from './facts.js'
import type { Rule } from './rule.js'

export const insertClaimErrorIgnored: Rule = {
  meta: {
    id: 'insert-claim-error-ignored',
    title: 'The unique key refuses the second insert, and the work goes on',
    severity: 'error',
    what: 'A record is inserted under a unique key before the work, but the path on which the insert failed reaches the work as well.',
    why: 'supabase-js does not throw: a duplicate comes back as `error.code === "23505"`. Where that error is not read, or only logged, or caught and forgotten, the run that lost the race goes on like the one that won.',
    example: `const { error } = await supabase.from('sent_log').insert({ user_id: user.id, day })
if (error) console.error(error.message)
await send(user)`,
    sound: `const { error } = await supabase.from('sent_log').insert({ user_id: user.id, day })
if (error) continue               // 23505: the other run has it
await send(user)`,
    fix: 'Leave on the error.',
    falsePositives: ['a wrapper that could not be opened throws the error again'],
    references: ['supabase-js: errors are returned, not thrown', 'PostgREST docs, Errors: 23505 is HTTP 409'],
  },
  check: onAttempt(
    'insert-claim-error-ignored',
    (loop, attempt) =>
      `A unique key lets only one run insert into ${attemptTable(loop, attempt)}, but ${effectsFollow(loop)} also when the insert failed.`,
  ),
}
