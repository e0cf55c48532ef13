import { describe, expect, it } from 'vitest'
import type { Report } from '../../src/model/index.js'
import { folderOf } from '../project/folder.js'
import { isBuilt, tickAudit } from './child.js'

/** The long form is part of `npm run fuzz`: a hundred thousand files, dumps of 50 MB. */
const LONG = process.env.TICK_AUDIT_HUGE === 'long'
const FILES = LONG ? 100_000 : 5_000
const MIGRATIONS = 20_000
const BYTES = 50 * 1024 * 1024

/** For a busy machine: alone, the slowest takes 12 s. Memory does not depend on that: some 400 MB at most were measured. */
const MOST_SECONDS = 60
const MOST_MEGABYTES = 600

const URL_OF = 'https://abcdefghijklmnopqrst.supabase.co/functions/v1'
const job = (name: string): string =>
  `select cron.schedule('${name}', '* * * * *', $$select net.http_post(url := '${URL_OF}/send')$$);\n`
const FUNCTION = `Deno.serve(() => new Response('ok'))`
const TABLE = 'create table big (a int, b text, c jsonb, d timestamptz);\n'
const ROW = `(1, 'a text; with ''quotes''', '{"a": [1, 2]}', now())`

type Texts = Readonly<Record<string, string>>
const many = (count: number, file: (n: number) => [path: string, text: string]): Texts =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => file(n)))
const repeat = (text: string): string => text.repeat(BYTES / text.length)
const dump = (text: string): Texts => ({ 'supabase/migrations/2_dump.sql': `${TABLE}${text}${job('after')}` })

/** A process of its own: a report with these ticks, no fault, in time, in memory. */
async function audits(files: Texts, ticks: readonly string[]): Promise<Report> {
  const folder = folderOf({
    'supabase/migrations/1_a.sql': job('send'),
    'supabase/functions/send/index.ts': FUNCTION,
    ...files,
  })
  const started = performance.now()
  const { code, stdout, stderr } = await tickAudit(folder, ['-f', 'json'], ['peak.mjs'])
  const seconds = (performance.now() - started) / 1000
  const megabytes = Number(/PEAK (\d+)/.exec(stderr)?.[1]) / 1024
  if (LONG) console.log(`${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`)
  expect(stderr.replace(/\s*PEAK \d+\s*/, '')).toBe('')
  expect(code).toBe(0)
  expect(seconds).toBeLessThan(MOST_SECONDS)
  expect(megabytes).toBeLessThan(MOST_MEGABYTES)
  const report = JSON.parse(stdout) as Report
  expect(report.ticks.map((tick) => tick.name)).toEqual(ticks)
  expect(report.functions.map((each) => each.verdict)).toEqual(['no-row-work'])
  return report
}

describe.runIf(isBuilt)('a project of many small files', () => {
  it(`${FILES} of them, half in functions/`, { timeout: 600_000 }, async () => {
    const inFunctions = many(FILES / 2, (n) => [
      `supabase/functions/f${n >> 1}/${n % 2 === 0 ? 'index' : 'helper'}.ts`,
      n % 2 === 0 ? `import { a } from './helper.ts'\n${FUNCTION}` : 'export const a = 1\n',
    ])
    const code = many(FILES / 4, (n) => [`src/part-${n % 200}/file-${n}.ts`, `export const a = ${n}\n`])
    const sql = many(FILES / 4, (n) => [`docs/part-${n % 200}/note-${n}.sql`, `select ${n};\n`])
    await audits({ ...inFunctions, ...code, ...sql }, ['send'])
  })

  it.runIf(LONG)(`${MIGRATIONS} migrations`, { timeout: 300_000 }, async () => {
    const migrations = many(MIGRATIONS, (n) => [
      `supabase/migrations/${20250101000000 + n}_step.sql`,
      `create table t${n} (id int primary key, status text);\nalter table t${n} add column a int;\n`,
    ])
    expect((await audits(migrations, ['send'])).coverage.sqlFiles).toBe(MIGRATIONS + 1)
  })
})

describe.runIf(isBuilt && LONG)('a dump of 50 MB as a migration', { timeout: 300_000 }, () => {
  const both = ['send', 'after']

  it('of one INSERT a row', async () => {
    await audits(dump(repeat(`insert into big values ${ROW};\n`)), both)
  })

  it('of one INSERT for all', async () => {
    await audits(dump(`insert into big values ${repeat(`${ROW},\n`)}${ROW};\n`), both)
  })

  it('as COPY', async () => {
    await audits(dump(`copy big from stdin;\n${repeat('1\ta;b\t{"a": $$}\t\\N\n')}\\.\n`), both)
  })
})

describe.runIf(isBuilt && LONG)(
  'many statements that speak of jobs, each of which is run',
  { timeout: 300_000 },
  () => {
    it('a log of 60,000 rows: adding a row does not copy those before', async () => {
      const row = `insert into big values (1, 'cron.schedule(', '{}', now());\n`
      await audits(dump(row.repeat(60_000)), ['send', 'after'])
    })

    it('5,000 jobs', async () => {
      const names = Array.from({ length: 5_000 }, (_, n) => `job-${n}`)
      await audits({ 'supabase/migrations/2_b.sql': names.map(job).join('') }, ['send', ...names])
    })
  },
)
