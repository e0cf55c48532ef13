import { describe, expect, it } from 'vitest'
import { renderJson } from '../../src/report/json.js'
import { sample } from './sample.js'

/** The same value with every object's fields the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}

describe('renderJson', () => {
  it('is the report and nothing else, indented by two, with a newline at the end', () => {
    const text = renderJson(sample)
    expect(JSON.parse(text)).toEqual(sample)
    expect(text.startsWith('{\n  "schemaVersion": "1.0",\n')).toBe(true)
    expect(text.endsWith('\n}\n')).toBe(true)
  })

  it('has the contract’s order', () => {
    const report = JSON.parse(renderJson(sample)) as typeof sample
    expect(Object.keys(report)).toEqual([
      'schemaVersion',
      'tool',
      'summary',
      'coverage',
      'ticks',
      'functions',
      'findings',
      'suppressed',
      'diagnostics',
    ])
    expect(Object.keys(report.findings[0] ?? {}).slice(0, 5)).toEqual([
      'ruleId',
      'severity',
      'confidence',
      'message',
      'location',
    ])
    expect(Object.keys(report.suppressed[0] ?? {}).at(-1)).toBe('suppression')
  })

  it('gives the same bytes however the object was built', () => {
    expect(renderJson(reversed(sample) as typeof sample)).toBe(renderJson(sample))
  })

  it('keeps fields that the contract does not name, behind the others', () => {
    const more = { zeta: 1, alpha: { b: 1, a: 2 }, ...sample }
    const report = JSON.parse(renderJson(more)) as object
    expect(Object.keys(report).slice(-2)).toEqual(['alpha', 'zeta'])
    expect(report).toEqual(more)
  })
})
