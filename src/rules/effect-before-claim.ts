import { atFirstEffect, effectsText, rowsText, sentence, tableName } from './facts.js'
import type { Rule } from './rule.js'

export const effectBeforeClaim: Rule = {
  meta: {
    id: 'effect-before-claim',
    title: 'The work comes first, and the row is moved afterwards',
    severity: 'error',
    what: 'For each picked row an external call is made, and only then does a write move the row out of what is picked.',
    why: 'pg_cron and pg_net do not wait for the function: the next tick sends its request whether or not the last run has ended. Until the write after the call, the row looks free to everyone who asks. The longer the batch, the more rows are worked on twice. And where that last write fails (supabase-js does not throw), every later tick does the work again.',
    example: `const { data: jobs } = await supabase.from('jobs').select('id, text').eq('status', 'pending').limit(50)
for (const job of jobs) {
  await openai.embeddings.create({ model, input: job.text })
  await supabase.from('jobs').update({ status: 'done' }).eq('id', job.id)
}`,
    sound: `for (const job of jobs) {
  const { data: claimed } = await supabase.from('jobs')
    .update({ status: 'processing' })
    .eq('id', job.id).eq('status', 'pending')
    .select('id').maybeSingle()
  if (!claimed) continue
  await openai.embeddings.create({ model, input: job.text })
  await supabase.from('jobs').update({ status: 'done' }).eq('id', job.id)
}`,
    fix: 'Take the row by a conditional update before the call, ask for it back, and skip it when none comes.',
    falsePositives: [
      'the rows were taken by whoever calls the function, in code that could not be followed',
      'the call only reads at the other end',
    ],
    references: [
      'pg_net README: requests run in the background and are not started until the transaction is committed',
      'PostgreSQL docs 13.2.1, Read Committed Isolation Level',
      'PostgREST docs, Transactions: each request is one transaction',
    ],
  },
  check: (loop) => {
    const mark = loop.marks.find(({ leavesPick }) => leavesPick !== 'no')
    if (mark === undefined) return null
    const { where } = loop.source
    const moved = where === null ? 'moved on' : 'moved out of that condition'
    const late =
      mark.kind === 'insert'
        ? `before that is recorded in ${tableName(mark.table)}`
        : `before it is ${mark.kind === 'delete' ? 'deleted' : moved}`
    return atFirstEffect(
      loop,
      `${sentence(rowsText(loop))} is worked on (${effectsText(loop)}) ${late}: until then another run picks it as well.`,
    )
  },
}
