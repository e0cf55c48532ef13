import { describe, expect, it } from 'vitest'
import { folderOf } from '../project/folder.js'
import { isBuilt, tickAudit } from './child.js'

const FUNCTION = `Deno.serve(async () => {
  await fetch('https://api.resend.com/emails', { method: 'POST' })
  return new Response('ok')
})`
const TABLE = 'create table letters (id int primary key);'
const TICK = `select cron.schedule('send', '* * * * *',
  $$select net.http_post(url := 'https://abcdefghijklmnopqrst.supabase.co/functions/v1/send')$$);`

/** Packages, and the parser of TypeScript in dist, that are loaded by an audit of a project with this migration and one function. */
async function loadedBy(args: readonly string[], migration: string): Promise<readonly string[]> {
  const folder = folderOf({ 'supabase/migrations/1_a.sql': migration, 'supabase/functions/send/index.ts': FUNCTION })
  const { stderr } = await tickAudit(folder, args, ['loaded.mjs'])
  const names = [
    ...stderr.matchAll(
      /^LOADED (?:.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/|.*\/dist\/(typescript-parser)\.js|((?:@[\w-]+\/)?[\w-]+)$)/gm,
    ),
  ].map(([, imported, own, required]) => imported ?? own ?? required!)
  expect(names).not.toEqual([])
  return [...new Set(names)].sort()
}

describe.runIf(isBuilt)('what is loaded, by the modules that node asks for', () => {
  it('a project with a tick that reaches a function loads both parsers', async () => {
    const names = await loadedBy([], `${TABLE}\n${TICK}`)
    expect(names).toContain('libpg-query')
    expect(names).toContain('typescript-parser')
    // The whole compiler takes a quarter of a second to load; what is built holds its parser
    expect(names.filter((name) => /morph/.test(name))).toEqual([])
  })

  it('a project without a tick loads no parser of TypeScript', async () => {
    const names = await loadedBy([], TABLE)
    expect(names).toContain('libpg-query')
    expect(names.filter((name) => /morph|typescript/.test(name))).toEqual([])
  })

  it('a job that sends no request loads none either', async () => {
    const names = await loadedBy([], `${TABLE}\nselect cron.schedule('tidy', '0 3 * * *', 'delete from letters');`)
    expect(names.filter((name) => /morph|typescript/.test(name))).toEqual([])
  })

  it('the list of rules loads no parser at all', async () => {
    const names = await loadedBy(['rules'], TABLE)
    expect(names.filter((name) => /morph|typescript|libpg/.test(name))).toEqual([])
  })
})
