import { attemptTable, effectsText, list, onAttempt } from './facts.js'
import { insertedKey } from './keys.js'
import type { Rule } from './rule.js'

export const insertClaimWithoutUnique: Rule = {
  meta: {
    id: 'insert-claim-without-unique',
    title: 'A record is inserted first, and no unique key refuses the second',
    severity: 'error',
    what: 'The work is preceded by an insert whose failure would leave the path, but no unique or primary key of the migrations covers what is inserted.',
    why: 'An insert decides between two runs only where a unique index makes the second one fail with 23505. Without it both inserts succeed, and both runs go on.',
    example: `const { error } = await supabase.from('sent_log').insert({ user_id: user.id, kind: 'digest', day })
if (error) continue               // never happens: no unique key
await send(user)`,
    sound: `-- in a migration
alter table sent_log add unique (user_id, kind, day);`,
    fix: 'Add the unique key over the columns that say what one effect is: the row, the kind, the period.',
    falsePositives: ['the constraint was made in the dashboard, or by another repository, and is in no migration'],
    references: ['PostgreSQL docs 5.5.3, Unique Constraints', 'PostgREST docs, Errors: 23505 is HTTP 409'],
  },
  check: onAttempt('insert-claim-without-unique', (loop, attempt) => {
    const columns = insertedKey(attempt)
    const key = columns.length === 0 ? '' : ` over ${list(columns)}`
    return `The insert into ${attemptTable(loop, attempt)} goes before ${effectsText(loop)}, but no unique key${key} refuses the second run's insert.`
  }),
}
