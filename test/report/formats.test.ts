import { describe, expect, it } from 'vitest'
import type { Report } from '../../src/model/index.js'
import { formatNames, formats } from '../../src/report/index.js'
import { renderJson } from '../../src/report/json.js'
import { hostile } from './hostile.js'
import { sampleRules } from './sample-rules.js'
import { sample, sampleSources } from './sample.js'

const context = { sources: sampleSources, color: false, width: 80, rules: sampleRules }

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

describe.each(formatNames)('format %s', (name) => {
  it('gives the same bytes for the same report: once more, from a saved one, with fields in another order', async () => {
    const render = await formats[name].load()
    const text = render(sample, context)
    const saved = renderJson(sample)
    expect(render(sample, context)).toBe(text)
    expect(render(JSON.parse(saved) as Report, context)).toBe(text)
    expect(render(reversed(sample) as Report, context)).toBe(text)
  })

  it('leaves the report as it is', async () => {
    const before = structuredClone(sample)
    ;(await formats[name].load())(sample, { ...context, showSuppressed: true, verbose: true })
    expect(sample).toEqual(before)
  })

  it('ends with a line end, and holds no raw control or bidirectional character', async () => {
    const text = (await formats[name].load())(hostile, context)
    expect(text.endsWith('\n')).toBe(true)
    // JSON has its own escapes, and keeps what the project says.
    // eslint-disable-next-line no-control-regex
    if (name !== 'json') expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  it('is quick with many findings', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => ({
      ...sample.findings[index % 3]!,
      fingerprint: `f${index}`,
    }))
    const render = await formats[name].load()
    const start = performance.now()
    render({ ...sample, findings: many }, context)
    expect(performance.now() - start).toBeLessThan(2500)
  })
})
