import { describe, expect, it } from 'vitest'
import type { AuditOutcome } from '../../src/audit.js'
import { exitCodeOf, isIncomplete, type ExitOptions, type FailOn } from '../../src/cli/exit-code.js'
import type { Finding, Report, Severity } from '../../src/model/index.js'
import { emptyReport } from '../../src/report/empty.js'
import { sample } from '../report/sample.js'

const defaults: ExitOptions = { failOn: 'error', strict: false, allowEmpty: false }
const whole: Report = { ...emptyReport('1', { code: 'x', severity: 'info', message: 'a note' }) }
const fault = { where: 'rule x', message: 'undefined is not a function' }

function outcome(severities: readonly Severity[], faults = 0, report: Report = whole): AuditOutcome {
  const findings = severities.map((severity) => ({ ...(sample.findings[0] as Finding), severity }))
  return {
    kind: 'report',
    report: { ...report, findings },
    faults: Array.from({ length: faults }, () => fault),
    sources: () => null,
  }
}

const incomplete: Report = { ...whole, coverage: { ...whole.coverage, functionsUnknown: 1 } }

describe('exitCodeOf', () => {
  const matrix: readonly (readonly [Severity, FailOn, number])[] = [
    ['info', 'none', 0],
    ['info', 'info', 1],
    ['info', 'warning', 0],
    ['info', 'error', 0],
    ['warning', 'none', 0],
    ['warning', 'info', 1],
    ['warning', 'warning', 1],
    ['warning', 'error', 0],
    ['error', 'none', 0],
    ['error', 'info', 1],
    ['error', 'warning', 1],
    ['error', 'error', 1],
  ]
  it.each(matrix)('%s finding with --fail-on %s: %i', (severity, failOn, code) => {
    expect(exitCodeOf(outcome([severity]), { ...defaults, failOn })).toBe(code)
    // What could not be analysed turns a 0 into a 4 with --strict, and never a 1.
    expect(exitCodeOf(outcome([severity], 0, incomplete), { ...defaults, failOn })).toBe(code)
    expect(exitCodeOf(outcome([severity], 0, incomplete), { ...defaults, failOn, strict: true })).toBe(code || 4)
    expect(exitCodeOf(outcome([severity]), { ...defaults, failOn, strict: true })).toBe(code)
    // A fault wins over all.
    for (const strict of [false, true]) {
      expect(exitCodeOf(outcome([severity], 1, incomplete), { failOn, strict, allowEmpty: true })).toBe(70)
    }
  })

  it('is 0 without findings, and looks at all findings', () => {
    expect(exitCodeOf(outcome([]), defaults)).toBe(0)
    expect(exitCodeOf(outcome(['info', 'warning', 'error', 'info']), defaults)).toBe(1)
  })

  it('does not count suppressed findings', () => {
    const report = { ...whole, suppressed: sample.suppressed }
    expect(exitCodeOf(outcome([], 0, report), { ...defaults, failOn: 'info' })).toBe(0)
  })

  it.each([
    ['nothing', false, 3],
    ['nothing', true, 0],
    ['unreadable', false, 2],
    ['unreadable', true, 2],
  ] as const)('%s with allowEmpty %s: %i, whatever --fail-on and --strict say', (kind, allowEmpty, code) => {
    for (const failOn of ['none', 'info', 'warning', 'error'] as const) {
      for (const strict of [false, true]) {
        expect(exitCodeOf({ kind, message: 'because' }, { failOn, strict, allowEmpty })).toBe(code)
      }
    }
  })
})

describe('isIncomplete', () => {
  it('is true for everything that could not be analysed', () => {
    expect(isIncomplete(whole)).toBe(false)
    for (const key of ['statementsFailed', 'ticksUnresolved', 'functionsUnknown'] as const) {
      expect(isIncomplete({ ...whole, coverage: { ...whole.coverage, [key]: 1 } })).toBe(true)
    }
  })

  it('is true for a diagnostic that is more than a note', () => {
    for (const severity of ['error', 'warning'] as const) {
      expect(isIncomplete({ ...whole, diagnostics: [{ code: 'x', severity, message: 'm' }] })).toBe(true)
    }
  })
})
