import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { closest, didYouMean } from '../../src/closest.js'
import { useColor } from '../../src/cli/color.js'
import { outputsOf, parseOutput, writeOutput } from '../../src/cli/outputs.js'
import { version } from '../../src/package.js'

describe('--format', () => {
  it('reads FORMAT and FORMAT=FILE', () => {
    expect(parseOutput('json')).toEqual({ format: 'json', file: null })
    expect(parseOutput('json=a=b.json')).toEqual({ format: 'json', file: 'a=b.json' })
  })

  it('refuses an unknown format with a guess, and an empty file name', () => {
    expect(() => parseOutput('jsno')).toThrow('unknown format "jsno". Did you mean json?')
    expect(() => parseOutput('constructor')).toThrow('unknown format')
    expect(() => parseOutput('json=')).toThrow('names no file')
  })

  it('is text on standard output by default, and never two documents in one place', () => {
    expect(outputsOf([])).toEqual([{ format: 'text', file: null }])
    const text = { format: 'text', file: null } as const
    expect(outputsOf([text, { format: 'json', file: 'a' }])).toHaveLength(2)
    expect(() => outputsOf([text, { format: 'json', file: null }])).toThrow('both write to standard output')
    expect(() =>
      outputsOf([
        { ...text, file: 'a' },
        { format: 'json', file: 'a' },
      ]),
    ).toThrow('both write to "a"')
  })

  it('writes a file and makes its folder, or says what stands in the way', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tick-audit-'))
    const file = join(folder, 'reports', 'a.json')
    writeOutput(file, '{}\n')
    expect(readFileSync(file, 'utf8')).toBe('{}\n')
    expect(() => writeOutput(folder, '')).toThrow(`cannot write "${folder}"`)
    expect(() => writeOutput(join(file, 'below'), '')).toThrow('cannot write')
    rmSync(folder, { recursive: true })
  })
})

describe('--color', () => {
  const color = (choice: 'auto' | 'always' | 'never', env: Record<string, string>, stdoutIsTTY: boolean): boolean =>
    useColor(choice, { env, stdoutIsTTY })

  it('decides over everything', () => {
    expect(color('always', { NO_COLOR: '1', TERM: 'dumb' }, false)).toBe(true)
    expect(color('never', { FORCE_COLOR: '1' }, true)).toBe(false)
  })

  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: 'false' }, true, false],
    [{ CLICOLOR_FORCE: '1' }, false, true],
    [{ CLICOLOR_FORCE: '0' }, false, false],
    [{ TERM: 'dumb' }, true, false],
    [{ TERM: 'dumb', FORCE_COLOR: '1' }, true, true],
  ])('auto with %o on a terminal %s: %s', (env, isTTY, expected) => {
    expect(color('auto', env as Record<string, string>, isTTY)).toBe(expected)
  })
})

describe('closest', () => {
  it('finds what was meant, and nothing where nothing is near', () => {
    const words = ['effect-before-claim', 'no-claim', 'unchecked-claim']
    expect(closest('no-clami', words)).toBe('no-claim')
    expect(closest('Effect-before-claims', words)).toBe('effect-before-claim')
    expect(closest('something', words)).toBeNull()
    expect(closest('', words)).toBeNull()
    expect(didYouMean('no-calim', words)).toBe(' Did you mean no-claim?')
    expect(didYouMean('x', words)).toBe('')
  })
})

it('knows its version from package.json', () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  expect(version()).toBe((JSON.parse(text) as { version: string }).version)
})
