import { effectsText, onAttempt, rowsText } from './facts.js'
import type { Rule } from './rule.js'

export const inMemoryLock: Rule = {
  meta: {
    id: 'in-memory-lock',
    title: 'A variable of the module is taken for a lock',
    severity: 'error',
    what: 'The handler tests a module-level variable to see whether a run is going on, and nothing else keeps two runs apart.',
    why: 'An edge function runs in several workers at once, each with its own copy of the module (Supabase docs, Functions limits). The second request is often served by another worker, where the variable says that nothing runs; after a crash it says the same in the next one.',
    example: `let running = false
Deno.serve(async () => {
  if (running) return new Response('busy')
  running = true
  await drain()
  running = false
  return new Response('ok')
})`,
    sound: `const { data: claimed } = await supabase.from('jobs')
  .update({ status: 'processing' })
  .eq('id', job.id).eq('status', 'pending')
  .select('id').maybeSingle()
if (!claimed) continue`,
    fix: 'Keep the claim in the database: take each row by a conditional update before its work.',
    falsePositives: ['the variable only joins calls within one request, and the rows are taken elsewhere'],
    references: ['Supabase docs, Edge Functions limits: several workers of one function can be active'],
  },
  check: onAttempt(
    'in-memory-lock',
    (loop) =>
      `A variable of this module is all that keeps two runs from ${effectsText(loop)} for ${rowsText(loop)}, and another worker of the function has its own copy of it.`,
  ),
}
