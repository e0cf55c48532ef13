import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { baselineOf, loadConfig, mergeConfig } from '../../src/config/index.js'

const RULES = ['no-claim', 'check-then-act', 'unchecked-claim']
let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tick-audit-config-'))
  mkdirSync(join(root, '.git'))
  mkdirSync(join(root, 'apps', 'api'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true }))

function write(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  return join(root, path)
}

const load = (named: string | false | null = null, start = 'apps/api') => loadConfig(named, join(root, start), RULES)
const messageOf = (loaded: ReturnType<typeof loadConfig>) => (loaded.kind === 'invalid' ? loaded.message : loaded.file)

describe('the configuration file', () => {
  it('is looked for upwards, up to the root of the repository', () => {
    expect(load()).toEqual({ kind: 'config', config: {}, file: null })
    const far = write('tick-audit.json', '{"assumedRows": 1}')
    expect(load()).toEqual({ kind: 'config', config: { assumedRows: 1 }, file: far })
    const near = write('apps/tick-audit.jsonc', '// near\n{"assumedRows": 2,}')
    expect(load()).toEqual({ kind: 'config', config: { assumedRows: 2 }, file: near })
    mkdirSync(join(root, 'apps', 'api', '.git'))
    expect(load()).toEqual({ kind: 'config', config: {}, file: null })
  })

  it('may be a key of package.json, which else does not matter', () => {
    write('apps/package.json', '{"name": "x", "devDependencies": {"tick-audit": "1"}}')
    write('apps/api/package.json', '{ "tick-audit": ')
    const file = write('package.json', '{"name": "x", "tick-audit": {"failOn": "warning"}}')
    write('apps/api/package.json', 'not JSON, tick-audit')
    expect(load()).toEqual({ kind: 'config', config: { failOn: 'warning' }, file })
  })

  it('is one: several in one folder are for the user to choose from', () => {
    write('tick-audit.json', '{}')
    write('package.json', '{"tick-audit": {}}')
    expect(messageOf(load())).toMatch(/several configurations, tick-audit\.json and package\.json: keep one/)
    expect(load(join(root, 'tick-audit.json')).kind).toBe('config')
  })

  it('can be named, or not wanted', () => {
    write('tick-audit.json', '{"rulse": 1}')
    const named = write('other.json', '\ufeff{"$schema": "x", "failOn": "none"}')
    expect(load(named)).toEqual({ kind: 'config', config: { failOn: 'none' }, file: named })
    expect(load(false)).toEqual({ kind: 'config', config: {}, file: null })
    expect(loadConfig(null, null, RULES)).toEqual({ kind: 'config', config: {}, file: null })
    expect(messageOf(load(join(root, 'gone.json')))).toMatch(/gone\.json: the configuration cannot be read \(ENOENT\)/)
    expect(messageOf(load(root))).toContain('EISDIR')
  })

  it('is refused with file, line, column and a hint, a line for each mistake', () => {
    const file = write(
      'tick-audit.json',
      '{\n  "failOn": "error",\n  "rules": { "no-clami": "off" },\n  "rows": 1\n}\n',
    )
    expect(messageOf(load())?.split('\n')).toEqual([
      `${file}:3:14: unknown rule "no-clami" in rules. Did you mean "no-claim"?`,
      expect.stringContaining(`${file}:4:3: unknown key "rows".`),
    ])
  })

  it.each([
    ['{"failOn": }', ':1:12: this is no JSON: value expected.'],
    ['', ':1:1: this is no JSON: value expected.'],
    ['{"failOn": "error"', 'this is no JSON: close brace expected.'],
    ['{} {}', 'this is no JSON: end of file expected.'],
    ['['.repeat(200_000), '1:1: '],
    ['null', ':1:1: the configuration is null, but has to be an object.'],
  ])('that cannot be read is said to be so: %.20s', (text, message) => {
    write('tick-audit.json', text)
    expect(messageOf(load())).toContain(message)
  })

  it('of package.json is placed in package.json', () => {
    const file = write('package.json', '{\n  "tick-audit": {\n    "failon": "error"\n  }\n}')
    expect(messageOf(load())).toBe(`${file}:3:5: unknown key "failon". Did you mean "failOn"?`)
    const empty = write('named/package.json', '{}')
    expect(messageOf(load(empty))).toContain('there is no configuration in this file')
  })
})

describe('the command line', () => {
  it('wins over the file, and the file over the defaults', () => {
    const merged = mergeConfig({ assumedRows: 5, maxRunSeconds: 150 }, { assumedRows: 7, failOn: undefined }, RULES)
    expect(merged).toMatchObject({ assumedRows: 7, maxRunSeconds: 150, failOn: 'error', migrationsOnly: false })
  })

  it('turns rules on and off', () => {
    const rules = { 'no-claim': 'off', 'check-then-act': 'info' } as const
    expect(mergeConfig({ rules }, {}, RULES).rules).toEqual(rules)
    expect(mergeConfig({ rules }, { only: ['no-claim'] }, RULES).rules).toEqual({
      'check-then-act': 'off',
      'unchecked-claim': 'off',
    })
    expect(mergeConfig({ rules }, { only: ['check-then-act'] }, RULES).rules['check-then-act']).toBe('info')
    expect(mergeConfig({ rules }, { skip: ['unchecked-claim'] }, RULES).rules).toEqual({
      ...rules,
      'unchecked-claim': 'off',
    })
  })
})

it('finds the baseline beside the file that names it', () => {
  const config = mergeConfig({}, {}, RULES)
  expect(baselineOf({ config, file: null })).toBeUndefined()
  expect(baselineOf({ config: { ...config, baseline: null }, file: null })).toBe(false)
  const file = join(root, 'conf', 'tick-audit.json')
  expect(baselineOf({ config: { ...config, baseline: 'known.json' }, file })).toBe(join(root, 'conf', 'known.json'))
})
