import type { Finding, Location, Report } from '../../src/model/index.js'

/** A small project's report: two ticks, three functions, three findings; and the texts that its frames are drawn from. */

const MIGRATION = 'supabase/migrations/20260105090000_reminders.sql'
const SEND = 'supabase/functions/send-reminders/index.ts'
const DIGEST = 'supabase/functions/weekly-digest/index.ts'

export const sampleTexts: Readonly<Record<string, string>> = {
  [MIGRATION]: `create table public.reminders (
  id uuid primary key,
  email text not null,
  status text not null default 'pending'
);

create function public.call_edge(name text) returns bigint language sql as $$
  select net.http_post(url := 'https://abc.supabase.co/functions/v1/' || name, body := '{}'::jsonb);
$$;

select cron.schedule(
  'send-reminders',
  '*/2 * * * *',
  $cron$ select public.call_edge('send-reminders') $cron$
);

select cron.schedule('digest', '0 6 * * 1', $cron$ select public.call_edge('weekly-digest') $cron$);
`,
  [SEND]: `import { createClient } from 'npm:@supabase/supabase-js@2'
import { Resend } from 'npm:resend'

const supabase = createClient(Deno.env.get('SUPABASE_URL')!, Deno.env.get('SERVICE_KEY')!)
const resend = new Resend(Deno.env.get('RESEND_API_KEY'))

Deno.serve(async () => {
  const { data: due } = await supabase
    .from('reminders')
    .select('id, email')
    .eq('status', 'pending')
    .limit(50)

  for (const reminder of due ?? []) {
    await resend.emails.send({ from: 'a@example.com', to: reminder.email, subject: 'Your appointment tomorrow', text: 'See you!' })
    await supabase.from('reminders').update({ status: 'sent' }).eq('id', reminder.id)
  }
  return new Response('ok')
})
`,
  [DIGEST]: `Deno.serve(async () => {\r
\tconst { data: members } = await supabase.from('members').select('id, phone').lte('digest_due', now)\r
\tfor (const member of members ?? []) {\r
\t\tawait supabase.from('members').update({ digest_due: next }).eq('id', member.id)\r
\t\tawait twilio.messages.create({ to: member.phone, body: 'Your week' })\r
\t\tawait fetch('https://events.example/digest', { method: 'POST', body: member.id })\r
\t}\r
})\r
`,
}

export const sampleSources = (file: string): string | null => sampleTexts[file] ?? null

/** The place of `text` in a sample file: its first occurrence after `after`. */
export function at(file: string, text: string, after = ''): Location {
  const whole = sampleTexts[file] ?? ''
  const start = whole.indexOf(text, after === '' ? 0 : whole.indexOf(after))
  if (start < 0) throw new Error(`${text} is not in ${file}`)
  const position = (index: number): { line: number; column: number } => {
    const lines = whole.slice(0, index).split('\n')
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
  }
  const [from, to] = [position(start), position(start + text.length)]
  return { file, startLine: from.line, startColumn: from.column, endLine: to.line, endColumn: to.column }
}

const remindersSchedule = at(MIGRATION, "cron.schedule(\n  'send-reminders'")
const digestSchedule = at(MIGRATION, "cron.schedule('digest'")
const dispatch = at(MIGRATION, 'net.http_post')

const lateClaim: Finding = {
  ruleId: 'effect-before-claim',
  severity: 'error',
  confidence: 'high',
  message: 'The Resend e-mail is sent before the row of `reminders` is taken, so two overlapping runs both send it.',
  location: at(SEND, 'resend.emails.send('),
  function: 'send-reminders',
  ticks: ['send-reminders'],
  effects: [{ title: 'Resend e-mail', provider: 'Resend', kind: 'message', location: at(SEND, 'resend.emails.send(') }],
  table: 'reminders',
  consequence:
    "A second run that starts before a row is marked reads the same rows `where status = 'pending'` and sends every e-mail of them again.",
  overlap: {
    level: 'possible',
    intervalSeconds: 120,
    batch: 50,
    batchAssumed: false,
    concurrency: 1,
    perRow: [{ title: 'Resend e-mail', typicalSeconds: 0.5, worstSeconds: 30 }],
    typicalSeconds: 25,
    worstSeconds: 1500,
  },
  trace: [
    { role: 'schedule', message: 'Tick `send-reminders` fires', location: remindersSchedule },
    { role: 'dispatch', message: 'It calls `send-reminders`, through `public.call_edge`', location: dispatch },
    {
      role: 'pick',
      message: "Up to 50 rows of `reminders` are read where status = 'pending'",
      location: at(
        SEND,
        "supabase\n    .from('reminders')\n    .select('id, email')\n    .eq('status', 'pending')\n    .limit(50)",
      ),
    },
    {
      role: 'loop',
      message: 'Each of them is worked on in turn',
      location: at(SEND, 'for (const reminder of due ?? []) {'),
    },
    {
      role: 'effect',
      message: 'The e-mail is sent, while the row still reads `pending` for everybody else',
      location: at(SEND, 'resend.emails.send('),
    },
    {
      role: 'mark',
      message: 'Only now is the row moved out of what is picked',
      location: at(SEND, "supabase.from('reminders').update({ status: 'sent' }).eq('id', reminder.id)"),
    },
  ],
  fix: {
    steps: [
      'Take the row before the e-mail, with the state in the condition, and go on only if a row came back.',
      'Give rows that stay in `sending` (a killed run) back after some minutes, in a statement of its own.',
    ],
    code: `const { data: claimed } = await supabase
  .from('reminders')
  .update({ status: 'sending' })
  .eq('id', reminder.id)
  .eq('status', 'pending')
  .select('id')
  .maybeSingle()
if (!claimed) continue`,
    language: 'ts',
  },
  fingerprint: 'ta1:5f0c2b7d',
}

