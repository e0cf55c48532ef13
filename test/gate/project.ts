import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { auditProject, type AuditOutcome } from '../../src/audit.js'
import type { Report } from '../../src/model/index.js'

/** A small project that races, for tests that need a real one. */

export const MIGRATION = 'supabase/migrations/0001_letters.sql'
export const FUNCTION = 'supabase/functions/post-letters/index.ts'

export const migration = `create table public.letters (
  id bigint generated always as identity primary key,
  address text not null,
  status text not null default 'waiting'
);
select cron.schedule(
  'post-letters',
  '* * * * *',
  $$ select net.http_post(url := 'https://projectabcdefghijk.supabase.co/functions/v1/post-letters', body := '{}'::jsonb) $$
);
`

const head = `import { createClient } from 'npm:@supabase/supabase-js@2'
const db = createClient(Deno.env.get('SUPABASE_URL')!, Deno.env.get('SUPABASE_SERVICE_ROLE_KEY')!)
Deno.serve(async () => {
  const { data: letters } = await db.from('letters').select('id, address').eq('status', 'waiting').limit(20)
  for (const letter of letters ?? []) {
`
const send = `    await fetch('https://api.resend.com/emails', { method: 'POST', body: JSON.stringify({ to: letter.address }) })
`
const foot = `  }
  return new Response('ok')
})
`

/** The e-mail goes out first. */
export const racing = `${head}${send}    await db.from('letters').update({ status: 'sent' }).eq('id', letter.id)
${foot}`

/** The letter is taken first. */
export const claimed = `${head}    const { data: mine } = await db.from('letters')
      .update({ status: 'sending' }).eq('id', letter.id).eq('status', 'waiting').select('id').maybeSingle()
    if (!mine) continue
${send}    await db.from('letters').update({ status: 'sent' }).eq('id', letter.id)
${foot}`

export const racingProject = { [MIGRATION]: migration, [FUNCTION]: racing }

export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const folders: string[] = []

/** A new folder with these files. */
export function projectOf(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tick-audit-gate-')))
  folders.push(folder)
  write(folder, files)
  return folder
}

export function removeProjects(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

export async function outcomeOf(files: Readonly<Record<string, string>>): Promise<AuditOutcome & { kind: 'report' }> {
  const outcome = await auditProject(projectOf(files))
  if (outcome.kind !== 'report') throw new Error(outcome.message)
  return outcome
}

export async function reportOf(files: Readonly<Record<string, string>>): Promise<Report> {
  return (await outcomeOf(files)).report
}
