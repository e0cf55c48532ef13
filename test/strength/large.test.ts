import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { auditProject } from '../../src/audit.js'
import { folderOf } from '../project/folder.js'
import { auditFiles, wrong, type Audited } from './project.js'

const URL_OF = 'https://abcdefghijklmnopqrst.supabase.co/functions/v1'
const job = (name: string): string =>
  `select cron.schedule('${name}', '* * * * *', $$select net.http_post(url := '${URL_OF}/send')$$);\n`
const FUNCTION = `Deno.serve(() => new Response('ok'))`

const audit = (files: Readonly<Record<string, string | Buffer>>): Promise<Audited> =>
  auditFiles(
    new Map(
      Object.entries({
        'supabase/migrations/1_a.sql': job('send'),
        'supabase/functions/send/index.ts': FUNCTION,
        ...files,
      }).map(([path, content]) => [path, Buffer.from(content)]),
    ),
  )

/** Of one project, on a busy machine. */
const LONGEST_MS = 10_000

async function told(files: Readonly<Record<string, string | Buffer>>): Promise<readonly string[]> {
  const audited = await audit(files)
  expect(wrong(audited, LONGEST_MS)).toBeNull()
  if (audited.outcome.kind !== 'report') throw new Error(audited.outcome.kind)
  expect(audited.outcome.report.ticks.map((tick) => tick.name)).toContain('send')
  return audited.outcome.report.diagnostics.map((each) => `${each.code} ${each.location?.file}`)
}

// The parsers are loaded once
beforeAll(async () => void (await audit({})))

describe('files that are too much', () => {
  const megabytes = 5 * 1024 * 1024

  it('a dump of 5 MB, one statement of 5 MB, one line of 5 MB', async () => {
    const row = `(1, 'a text; with ''quotes''', '{"a": [1, 2]}', now()),\n`
    const table = 'create table big (a int, b text, c jsonb, d timestamptz);\n'
    const dump = table + `insert into big values ${row.slice(0, -2)};\n`.repeat(megabytes / 80)
    const statement = `${table}insert into big values ${row.repeat(megabytes / row.length)} ${row.slice(0, -2)};\n`
    const copy = `${table}copy big from stdin;\n${'1\ta;b\t{"a": $$}\t\\N\n'.repeat(megabytes / 20)}\\.\n${job('after')}`
    expect(await told({ 'supabase/migrations/2_dump.sql': dump })).toEqual([])
    await told({ 'supabase/migrations/2_statement.sql': statement })
    expect(await told({ 'supabase/migrations/2_copy.sql': copy })).toEqual([])
    await told({ 'supabase/migrations/2_line.sql': 'a '.repeat(megabytes / 2) })
    await told({ 'supabase/migrations/2_quotes.sql': `' $a$ " /* `.repeat(megabytes / 11) })
  }, 60_000)

  it('2,000 jobs, each behind the guard that migrations have', async () => {
    const guarded = (name: string): string =>
      `select cron.unschedule('${name}') where exists (select 1 from cron.job where jobname = '${name}');
       do $$ begin if exists (select from cron.job where jobname = '${name}') then perform cron.unschedule('${name}'); end if; end $$;
       ${job(name)}`
    const names = Array.from({ length: 2_000 }, (_, n) => `job-${n}`)
    expect(await told({ 'supabase/migrations/2_jobs.sql': names.map(guarded).join('') })).toEqual([])
  }, 60_000)

  it('a binary file among the migrations is a diagnostic', async () => {
    const binary = Buffer.alloc(megabytes, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0xff, 0xd8]))
    expect(await told({ 'supabase/migrations/2_logo.sql': binary })).toEqual([
      'file-binary supabase/migrations/2_logo.sql',
    ])
  })

  it('a function of 2 MB', async () => {
    await told({ 'supabase/functions/send/index.ts': FUNCTION + '\nconst a = 1'.repeat(megabytes / 30) })
    await told({ 'supabase/functions/send/index.ts': `${FUNCTION}\nconst a = [${'1,'.repeat(megabytes / 5)}]` })
    await told({ 'supabase/functions/send/index.ts': `${FUNCTION}\nconst a = ${'('.repeat(megabytes / 5)}` })
  }, 60_000)

  it('what the compiler would look at again from each of its words', async () => {
    const run = 'async '.repeat(30_000)
    await told({ 'supabase/functions/send/index.ts': `${FUNCTION}\nif (error) return ne${run} (error)` })
    await told({
      'supabase/functions/send/index.ts': `${FUNCTION}\n${'declare readonly '.repeat(15_000)}let a: number`,
    })
  }, 60_000)

  it('a deep nest in a loop', async () => {
    for (const nest of [
      'a!'.padEnd(6_000, '!'),
      'a' + '.b'.repeat(6_000),
      'await '.repeat(6_000) + 'a',
      '-'.repeat(1) + '(-'.repeat(3_000),
    ])
      await told({
        'supabase/functions/send/index.ts': `Deno.serve(async () => {\n  for (const a of [1]) { ${nest} }\n  return new Response('ok')\n})`,
      })
  }, 60_000)

  it('an import map that is nested too deeply is a diagnostic', async () => {
    const files = {
      'supabase/functions/send/deno.json': '['.repeat(100_000),
      'supabase/functions/send/index.ts': `import 'a'\n${FUNCTION}`,
    }
    expect(wrong(await audit(files), LONGEST_MS)).toBeNull()
  })
})

