import { atFirstEffect, effectsText, rowsText, sentence } from './facts.js'
import type { Rule } from './rule.js'

export const noClaim: Rule = {
  meta: {
    id: 'no-claim',
    title: 'Nothing ever moves the row out of what is picked',
    severity: 'error',
    what: 'Rows are picked by a time or a state, an external call is made for each, and no write moves them out of the pick, neither before nor after.',
    why: 'The rows leave the pick by the clock or never. Two overlapping runs work on the same rows, and so does every later run for as long as the condition holds. A schedule that is "far enough apart" is no guard: pg_cron replays missed runs back to back, pg_net can send a request late or twice, and people press "run now".',
    example: `const { data: trials } = await supabase.from('trials').select('id, email').eq('ends_on', tomorrow)
for (const trial of trials) await sendMail(trial.email)`,
    sound: `for (const trial of trials) {
  const { error } = await supabase.from('trial_mails').insert({ trial_id: trial.id, kind: 'ends-tomorrow' })
  if (error) continue             // unique (trial_id, kind): already sent, or the other run has it
  await sendMail(trial.email)
}`,
    fix: 'Record each effect in a ledger with a unique key (row, kind, period), insert before the effect, and leave when the insert fails.',
    falsePositives: [
      'a trigger or another service records the effect',
      'the provider refuses the repeat by something that could not be recognised as a key made from the row',
    ],
    references: [
      'pg_cron src/pg_cron.c: missed runs are caught up',
      'PostgreSQL docs, INSERT: unique violations and ON CONFLICT',
    ],
  },
  check: (loop) =>
    atFirstEffect(
      loop,
      `${sentence(rowsText(loop))} is worked on (${effectsText(loop)}), and no write moves it out of what is picked: every overlapping run does the work again.`,
    ),
}
