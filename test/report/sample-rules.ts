import type { RuleDescription } from '../../src/report/index.js'

/** Two rules as the tool describes them: one that speaks in the sample, and one that does not. */
export const sampleRules: readonly RuleDescription[] = [
  {
    id: 'effect-before-claim',
    title: 'The work comes first, and the row is moved afterwards',
    severity: 'error',
    what: 'For each row a call is made, and only then is the row moved.',
    why: 'Until the write the row looks free to everyone who asks.',
    example: 'for (const row of rows) {\n  await send(row)\n  await mark(row)\n}',
    sound: 'for (const row of rows) {\n  if (!(await claim(row))) continue\n  await send(row)\n}',
    fix: 'Take the row before the call.',
    falsePositives: ['the rows were taken by whoever calls the function'],
    references: ['PostgreSQL docs 13.2.1'],
  },
  {
    id: 'lock-only-claim',
    title: 'Rows are locked and handed out unchanged',
    severity: 'warning',
    what: 'SQL locks rows and returns without changing them.',
    why: 'The lock ends with the transaction.',
    example: '-- a routine\nselect * from jobs for update skip locked',
    sound: "update jobs set state = 'taken' where id = 1 returning *",
    fix: 'Change the rows in the same statement.',
    falsePositives: [],
    references: [],
  },
]
