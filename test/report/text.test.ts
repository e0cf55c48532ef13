import { describe, expect, it } from 'vitest'
import type { Finding, Report } from '../../src/model/index.js'
import { emptyReport } from '../../src/report/empty.js'
import { renderText } from '../../src/report/text.js'
import { sample, sampleSources } from './sample.js'

const plain = { sources: sampleSources, color: false, width: 100 }
const lateClaim = sample.findings[0] as Finding
// eslint-disable-next-line no-control-regex
const stripColors = (text: string): string => text.replace(/\u001b\[[0-9;]*m/g, '')

const clean: Report = {
  ...sample,
  summary: {
    ...sample.summary,
    bySeverity: { error: 0, warning: 0, info: 0 },
    byRule: {},
    byVerdict: { race: 0, safe: 2, broadcast: 0, 'no-row-work': 0, unknown: 0 },
    suppressed: 0,
  },
  coverage: { ...sample.coverage, statementsFailed: 0, functionsUnknown: 0 },
  functions: sample.functions
    .filter((entry) => entry.verdict === 'race')
    .map((entry) => ({ ...entry, verdict: 'safe', claims: ['row-claim'] })),
  findings: [],
  suppressed: [],
  diagnostics: [],
}

describe('renderText', () => {
  it('prints the sample as the golden file has it', async () => {
    await expect(renderText(sample, plain)).toMatchFileSnapshot('sample.text.txt')
  })

  it('tells a finding in the order what, where, how, what happens, what to do', () => {
    const text = renderText({ ...sample, findings: [lateClaim] }, plain)
    const order = [
      'effect-before-claim',
      'The Resend e-mail is sent before',
      'supabase/functions/send-reminders/index.ts:15:11',
      '1. schedule',
      '2. dispatch',
      '3. pick',
      '4. loop',
      '5. effect',
      '6. mark',
      'What happens',
      'Do this',
      'const { data: claimed }',
      '3 findings',
      'Function ',
      'Read: ',
    ].map((part) => text.indexOf(part))
    expect(order).not.toContain(-1)
    expect(order).toEqual([...order].sort((left, right) => left - right))
  })

  it('prints the worst finding first, and keeps the order among equals', () => {
    const text = renderText(sample, plain)
    const order = ['error  effect', 'warning  unconditional', 'info  unknown-host'].map((part) => text.indexOf(part))
    expect(order).toEqual([...order].sort((left, right) => left - right))
  })

  it('shows the overlap arithmetic as a sum that can be checked', () => {
    expect(renderText(sample, plain)).toContain(
      '50 rows × 0.5–30 s ÷ 1 at a time = 25–1500 s against a tick every 120 s → possible',
    )
  })

  it('says in words when a tick fires, unless the step says it itself', () => {
    const text = renderText(sample, plain)
    expect(text).toContain('Tick `send-reminders` fires (every 2 minutes, `*/2 * * * *`)')
    expect(text).toContain('Tick `digest` fires every Monday at 06:00 UTC (`0 6 * * 1`)')
  })

  it('does not repeat the sentence of the finding in its step', () => {
    const trace = lateClaim.trace.map((step) =>
      step.role === 'effect' ? { ...step, message: lateClaim.message } : step,
    )
    const text = renderText({ ...sample, findings: [{ ...lateClaim, trace }] }, plain)
    expect(text).toContain('5. effect    the effect that this is about')
  })

  it('underlines the place of the finding with ^ and the other places with -', () => {
    const lines = renderText(sample, plain).split('\n')
    const marked = lines.findIndex((line) => line.includes('^^^'))
    expect(lines[marked - 1]).toContain('await resend.emails.send(')
    expect(lines[marked]?.indexOf('^')).toBe(lines[marked - 1]?.indexOf('resend.emails'))
    expect(lines[marked]).toContain('^'.repeat('resend.emails.send('.length))
    expect(lines.some((line) => line.includes('│ ') && line.includes('------'))).toBe(true)
  })

  it('draws the code of a dispatch that several findings share once, every time with -v', () => {
    const code = 'select net.http_post(url'
    const times = (text: string): number => text.split(code).length - 1
    expect(times(renderText(sample, plain))).toBe(1)
    expect(times(renderText(sample, { ...plain, verbose: true }))).toBe(2)
  })

  it('keeps to 100 columns, and to a narrow terminal, but for places and code to be copied', () => {
    for (const width of [60, 100, 400]) {
      const code = new Set((lateClaim.fix.code ?? '').split('\n').map((line) => line.trim()))
      const wide = renderText(sample, { ...plain, width })
        .split('\n')
        .filter((line) => line.length > Math.min(width, 100) && !/:\d+:\d+$/.test(line) && !code.has(line.trim()))
      expect(wide).toEqual([])
    }
  })

  it('adds nothing but colours: stripped of colours the text is the plain one', () => {
    const colored = renderText(sample, { ...plain, color: true })
    expect(colored).toContain('\u001b[')
    expect(stripColors(colored)).toBe(renderText(sample, plain))
    expect(renderText(sample, plain)).not.toContain('\u001b')
  })

  it('neutralises control characters in names, messages and code', () => {
    const hostile = '\u001b]8;;http://evil\u0007x\u009b2J\u202e'
    const text = renderText(
      {
        ...sample,
        ticks: sample.ticks.map((tick) => ({ ...tick, name: hostile })),
        functions: sample.functions.map((entry) => ({ ...entry, name: hostile, ticks: [hostile] })),
        findings: [
          {
            ...lateClaim,
            message: hostile,
            function: hostile,
            table: hostile,
            fix: { ...lateClaim.fix, code: hostile },
          },
        ],
        diagnostics: [{ code: hostile, severity: 'warning', message: hostile }],
      },
      { ...plain, sources: (file) => sampleSources(file)?.replace('await resend', `${hostile} resend`) ?? null },
    )
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(text).toContain('␛]8;;http://evil')
  })

  it('tells a clean run in a line and its coverage', () => {
    expect(renderText(clean, plain)).toBe(
      'No findings in 2 functions behind 2 ticks: 2 safe.\n' +
        'Read: 12 SQL files (148 statements) · 2 ticks resolved · 2 functions analysed\n',
    )
  })

  it('never calls a run clean that could not decide everything', () => {
    const undecided: Report = {
      ...clean,
      summary: { ...clean.summary, byVerdict: { ...clean.summary.byVerdict, unknown: 1 } },
      functions: sample.functions.filter((entry) => entry.verdict === 'unknown'),
      coverage: { ...clean.coverage, functionsUnknown: 1 },
    }
    const text = renderText(undecided, plain)
    expect(text).toContain('No findings, but not everything could be decided')
    expect(text).toContain('`track-event`: its source is not in supabase/functions')
    const lost = { ...clean, functions: [] }
    expect(renderText(lost, plain)).toContain('no function was found behind the 2 ticks')
    expect(renderText({ ...lost, ticks: [] }, plain)).toContain('no active tick sends a request')
  })

  it('says that nothing was audited, and why', () => {
    const empty = emptyReport('1.2.3', { code: 'nothing-to-audit', severity: 'warning', message: 'No project here.' })
    const text = renderText(empty, plain)
    expect(text).toContain('Nothing was audited.')
    expect(text).toContain('No project here.')
  })

  it('counts suppressed findings, and lists them with their reasons with -v', () => {
    expect(renderText(sample, plain)).toContain('(1 suppressed)')
    expect(renderText(sample, plain)).not.toContain('refuses a second message')
    expect(renderText(sample, { ...plain, verbose: true })).toContain('refuses a second message')
  })

  it('counts notes, and lists them with -v', () => {
    expect(renderText(sample, plain)).toContain('1 note not shown; -v lists it.')
    expect(renderText(sample, { ...plain, verbose: true })).toContain('comes from the vault')
  })

  it('groups diagnostics by code and lists five of each, all with -v', () => {
    const many = Array.from({ length: 8 }, (_, index) => ({
      code: 'sql-not-parsed',
      severity: 'warning' as const,
      message: `statement number ${index}`,
    }))
    const report = { ...clean, diagnostics: many }
    const text = renderText(report, plain)
    expect(text).toContain('sql-not-parsed (8)')
    expect(text.match(/statement number/g)).toHaveLength(5)
    expect(text).toContain('and 3 more')
    expect(renderText(report, { ...plain, verbose: true }).match(/statement number/g)).toHaveLength(8)
  })

  it('lists calls that lead nowhere known', () => {
    const ticks = clean.ticks.map((tick) => ({
      ...tick,
      dispatches: tick.dispatches.map((dispatch) => ({
        ...dispatch,
        function: null,
        url: '…',
        unresolved: 'the setting app.url is not set by any migration',
      })),
    }))
    expect(renderText({ ...clean, ticks }, plain)).toContain('the setting app.url is not set by any migration')
  })

  it('with -q prints the findings, their count and in a line what is missing', () => {
    const text = renderText(sample, { ...plain, quiet: true })
    expect(text).toContain('effect-before-claim')
    expect(text).not.toContain('Read:')
    expect(text.trimEnd().split('\n').slice(-2)).toEqual([
      '3 findings: 1 error, 1 warning, 1 info (1 suppressed)',
      '1 function could not be decided, 1 SQL statement could not be parsed.',
    ])
  })

  it('gives the functions by verdict, races first', () => {
    const text = renderText(sample, plain)
    const table = text.slice(text.indexOf('Function  '))
    const names = ['send-reminders', 'weekly-digest', 'track-event'].map((name) => table.indexOf(name))
    expect(names).toEqual([...names].sort((left, right) => left - right))
    expect(table).toContain('send-reminders (every 2 minutes)')
  })
})
