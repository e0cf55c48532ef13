import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import type { Log } from 'sarif'
import { describe, expect, it } from 'vitest'
import { renderSarif } from '../../src/report/sarif.js'
import { rules } from '../../src/rules/index.js'
import { hostile } from './hostile.js'
import { sampleRules } from './sample-rules.js'
import { sample, sampleSources } from './sample.js'

const context = { sources: sampleSources, color: false, width: 80, rules: sampleRules }

/** The standard's own schema, as Microsoft's SARIF package ships it; of draft 4, whose `id` newer validators do not know. */
function officialSchema(): object {
  const path = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')
  const { id: _id, $schema: _schema, ...schema } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  return schema
}

const ajv = addFormats.default(new Ajv.default({ strict: false, allErrors: true, unicodeRegExp: false }))
const valid = ajv.compile(officialSchema())

const logOf = (report = sample, more: object = {}): Log =>
  JSON.parse(renderSarif(report, { ...context, ...more })) as Log

describe('renderSarif', () => {
  it('prints the sample as the golden file has it', async () => {
    await expect(renderSarif(sample, context)).toMatchFileSnapshot('sample.sarif.txt')
  })

  it.each([
    ['the sample', sample, {}],
    ['with all rules of the tool', sample, { rules: rules.map((rule) => rule.meta) }],
    ['with suppressed findings', sample, { showSuppressed: true }],
    ['without rules', sample, { rules: undefined }],
    ['a hostile report', hostile, {}],
    ['an empty report', { ...sample, findings: [], ticks: [], functions: [], diagnostics: [], suppressed: [] }, {}],
  ])('is valid by the official schema: %s', (_, report, more) => {
    expect(valid(logOf(report, more)), JSON.stringify(valid.errors, null, 1)).toBe(true)
  })

  it('is checked by a schema that refuses what is wrong', () => {
    const log = logOf()
    expect(valid({ ...log, version: '2.0.0' })).toBe(false)
    expect(valid({ ...log, runs: [{ ...log.runs[0], columnKind: 'bytes' }] })).toBe(false)
  })

  it('lists every rule whether it spoke or not, with help in Markdown, and points to each by its index', () => {
    const run = logOf().runs[0]
    const listed = run?.tool.driver.rules ?? []
    expect(listed.map((rule) => rule.id)).toEqual([
      'effect-before-claim',
      'lock-only-claim',
      'unconditional-claim',
      'unknown-host-effect',
    ])
    expect(listed[0]?.help?.markdown).toContain('```ts\nfor (const row of rows) {')
    expect(listed[1]?.help?.markdown).toContain('```sql\n-- a routine')
    expect(listed[1]?.defaultConfiguration?.level).toBe('warning')
    for (const result of run?.results ?? []) expect(listed[result.ruleIndex ?? -1]?.id).toBe(result.ruleId)
    const complete = logOf(sample, { rules: rules.map((rule) => rule.meta) }).runs[0]?.tool.driver.rules ?? []
    expect(complete.map((rule) => rule.id)).toEqual(expect.arrayContaining(rules.map((rule) => rule.meta.id)))
    for (const rule of complete) {
      expect(rule.shortDescription?.text.length).toBeLessThanOrEqual(1024)
      expect(rule.fullDescription?.text.length ?? 0).toBeLessThanOrEqual(1024)
    }
  })

  it('carries the trace as related locations and as a code flow', () => {
    const [result] = logOf().runs[0]?.results ?? []
    expect(result?.relatedLocations?.map((location) => location.id)).toEqual([1, 2, 3, 4, 5, 6])
    const flow = result?.codeFlows?.[0]?.threadFlows[0]?.locations ?? []
    expect(flow.map((step) => step.kinds?.[0])).toEqual(['schedule', 'dispatch', 'pick', 'loop', 'effect', 'mark'])
    expect(flow.map((step) => step.executionOrder)).toEqual([1, 2, 3, 4, 5, 6])
    expect(flow.find((step) => step.importance === 'essential')?.kinds).toEqual(['effect'])
  })

  it('gives places as ours are: 1-based, in UTF-16 units, relative to the root', () => {
    const run = logOf().runs[0]
    expect(run?.columnKind).toBe('utf16CodeUnits')
    expect(Object.keys(run?.originalUriBaseIds ?? {})).toEqual(['%SRCROOT%'])
    expect(run?.results?.[0]?.locations?.[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'supabase/functions/send-reminders/index.ts', uriBaseId: '%SRCROOT%' },
      region: { startLine: 15, startColumn: 11, endLine: 15, endColumn: 30 },
    })
    const odd = sample.findings.map((each) => ({ ...each, location: { ...each.location, file: 'a b:c/é#1.ts' } }))
    const uri = logOf({ ...sample, findings: odd }).runs[0]?.results?.[0]?.locations?.[0]?.physicalLocation
    expect(uri?.artifactLocation?.uri).toBe('a%20b%3Ac/%C3%A9%231.ts')
  })

  it('has the fingerprint under a key of its own, and leaves the one of GitHub out', () => {
    expect(logOf().runs[0]?.results?.map((result) => result.partialFingerprints)).toEqual(
      sample.findings.map((finding) => ({ 'tickAudit/v1': finding.fingerprint })),
    )
  })

  it('reports what could not be analysed as notifications', () => {
    const run = logOf().runs[0]
    const notes = run?.invocations?.[0]?.toolExecutionNotifications ?? []
    expect(notes.map((note) => [note.descriptor?.id, note.level])).toEqual([
      ['sql-not-parsed', 'warning'],
      ['url-from-vault', 'note'],
      ['undecided-function', 'warning'],
    ])
    expect(notes[0]?.locations?.[0]?.physicalLocation?.region?.startLine).toBe(4)
    const listed = run?.tool.driver.notifications ?? []
    for (const note of notes) expect(listed[note.descriptor?.index ?? -1]?.id).toBe(note.descriptor?.id)
  })

  it('leaves suppressed findings out unless asked, then with the reason', () => {
    expect(logOf().runs[0]?.results?.some((result) => result.suppressions)).toBe(false)
    expect(logOf(sample, { showSuppressed: true }).runs[0]?.results?.at(-1)?.suppressions).toEqual([
      { kind: 'external', status: 'accepted', justification: 'the provider refuses a second message within a day' },
    ])
  })

  it('lets no text of the project become a link', () => {
    const odd = sample.findings.map((each) => ({ ...each, message: 'see [here](http://evil.example) and [1]' }))
    const text = logOf({ ...sample, findings: odd }).runs[0]?.results?.[0]?.message.text
    expect(text).toContain('see \\[here](http://evil.example) and [1]')
  })
})
