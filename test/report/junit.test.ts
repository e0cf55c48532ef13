import { describe, expect, it } from 'vitest'
import { renderJunit } from '../../src/report/junit.js'
import { hostile } from './hostile.js'
import { sample } from './sample.js'
import { parseXml, type Element } from './xml.js'

/** The structure that Jenkins' XSD for JUnit reports asks for, which GitLab, GitHub actions and CircleCI read as well. */
const STRUCTURE: Readonly<Record<string, { required: string[]; optional: string[]; children: string[] }>> = {
  testsuites: { required: [], optional: ['name', 'tests', 'failures', 'errors', 'time'], children: ['testsuite'] },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['skipped', 'time', 'timestamp', 'hostname', 'id', 'package'],
    children: ['properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    required: ['name', 'classname'],
    optional: ['time', 'assertions', 'status'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: { required: ['type'], optional: ['message'], children: [] },
  skipped: { required: [], optional: ['message'], children: [] },
  'system-out': { required: [], optional: [], children: [] },
}

function faults(element: Element): string[] {
  const rule = STRUCTURE[element.name]
  if (rule === undefined) return [`<${element.name}>`]
  const has = Object.keys(element.attributes)
  return [
    ...rule.required.filter((name) => !has.includes(name)).map((name) => `${element.name} lacks ${name}`),
    ...has
      .filter((name) => ![...rule.required, ...rule.optional].includes(name))
      .map((name) => `${element.name} has ${name}`),
    ...element.children
      .filter((child) => !rule.children.includes(child.name))
      .map((child) => `<${child.name}> in ${element.name}`),
    ...element.children.flatMap(faults),
  ]
}

function all(element: Element, name: string): Element[] {
  return [...(element.name === name ? [element] : []), ...element.children.flatMap((child) => all(child, name))]
}

describe('renderJunit', () => {
  it('prints the sample as the golden file has it', async () => {
    await expect(renderJunit(sample)).toMatchFileSnapshot('sample.junit.txt')
  })

  it.each([
    ['the sample', sample],
    ['a hostile report', hostile],
    ['an empty report', { ...sample, functions: [], findings: [], diagnostics: [], ticks: [] }],
  ])('is well-formed and has the structure of the XSD: %s', (_, report) => {
    const root = parseXml(renderJunit(report))
    expect(root.name).toBe('testsuites')
    expect(faults(root)).toEqual([])
  })

  it('counts what it holds', () => {
    const root = parseXml(renderJunit(sample))
    for (const suite of [root, ...root.children]) {
      expect(suite.attributes['tests']).toBe(String(all(suite, 'testcase').length))
      expect(suite.attributes['failures']).toBe(String(all(suite, 'failure').length))
    }
    for (const suite of root.children) expect(suite.attributes['skipped']).toBe(String(all(suite, 'skipped').length))
  })

  it('fails for warnings and errors, passes notes with their text, and skips what could not be decided', () => {
    const root = parseXml(renderJunit(sample))
    expect(all(root, 'failure').map((failure) => failure.attributes['type'])).toEqual(['error', 'warning'])
    expect(all(root, 'system-out')[0]?.text).toContain('the catalogue does not know this host')
    expect(all(root, 'skipped').map((skipped) => skipped.attributes['message'])).toEqual([
      'its source is not in supabase/functions',
      expect.stringContaining('could not be parsed'),
    ])
  })

  it('passes a function without findings, and keeps findings of no function', () => {
    const safe = sample.functions.map((entry) => ({ ...entry, verdict: 'safe' as const }))
    const clean = parseXml(renderJunit({ ...sample, functions: safe, findings: [], diagnostics: [] }))
    expect(clean.attributes).toMatchObject({ tests: '3', failures: '0' })
    const alone = { ...sample, findings: sample.findings.map((finding) => ({ ...finding, function: null })) }
    expect(all(parseXml(renderJunit(alone)), 'failure')).toHaveLength(2)
  })

  it('names a case by its fingerprint and not by its line', () => {
    const name = all(parseXml(renderJunit(sample)), 'testcase')[0]?.attributes['name']
    expect(name).toBe('effect-before-claim on reminders (ta1:5f0c2b7d)')
  })
})
