import type { Report } from '../../src/model/index.js'
import { auditFiles } from './folder.js'

/** The database of the tests: a depot that sends crates. */
export const DEPOT = `
create table crates (
  id uuid primary key default gen_random_uuid(),
  state text not null default 'waiting',
  email text, label text, kind text, line text, depot_id uuid,
  tries int not null default 0, revision int not null default 0,
  stickered_at timestamptz, due_at timestamptz, held_until timestamptz, holder uuid, stickered boolean default false
);
create table depots (id uuid primary key, name text, open boolean);
create table slips (crate_id uuid, kind text, state text, primary key (crate_id, kind));
create table scraps (id bigint generated always as identity primary key, crate_id uuid, kind text);
create table slots (name text primary key, busy boolean not null default false, since timestamptz);
`

/** Pieces that most functions begin with: a client and an e-mail for one crate. */
export const HEAD = `
import { createClient } from 'npm:@supabase/supabase-js@2'
const db = createClient(Deno.env.get('SUPABASE_URL')!, Deno.env.get('SUPABASE_SERVICE_ROLE_KEY')!)
function mail(crate: any) {
  return fetch('https://api.resend.com/emails', { method: 'POST', body: JSON.stringify({ to: crate.email, subject: crate.label }) })
}
`

export interface Given {
  /** Migrations beside those of the depot. */
  readonly sql?: string
  /** Other files, relative to the `supabase` folder; `functions/haul/index.ts` replaces the code. */
  readonly files?: Readonly<Record<string, string>>
  /** The job's command; by default it posts an empty object to `haul`. */
  readonly command?: string
}

export const postTo = (name: string, body = `'{}'::jsonb`): string =>
  `net.http_post(url := 'https://abcdefghijklmnopqrst.supabase.co/functions/v1/${name}', body := ${body})`

/** Audits a project of one tick, every minute, and one function \`haul\` with this code. */
export async function follow(code: string, given: Given = {}): Promise<Report> {
  return auditFiles({
    'supabase/migrations/1_depot.sql': `${DEPOT}\n${given.sql ?? ''}`,
    'supabase/migrations/2_tick.sql': `select cron.schedule('haul', '* * * * *', $tick$ ${given.command ?? `select ${postTo('haul')}`} $tick$);`,
    'supabase/functions/haul/index.ts': code,
    ...Object.fromEntries(Object.entries(given.files ?? {}).map(([path, text]) => [`supabase/${path}`, text])),
  })
}

/** The verdict of one function, with its claims where it is safe and the rules where it races: "race no-claim". */
export function answerOf(report: Report, name = 'haul'): string {
  const found = report.functions.find((each) => each.name === name)
  if (!found) return 'not reached'
  const rules = report.findings.filter((each) => each.function === name).map((each) => each.ruleId)
  const words = found.verdict === 'race' ? rules : found.claims
  return [found.verdict, ...[...new Set(words)].sort()].join(' ')
}

/** Audits a handler's body, after HEAD. */
export const handle = async (body: string, given: Given = {}): Promise<string> =>
  answerOf(await follow(serve(body), given))

export const serve = (body: string): string =>
  `${HEAD}\nDeno.serve(async (req) => {\n${body}\nreturn new Response('ok')\n})\n`

/** The line, counted from 1, on which a text first stands. */
export const lineOf = (code: string, piece: string): number => code.slice(0, code.indexOf(piece)).split('\n').length

/** The rows of the tests, and a sound claim of one of them. */
export const PICK = `const { data: crates } = await db.from('crates').select('*').eq('state', 'waiting').limit(20)`
export const CLAIM = `await db.from('crates').update({ state: 'packing' }).eq('id', crate.id).eq('state', 'waiting').select().maybeSingle()`
export const DONE = `await db.from('crates').update({ state: 'sent' }).eq('id', crate.id)`