const blindClaim: Finding = {
  ruleId: 'unconditional-claim',
  severity: 'warning',
  confidence: 'medium',
  message: 'The row of `members` is moved by its key alone before the message, so both runs move it and both send.',
  location: at(DIGEST, "supabase.from('members').update({ digest_due: next }).eq('id', member.id)"),
  function: 'weekly-digest',
  ticks: ['digest'],
  effects: [
    { title: 'Twilio message', provider: 'Twilio', kind: 'message', location: at(DIGEST, 'twilio.messages.create(') },
  ],
  table: 'members',
  consequence: 'Both runs update the same member and go on: every message of the overlap is sent twice.',
  overlap: {
    level: 'unlikely',
    intervalSeconds: 604_800,
    batch: 100,
    batchAssumed: true,
    concurrency: 1,
    perRow: [
      { title: 'Twilio message', typicalSeconds: 0.5, worstSeconds: 10 },
      { title: 'write to events.example', typicalSeconds: 1, worstSeconds: 30 },
    ],
    typicalSeconds: 150,
    worstSeconds: 400,
  },
  trace: [
    { role: 'schedule', message: 'Tick `digest` fires every Monday at 06:00 UTC', location: digestSchedule },
    { role: 'dispatch', message: 'It calls `weekly-digest`, through `public.call_edge`', location: dispatch },
    {
      role: 'claim',
      message: 'The update names only the key; it succeeds in every run',
      location: at(DIGEST, "supabase.from('members').update({ digest_due: next }).eq('id', member.id)"),
    },
    { role: 'effect', message: 'The message is sent', location: at(DIGEST, 'twilio.messages.create(') },
  ],
  fix: {
    steps: ['Repeat the condition of the pick in the update and test what came back.'],
    code: null,
    language: null,
  },
  fingerprint: 'ta1:77aa01c4',
}

const note: Finding = {
  ruleId: 'unknown-host-effect',
  severity: 'info',
  confidence: 'low',
  message: 'A write to `events.example` is repeated by overlapping runs; the catalogue does not know this host.',
  location: at(DIGEST, "fetch('https://events.example/digest'"),
  function: 'weekly-digest',
  ticks: ['digest'],
  effects: [],
  table: null,
  consequence: 'Whether a repeat does harm is known only at the other end.',
  overlap: null,
  trace: [],
  fix: { steps: [], code: null, language: null },
  fingerprint: 'ta1:00c0ffee',
}

export const sample: Report = {
  schemaVersion: '1.0',
  tool: { name: 'tick-audit', version: '0.1.0' },
  summary: {
    bySeverity: { error: 1, warning: 1, info: 1 },
    byRule: { 'effect-before-claim': 1, 'unconditional-claim': 1, 'unknown-host-effect': 1 },
    byVerdict: { race: 2, safe: 0, broadcast: 0, 'no-row-work': 0, unknown: 1 },
    suppressed: 1,
    baselined: 0,
  },
  coverage: {
    sqlFiles: 12,
    statementsParsed: 148,
    statementsFailed: 1,
    ticksResolved: 2,
    ticksUnresolved: 0,
    functionsAnalysed: 2,
    functionsUnknown: 1,
  },
  ticks: [
    {
      name: 'send-reminders',
      schedule: '*/2 * * * *',
      intervalSeconds: 120,
      active: true,
      location: remindersSchedule,
      dispatches: [
        {
          function: 'send-reminders',
          url: 'https://abc.supabase.co/functions/v1/send-reminders',
          via: ['public.call_edge'],
          location: dispatch,
          fanout: false,
        },
      ],
    },
    {
      name: 'digest',
      schedule: '0 6 * * 1',
      intervalSeconds: 604_800,
      active: true,
      location: digestSchedule,
      dispatches: [
        {
          function: 'weekly-digest',
          url: 'https://abc.supabase.co/functions/v1/weekly-digest',
          via: ['public.call_edge'],
          location: dispatch,
          fanout: false,
        },
      ],
    },
  ],
  functions: [
    {
      name: 'send-reminders',
      entry: SEND,
      verdict: 'race',
      claims: [],
      ticks: ['send-reminders'],
      calledBy: [],
      overlap: lateClaim.overlap,
      reasons: [],
    },
    {
      name: 'track-event',
      entry: null,
      verdict: 'unknown',
      claims: [],
      ticks: [],
      calledBy: ['weekly-digest'],
      overlap: null,
      reasons: [{ message: 'its source is not in supabase/functions', location: null }],
    },
    {
      name: 'weekly-digest',
      entry: DIGEST,
      verdict: 'race',
      claims: [],
      ticks: ['digest'],
      calledBy: [],
      overlap: blindClaim.overlap,
      reasons: [],
    },
  ],
  findings: [lateClaim, note, blindClaim],
  suppressed: [
    {
      ...blindClaim,
      fingerprint: 'ta1:11112222',
      suppression: { reason: 'the provider refuses a second message within a day', location: null },
    },
  ],
  diagnostics: [
    {
      code: 'sql-not-parsed',
      severity: 'warning',
      message: 'This statement could not be parsed (syntax error at or near "{{"); what it defines is not known.',
      location: {
        file: 'supabase/migrations/20250101000000_seed.sql',
        startLine: 4,
        startColumn: 1,
        endLine: 6,
        endColumn: 2,
      },
    },
    {
      code: 'url-from-vault',
      severity: 'info',
      message: 'The host of the URL comes from the vault.',
      location: dispatch,
    },
  ],
}
