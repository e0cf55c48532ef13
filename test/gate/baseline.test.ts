import { readFileSync } from 'node:fs'
import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import {
  applyBaseline,
  extendBaseline,
  onlyTouching,
  parseBaseline,
  printBaseline,
  pruneBaseline,
} from '../../src/gate/index.js'
import type { Report } from '../../src/model/index.js'
import { sample } from '../report/sample.js'

const bare: Report = { ...sample, suppressed: [], summary: { ...sample.summary, suppressed: 0, baselined: 0 } }
const { baseline } = extendBaseline(bare, null, 'before launch')
const [first] = bare.findings

describe('the baseline', () => {
  it('is printed sorted, is valid by its schema, and is read back', () => {
    const text = printBaseline(baseline)
    expect(printBaseline(parseBaseline(text))).toBe(text)
    expect(printBaseline({ ...baseline, entries: [...baseline.entries].reverse() })).toBe(text)
    const schema = JSON.parse(readFileSync(new URL('../../src/schema/baseline.v1.json', import.meta.url), 'utf8'))
    expect(new Ajv2020.default().validate(schema, JSON.parse(text))).toBe(true)
    expect(baseline.entries.map(({ reason }) => reason)).toEqual(bare.findings.map(() => 'before launch'))
  })

  it('takes its findings out, with their reasons', () => {
    const report = applyBaseline(bare, baseline)
    expect(report.findings).toEqual([])
    expect(report.summary).toMatchObject({ suppressed: 0, baselined: bare.findings.length, byRule: {} })
    expect(report.suppressed.map(({ suppression }) => suppression)).toEqual(
      bare.findings.map(() => ({ reason: 'before launch', location: null })),
    )
    expect(report.diagnostics).toEqual(bare.diagnostics)
  })

  it('knows a finding by its fingerprint alone', () => {
    const moved = { ...first!, message: 'other words', location: { ...first!.location, file: 'elsewhere.ts' } }
    expect(applyBaseline({ ...bare, findings: [moved] }, baseline).findings).toEqual([])
    expect(applyBaseline({ ...bare, findings: [{ ...moved, fingerprint: 'new' }] }, baseline).findings).toHaveLength(1)
  })

  it('reports what is stale, and where it stands', () => {
    const less: Report = { ...bare, findings: bare.findings.slice(1), functions: [] }
    const place = { ...first!.location, file: 'tick-audit-baseline.json' }
    const report = applyBaseline(less, baseline, { placeOf: () => place })
    const stale = report.diagnostics.filter(({ code }) => code === 'baseline-stale')
    expect(stale).toMatchObject([{ severity: 'warning', location: place }])
    expect(stale[0]?.message).toContain(first!.fingerprint)
  })

  it('is not stale for what was not asked for, or could not be decided', () => {
    const less: Report = { ...bare, findings: bare.findings.slice(1), functions: [] }
    expect(pruneBaseline(less, baseline).stale).toBe(1)
    expect(pruneBaseline(less, baseline, [first!]).stale).toBe(0)
    const unknown = { ...bare.functions[0]!, name: first!.function!, verdict: 'unknown' as const }
    expect(pruneBaseline({ ...less, functions: [unknown] }, baseline).stale).toBe(0)
  })

  it('grows by new findings, keeps reasons and stale entries; pruned, it only shrinks', () => {
    const old = { ...baseline, entries: [{ ...baseline.entries[0]!, reason: 'kept' }] }
    const grown = extendBaseline(bare, old, 'new')
    expect(grown).toMatchObject({ added: bare.findings.length - 1, stale: 0, kept: 1 })
    expect(grown.baseline.entries[0]?.reason).toBe('kept')
    const empty: Report = { ...bare, findings: [], functions: [] }
    expect(extendBaseline(empty, old, 'new')).toMatchObject({ added: 0, stale: 1, baseline: { entries: old.entries } })
    expect(pruneBaseline(empty, old)).toMatchObject({ stale: 1, baseline: { entries: [] } })
    expect(pruneBaseline(bare, old)).toMatchObject({ added: 0, stale: 0, baseline: { entries: old.entries } })
  })

  const entry = { fingerprint: 'a', ruleId: 'b', function: null, file: 'c', reason: 'd' }
  it.each([
    ['{', 'it is not JSON'],
    ['[]', 'it is not an object'],
    ['{"schemaVersion":"2.0","entries":[]}', 'schemaVersion'],
    ['{"schemaVersion":"1.0"}', 'entries are not a list'],
    ['{"schemaVersion":"1.0","entries":[],"extra":1}', 'a field "extra"'],
    ['{"schemaVersion":"1.0","entries":[7]}', 'entry 1 is not an object'],
    [JSON.stringify({ schemaVersion: '1.0', entries: [entry, { ...entry, reason: ' ' }] }), 'entry 2 has no reason'],
    [JSON.stringify({ schemaVersion: '1.0', entries: [{ ...entry, function: 1 }] }), 'entry 1 has no function'],
    [JSON.stringify({ schemaVersion: '1.0', entries: [{ ...entry, line: 1 }] }), 'entry 1 has a field "line"'],
  ])('refuses %s', (text, message) => {
    expect(() => parseBaseline(text)).toThrow(message)
  })
})

describe('onlyTouching', () => {
  it('keeps what has any place in a changed file, and counts the rest', () => {
    const migration = first!.trace[0]!.location.file
    expect(onlyTouching(bare, new Set([migration])).findings).toContain(first)
    const none = onlyTouching(bare, new Set(['README.md']))
    expect(none.findings).toEqual([])
    expect(none.summary.bySeverity).toEqual({ error: 0, warning: 0, info: 0 })
    expect(none.diagnostics).toContainEqual({
      code: 'unchanged-left-out',
      severity: 'info',
      message: `${bare.findings.length} findings touch no changed file and are left out`,
    })
  })

  it('says nothing of comments elsewhere', () => {
    const location = { ...first!.location, file: 'a.ts' }
    const noted = {
      ...bare,
      diagnostics: [{ code: 'ignore-unused', severity: 'warning' as const, message: '', location }],
    }
    expect(onlyTouching(noted, new Set(['a.ts'])).diagnostics).toContainEqual(noted.diagnostics[0])
    expect(onlyTouching(noted, new Set()).diagnostics).not.toContainEqual(noted.diagnostics[0])
  })
})
