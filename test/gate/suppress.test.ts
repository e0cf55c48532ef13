import { afterAll, describe, expect, it } from 'vitest'
import { suppress } from '../../src/gate/index.js'
import type { Finding, Report } from '../../src/model/index.js'
import { sample } from '../report/sample.js'
import { FUNCTION, MIGRATION, migration, outcomeOf, racing, racingProject, removeProjects } from './project.js'

afterAll(removeProjects)

const RULES = ['effect-before-claim', 'no-claim']

async function gated(files: Readonly<Record<string, string>>): Promise<Report> {
  const { report, sources } = await outcomeOf(files)
  return suppress(report, { sources, rules: RULES })
}

const codes = (report: Report) =>
  report.diagnostics.map(({ code }) => code).filter((code) => code.startsWith('ignore-'))
const IGNORE = 'tick-audit-ignore effect-before-claim: resend refuses repeats'

describe('suppress', () => {
  it.each([
    ['at the effect', FUNCTION, racing.replace("method: 'POST',", "method: 'POST', /* " + IGNORE + ' */')],
    ['above the effect', FUNCTION, racing.replace('    await fetch', `    // ${IGNORE}\n    await fetch`)],
    ['at the pick', FUNCTION, racing.replace('.limit(20)\n', `.limit(20) // ${IGNORE}\n`)],
    ['at the loop', FUNCTION, racing.replace('?? []) {', `?? []) { // ${IGNORE}`)],
    ['at the late write', FUNCTION, racing.replace('letter.id)\n', `letter.id) // ${IGNORE}\n`)],
    ['at the schedule', MIGRATION, migration.replace('select cron', `-- ${IGNORE}\nselect cron`)],
    ['at the request', MIGRATION, migration.replace('  $$ select net', (text) => `  -- ${IGNORE}\n${text}`)],
  ])('takes a finding out by a comment %s', async (_, file, text) => {
    const report = await gated({ ...racingProject, [file]: text })
    expect(report.findings).toEqual([])
    expect(report.suppressed).toMatchObject([
      {
        ruleId: 'effect-before-claim',
        suppression: { reason: 'resend refuses repeats', location: { file } },
      },
    ])
    expect(report.summary).toMatchObject({ suppressed: 1, baselined: 0, bySeverity: { error: 0 }, byRule: {} })
    expect(report.summary.byVerdict.race).toBe(1)
    expect(codes(report)).toEqual([])
  })

  it('leaves a finding that no comment speaks of, and says so', async () => {
    const elsewhere = racing.replace("  return new Response('ok')", `  return new Response('ok') // ${IGNORE}`)
    const report = await gated({ ...racingProject, [FUNCTION]: elsewhere })
    expect(report.findings).toHaveLength(1)
    expect(report.diagnostics).toMatchObject([
      { code: 'ignore-unused', severity: 'warning', location: { file: FUNCTION, startLine: 9 } },
    ])
  })

  it.each([
    ['ignore-unused', 'tick-audit-ignore no-claim: another rule', []],
    ['ignore-without-reason', 'tick-audit-ignore effect-before-claim', []],
    ['ignore-without-rule', 'tick-audit-ignore: all of it', []],
    ['ignore-unknown-rule', 'tick-audit-ignore effect-befor-claim: a word wrong', []],
    ['ignore-unused', 'tick-audit-ignore effect-before-claim, no-claim: both', ['effect-before-claim']],
  ])('%s: %s', async (code, comment, suppressed) => {
    const report = await gated({
      ...racingProject,
      [FUNCTION]: racing.replace('    await fetch', `// ${comment}\n await fetch`),
    })
    expect(codes(report)).toEqual([code])
    expect(report.suppressed.map(({ ruleId }) => ruleId)).toEqual(suppressed)
    expect(report.findings).toHaveLength(1 - suppressed.length)
  })

  it('takes a comment at one of two schedules for that one alone', async () => {
    const twice = migration + migration.slice(migration.indexOf('select cron')).replace("'post-letters'", "'again'")
    const first = twice.replace('select cron', `-- ${IGNORE}\nselect cron`)
    const one = await gated({ ...racingProject, [MIGRATION]: first })
    expect(one.findings).toHaveLength(1)
    expect(codes(one)).toEqual(['ignore-partial'])
    const both = await gated({
      ...racingProject,
      [MIGRATION]: twice.replaceAll('select cron', `-- ${IGNORE}\nselect cron`),
    })
    expect(both.findings).toEqual([])
    expect(codes(both)).toEqual([])
  })

  it('looks at more files where told to', () => {
    const options = { sources: () => '// tick-audit-ignore no-claim: gone', rules: RULES, files: ['x.ts'] }
    const report = suppress(
      { ...sample, findings: [], suppressed: [], ticks: [], functions: [], diagnostics: [] },
      options,
    )
    expect(report.diagnostics).toMatchObject([{ code: 'ignore-unused', location: { file: 'x.ts' } }])
  })

  it('finds use in a comment whose finding was not asked for', () => {
    const finding = sample.findings[0] as Finding
    const line = '// tick-audit-ignore effect-before-claim: because'
    const text = Array.from({ length: finding.location.startLine }, (_, at) =>
      at === finding.location.startLine - 1 ? line : '',
    )
    const bare = { ...sample, findings: [], suppressed: [], diagnostics: [] }
    const sources = (file: string) => (file === finding.location.file ? text.join('\n') : null)
    expect(codes(suppress(bare, { sources, rules: RULES }))).toEqual(['ignore-unused'])
    expect(codes(suppress(bare, { sources, rules: RULES, omitted: [finding] }))).toEqual([])
  })
})
