import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditProject } from '../../src/audit.js'
import type { AuditOptions } from '../../src/options.js'

const RACING = fileURLToPath(new URL('../../src/fixtures/embedding-drain/racing/supabase', import.meta.url))
const FUNCTION = 'supabase/functions/embedding-drain/index.ts'

const root = mkdtempSync(join(tmpdir(), 'tick-audit-options-'))
beforeAll(() => {
  cpSync(RACING, join(root, 'supabase'), { recursive: true })
  mkdirSync(join(root, 'supabase', 'manual'))
  writeFileSync(
    join(root, 'supabase', 'manual', 'jobs.sql'),
    "select cron.schedule('by-hand', '0 3 * * *', $$ select net.http_post('https://x.supabase.co/functions/v1/embedding-drain') $$);\n",
  )
  writeFileSync(
    join(root, 'supabase', 'migrations', '0070_sql_only.sql'),
    "select cron.schedule('vacuum', '@hourly', 'vacuum');\n",
  )
})
afterAll(() => rmSync(root, { recursive: true }))

async function audit(options: AuditOptions = {}) {
  const outcome = await auditProject(root, options)
  if (outcome.kind !== 'report') throw new Error(outcome.message)
  return outcome
}

describe('without options', () => {
  it('says of each tick when it fires and where it comes from, and lists the jobs that only run SQL', async () => {
    const { report, quiet } = await audit()
    expect(report.ticks.map(({ name, words, origin }) => [name, words, origin])).toEqual([
      ['embedding-drain', 'every 2 minutes', undefined],
      ['by-hand', 'at 03:00 every day', 'other'],
    ])
    expect(quiet).toMatchObject([{ name: 'vacuum', words: 'every hour', intervalSeconds: 3600, active: true }])
    expect(report.findings).toMatchObject([{ ruleId: 'effect-before-claim', severity: 'error' }])
  })
})

describe('the sums', () => {
  it('take the latencies and the cap that they are given', async () => {
    // The worst is the timeout that stands in the code
    const { report } = await audit({
      latencies: { embedding: { typicalSeconds: 0.1, worstSeconds: 0.2 } },
      maxRunSeconds: 4,
    })
    expect(report.findings[0]).toMatchObject({
      severity: 'warning',
      overlap: { level: 'unlikely', typicalSeconds: 4, perRow: [{ typicalSeconds: 0.1, worstSeconds: 30 }] },
    })
  })
})

describe('the catalogue', () => {
  it('knows what is no effect after all', async () => {
    const { report } = await audit({ notEffects: [{ call: 'embeddings.create' }] })
    expect(report.functions).toMatchObject([{ name: 'embedding-drain', verdict: 'no-row-work' }])
    expect(report.findings).toEqual([])
  })

  it('knows the user’s own effects, before its own', async () => {
    const effects = [{ call: 'embeddings.create', class: 'payment', title: 'Acme' }] as const
    const { report } = await audit({ effects })
    expect(report.findings[0]?.effects).toMatchObject([{ title: 'Acme', kind: 'money' }])
  })
})

describe('rules', () => {
  it('that are off leave no finding, but the verdict and what was left out', async () => {
    const { report, omitted } = await audit({ rules: { 'effect-before-claim': 'off' } })
    expect(report.findings).toEqual([])
    expect(report.summary.bySeverity.error).toBe(0)
    expect(report.functions[0]?.verdict).toBe('race')
    expect(omitted).toMatchObject([{ ruleId: 'effect-before-claim', severity: 'error' }])
  })
})

describe('include and exclude', () => {
  it('leave out ticks that are defined there', async () => {
    const { report } = await audit({ exclude: ['supabase/manual'] })
    expect(report.ticks.map(({ name }) => name)).toEqual(['embedding-drain'])
    expect(report.functions[0]?.ticks).toEqual(['embedding-drain'])
    expect((await audit({ exclude: ['**/0070_*'] })).quiet).toEqual([])
  })

  it('leave out functions, with the calls of them and what is found in them', async () => {
    for (const options of [
      { exclude: ['supabase/functions/embedding-*'] },
      { include: ['supabase/functions/other'] },
    ]) {
      const { report, omitted } = await audit(options)
      expect(report).toMatchObject({ ticks: [], functions: [], findings: [] })
      expect(omitted).toHaveLength(1)
    }
    const { report } = await audit({ include: [FUNCTION] })
    expect(report).toMatchObject({ functions: [{}], findings: [{}] })
    expect(report.ticks).toHaveLength(2)
  })
})

describe('an export of cron.job', () => {
  const command = "select net.http_post('https://x.supabase.co/functions/v1/embedding-drain')"
  const text = JSON.stringify([{ jobname: 'embedding-drain', schedule: '5 seconds', command, active: true }])

  it('counts beside the SQL: of a job that both know, its word counts', async () => {
    const file = join(root, 'exports', 'jobs.json')
    const { report, sources } = await audit({ cronJobDump: { file, text, mode: 'beside' } })
    expect(report.ticks.map(({ name, origin, intervalSeconds }) => [name, origin, intervalSeconds])).toEqual([
      ['by-hand', 'other', 86_400],
      ['embedding-drain', 'dump', 5],
    ])
    expect(report.ticks[1]?.location.file).toBe('exports/jobs.json')
    expect(sources('exports/jobs.json')).toBe(text)
  })

  it('is told of where a job of it cannot be read', async () => {
    const broken = 'jobname,schedule,command\na,* * * * *,select ))\nb,* * * * *,\n'
    const { report } = await audit({ cronJobDump: { file: join(root, 'a.csv'), text: broken, mode: 'beside' } })
    const told = report.diagnostics.filter(({ location }) => location?.file === 'a.csv')
    expect(told.map(({ code, location }) => [code, location?.startLine])).toEqual([
      ['sql-not-parsed', 2],
      ['cron-job-dump', 3],
    ])
  })

  it('counts instead of the SQL, and never by an absolute path', async () => {
    const { report, quiet } = await audit({ cronJobDump: { file: '/somewhere/jobs.json', text, mode: 'instead' } })
    expect(report.findings[0]?.trace[0]?.location.file).toBe('jobs.json')
    expect(report.ticks.map(({ name, location }) => [name, location.file])).toEqual([['embedding-drain', 'jobs.json']])
    expect(quiet).toEqual([])
  })
})
