import { atFirstEffect, attemptOf, attemptTable, effectsText } from './facts.js'
import type { Rule } from './rule.js'

export const checkThenAct: Rule = {
  meta: {
    id: 'check-then-act',
    title: 'It asks "already done?", works, and records it afterwards',
    severity: 'error',
    what: 'A read looks for a record of the effect. If there is none, the effect is made, and then the record is written.',
    why: 'Both runs read before either has written, so both find nothing. A unique key on the record does not help here: it speaks up when both effects are out.',
    example: `const { count } = await supabase.from('sent_log')
  .select('*', { count: 'exact', head: true }).eq('user_id', user.id).eq('day', day)
if (count) continue
await send(user)
await supabase.from('sent_log').insert({ user_id: user.id, day })`,
    sound: `const { error } = await supabase.from('sent_log').insert({ user_id: user.id, day })
if (error) continue               // unique (user_id, day): the other run has it
await send(user)`,
    fix: 'Write the record first, under a unique key, and leave when the insert fails. The read may stay in front of it as a short cut.',
    falsePositives: [
      'the record is written first by code that could not be followed, and the read only spares the attempt',
    ],
    references: ['PostgreSQL docs 13.2.1, Read Committed Isolation Level', 'PostgreSQL docs 5.5.3, Unique Constraints'],
  },
  check: (loop) => {
    const attempt = attemptOf(loop, 'check-then-act')
    if (attempt === null) return null
    return atFirstEffect(
      loop,
      `${attemptTable(loop, attempt)} is asked whether the work is done, and told only after ${effectsText(loop)}: two runs both find nothing there.`,
      attempt,
    )
  },
}