describe('files that cannot be read', () => {
  it('a folder and a file without permission', async () => {
    const folder = folderOf({
      'supabase/migrations/1_a.sql': job('send'),
      'supabase/migrations/2_b.sql': job('secret'),
      'supabase/schemas/3_c.sql': job('secret too'),
      'supabase/functions/send/index.ts': FUNCTION,
    })
    // To root everything can be read: the file system's answer is put in its place
    const { readdirSync, readFileSync } = fs
    const denied = (path: unknown, wanted: string): void => {
      if (String(path).endsWith(wanted)) throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
    }
    fs.readdirSync = ((...args: Parameters<typeof readdirSync>) => {
      denied(args[0], 'schemas')
      return readdirSync(...args)
    }) as unknown as typeof readdirSync
    fs.readFileSync = ((...args: Parameters<typeof readFileSync>) => {
      denied(args[0], '2_b.sql')
      return readFileSync(...args)
    }) as typeof readFileSync
    syncBuiltinESMExports()
    try {
      const outcome = await auditProject(folder)
      if (outcome.kind !== 'report') throw new Error(outcome.kind)
      expect(outcome.report.ticks.map((tick) => tick.name)).toEqual(['send'])
      expect(outcome.report.diagnostics.map((each) => `${each.code} ${each.location?.file}`)).toEqual([
        'file-unreadable supabase/migrations/2_b.sql',
        'file-unreadable supabase/schemas',
      ])
    } finally {
      Object.assign(fs, { readdirSync, readFileSync })
      syncBuiltinESMExports()
    }
  })

  it('links in circles, pipes, folders with the name of a file', async () => {
    const folder = folderOf({
      'supabase/migrations/1_a.sql': job('send'),
      'supabase/migrations/2_folder.sql/x.sql': job('not run'),
      'supabase/functions/send/index.ts': `import './circle/circle/index.ts'\n${FUNCTION}`,
      'supabase/functions/other.ts/index.ts': FUNCTION,
    })
    fs.symlinkSync('.', join(folder, 'supabase/functions/send/circle'))
    fs.symlinkSync('3_self.sql', join(folder, 'supabase/migrations/3_self.sql'))
    fs.symlinkSync('..', join(folder, 'supabase/up'))
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'supabase/migrations/4_pipe.sql')])
    const outcome = await auditProject(folder)
    if (outcome.kind !== 'report') throw new Error(outcome.kind)
    expect(outcome.faults).toEqual([])
    expect(outcome.report.ticks.map((tick) => tick.name)).toEqual(['send'])
  })
})

describe('many of one thing take a time in proportion', () => {
  /** How much longer four times as many take; the faster of two runs each. Linear is 4, quadratic 16, cubic 64. */
  async function growth(count: number, make: (n: number) => Readonly<Record<string, string>>): Promise<number> {
    const time = async (n: number) => Math.min((await audit(make(n))).milliseconds, (await audit(make(n))).milliseconds)
    return (await time(4 * count)) / (await time(count))
  }
  const times = (n: number, make: (index: number) => string): string =>
    Array.from({ length: n }, (_, i) => make(i)).join('')

  it('jobs', async () => {
    const jobs = (n: number) => ({ 'supabase/migrations/2_b.sql': times(n, (i) => job(`j${i}`)) })
    expect(await growth(400, jobs)).toBeLessThan(12)
  }, 60_000)

  it('statements, tables and routines', async () => {
    const sql = (n: number) => ({
      'supabase/migrations/2_b.sql': times(
        n,
        (i) => `create table t${i} (id int primary key);\nalter table t${i} add column a int;
create function f${i}() returns void language plpgsql as $f$ begin update t${i} set a = 1; perform f${i + 1}(); end $f$;\n`,
      ),
    })
    expect(await growth(3_000, sql)).toBeLessThan(12)
  }, 60_000)

  it('statements of a function', async () => {
    const code = (n: number) => ({
      'supabase/functions/send/index.ts': `Deno.serve(async (req) => {\n${times(n, (i) => `const a${i} = await req.json(); if (a${i}.x) { await fetch('https://example.com/' + a${i}.y) }\n`)}return new Response('ok') })`,
    })
    expect(await growth(60, code)).toBeLessThan(12)
  }, 60_000)
})
