import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { auditProject } from '../../src/audit.js'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function project(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tick-audit-sibling-'))
  folders.push(folder)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

const worker = (claim: string) => `
import { createClient } from 'npm:@supabase/supabase-js@2'
const db = createClient('u', 'k')
Deno.serve(async () => {
  const { data } = await db.from('parcels').select('id').eq('state', 'packed').limit(10)
  for (const parcel of data ?? []) {
    ${claim}
    await fetch('https://api.resend.com/emails', { method: 'POST', body: JSON.stringify({ id: parcel.id }) })
    await db.from('parcels').update({ state: 'told' }).eq('id', parcel.id)
  }
  return new Response('ok')
})`

const CLAIM = `const { data: mine } = await db.from('parcels').update({ state: 'telling' })
      .eq('id', parcel.id).eq('state', 'packed').select('id').maybeSingle()
    if (!mine) continue`

const tick = (name: string) =>
  `select cron.schedule('${name}', '* * * * *', $$select net.http_post('https://x.supabase.co/functions/v1/${name}')$$);`

describe('inconsistent siblings', () => {
  it('quotes another function that takes rows of the same table: place and condition', async () => {
    const folder = await project({
      'supabase/migrations/1_a.sql': `create table parcels (id bigint primary key, state text);\n${tick('careful')}\n${tick('hasty')}`,
      'supabase/functions/careful/index.ts': worker(CLAIM),
      'supabase/functions/hasty/index.ts': worker(''),
    })
    const outcome = await auditProject(folder)
    if (outcome.kind !== 'report') throw new Error(outcome.kind)
    const [finding] = outcome.report.findings
    expect(finding?.function).toBe('hasty')
    expect(finding?.fix.steps[0]).toContain('careful takes rows of parcels')
    expect(finding?.fix.steps[0]).toContain("state = 'packed', setting state = 'telling'")
    expect(finding?.fix.code).toContain(".update({ state: 'telling' })")
    expect(finding?.trace.at(-1)?.location.file).toBe('supabase/functions/careful/index.ts')
  })

  it('says nothing of siblings where no other function takes the table', async () => {
    const folder = await project({
      'supabase/migrations/1_a.sql': `create table parcels (id bigint primary key, state text);\n${tick('hasty')}`,
      'supabase/functions/hasty/index.ts': worker(''),
    })
    const outcome = await auditProject(folder)
    if (outcome.kind !== 'report') throw new Error(outcome.kind)
    expect(outcome.report.findings[0]?.fix.steps[0]).not.toContain('takes rows of parcels before')
  })
})
