import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { AuditOutcome } from '../../src/audit.js'
import type { Report } from '../../src/model/index.js'
import { sample, sampleSources } from '../report/sample.js'
import { run, sampleOutcome } from './run.js'

const folder = mkdtempSync(join(tmpdir(), 'tick-audit-'))
afterAll(() => rmSync(folder, { recursive: true }))

const nothing: AuditOutcome = { kind: 'nothing', message: 'There is no Supabase project here.' }
const unreadable: AuditOutcome = { kind: 'unreadable', message: 'There is no "rulse".' }
const clean: AuditOutcome = {
  kind: 'report',
  report: {
    ...sample,
    findings: [],
    diagnostics: [],
    coverage: { ...sample.coverage, functionsUnknown: 0, statementsFailed: 0 },
  },
  faults: [],
  sources: sampleSources,
}
const faulty: AuditOutcome = {
  kind: 'report',
  report: sample,
  faults: [{ where: 'rule no-claim', message: 'x is\nundefined', stack: 'at noClaim (no-claim.ts:1)' }],
  sources: sampleSources,
}

describe('tick-audit [PATH]', () => {
  it('audits without a command name, and with one', async () => {
    for (const args of [[], ['audit']]) {
      const result = await run([...args])
      expect(result.asked).toMatchObject([{ path: null, options: { migrationsOnly: false } }])
      expect(result.code).toBe(1)
      expect(result.stdout).toContain('error  effect-before-claim')
      expect(result.stderr).toBe('')
    }
  })

  it('hands on the path and --migrations-only, wherever they stand', async () => {
    for (const args of [
      ['./supabase', '--migrations-only'],
      ['--migrations-only', './supabase'],
      ['audit', '--migrations-only', './supabase'],
      ['--migrations-only', 'audit', './supabase'],
    ]) {
      expect((await run(args)).asked).toMatchObject([{ path: './supabase', options: { migrationsOnly: true } }])
    }
  })

  it.each([
    ['--fail-on', 'none', 0],
    ['--fail-on', 'warn', 1],
    ['--fail-on', 'warning', 1],
    ['--fail-on', 'info', 1],
  ])('%s %s exits with %i', async (option, value, code) => {
    expect((await run([option, value])).code).toBe(code)
  })

  it('exits with 4 for --strict where something could not be analysed and nothing else fails', async () => {
    const strict = await run(['--strict', '--fail-on', 'none'])
    expect(strict.code).toBe(4)
    expect(strict.stderr).toContain('--strict: 1 function could not be decided, 1 SQL statement could not be parsed')
    expect((await run(['--strict'])).code).toBe(1)
    expect((await run(['--strict'], clean)).code).toBe(0)
  })

  it('never lets a format change the exit code', async () => {
    for (const outcome of [sampleOutcome, clean, nothing, unreadable, faulty]) {
      const codes = await Promise.all(
        ['text', 'json', 'concise', `json=${join(folder, 'x.json')}`].map(
          async (format) => (await run(['-f', format], outcome)).code,
        ),
      )
      expect(new Set(codes).size).toBe(1)
    }
  })
})

describe('-f json', () => {
  it('prints the report and nothing else', async () => {
    const result = await run(['-f', 'json'])
    expect(JSON.parse(result.stdout)).toEqual(sample)
  })

  it.each([
    [nothing, 3, 'nothing-to-audit'],
    [unreadable, 2, 'unreadable-path'],
  ])('prints an empty report that says why, where there is none', async (outcome, code, diagnostic) => {
    const result = await run(['--format', 'json', 'somewhere/else'], outcome)
    const report = JSON.parse(result.stdout) as Report
    expect(report.schemaVersion).toBe('1.0')
    expect(report.findings).toEqual([])
    expect(report.diagnostics).toMatchObject([
      { code: diagnostic, message: 'message' in outcome ? outcome.message : '' },
    ])
    expect(result.code).toBe(code)
    expect(result.stderr).toBe(`tick-audit: ${'message' in outcome ? outcome.message : ''}\n`)
  })

  it('writes to a file and leaves standard output to the others', async () => {
    const file = join(folder, 'deep', 'report.json')
    const result = await run(['-f', 'text', '-f', `json=${file}`])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(sample)
    expect(result.stdout).toContain('3 findings')
    expect((await run(['-f', `json=${file}`])).stdout).toBe('')
  })

  it('exits with 2 where the file cannot be written, and still prints the rest', async () => {
    const result = await run(['-f', `json=${folder}`, '-f', 'text'])
    expect(result.code).toBe(2)
    expect(result.stderr).toContain(`tick-audit: cannot write "${folder}"`)
    expect(result.stdout).toContain('3 findings')
    expect((await run(['-f', `json=${folder}`], faulty)).code).toBe(70)
  })
})

describe('text', () => {
  it('is coloured on a terminal or where asked, and never in a file', async () => {
    expect((await run([], sampleOutcome, { stdoutIsTTY: true })).stdout).toContain('\u001b[')
    expect((await run([])).stdout).not.toContain('\u001b[')
    expect((await run(['--color', 'always'])).stdout).toContain('\u001b[')
    expect((await run([], sampleOutcome, { stdoutIsTTY: true, env: { NO_COLOR: '1' } })).stdout).not.toContain(
      '\u001b[',
    )
    const file = join(folder, 'report.txt')
    await run(['--color', 'always', '-f', `text=${file}`])
    expect(readFileSync(file, 'utf8')).not.toContain('\u001b[')
  })

  it('keeps to the terminal’s width', async () => {
    const { stdout } = await run([], sampleOutcome, { columns: 70 })
    expect(stdout.split('\n')[0]).toHaveLength(70)
  })

  it('says on standard error alone why there is no report', async () => {
    const result = await run([], nothing)
    expect(result).toMatchObject({ code: 3, stdout: '', stderr: 'tick-audit: There is no Supabase project here.\n' })
    expect((await run(['--allow-empty'], nothing)).code).toBe(0)
  })

  it('guesses the command that a path was meant to be', async () => {
    expect((await run(['rulse'], unreadable)).stderr).toBe('tick-audit: There is no "rulse". Did you mean rules?\n')
    expect((await run(['./rulse'], unreadable)).stderr).not.toContain('Did you mean')
  })
})

describe('standard error', () => {
  it('says what a short format leaves out, unless told to be quiet', async () => {
    expect((await run(['-f', 'concise'])).stderr).toContain('1 function could not be decided')
    expect((await run(['-f', 'concise', '-q'])).stderr).toBe('')
    expect((await run(['-f', 'concise'], clean)).stderr).toBe('')
    expect((await run(['-f', 'json'])).stderr).toBe('')
  })

  it('reports faults of tick-audit itself in a line each, with -v in full; the report still stands', async () => {
    const result = await run(['-f', 'json'], faulty)
    expect(result.code).toBe(70)
    expect(JSON.parse(result.stdout)).toEqual(sample)
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(result.stderr).toContain('fault of tick-audit in rule no-claim: x is undefined')
    expect((await run(['-v'], faulty)).stderr).toContain('at noClaim (no-claim.ts:1)')
  })

  it('turns whatever is thrown into one line and exit code 70', async () => {
    const result = await run([], new Error('boom\nand more'))
    expect(result).toMatchObject({ code: 70, stdout: '' })
    expect(result.stderr).toBe(
      'tick-audit: fault of tick-audit itself: boom and more (please report it; -v shows where)\n',
    )
    expect((await run(['-v'], new Error('boom'))).stderr).toContain('audit.test.ts')
  })

  it('shows progress on a terminal after a second and leaves nothing behind, or a line a step with -v', async () => {
    let clock = 0
    const terminal = { stderrIsTTY: true, columns: 80, now: () => (clock += 1000) }
    expect((await run([], sampleOutcome, { stderrIsTTY: true, now: () => 0 })).stderr).toBe('')
    expect((await run([], sampleOutcome, terminal)).stderr).toBe('\r\u001b[2Kreading␛ SQL\r\u001b[2K')
    expect((await run(['-q'], sampleOutcome, terminal)).stderr).toBe('')
    expect((await run([], sampleOutcome, { ...terminal, env: { TERM: 'dumb' } })).stderr).toBe('')
    expect((await run(['-v'])).stderr).toBe('reading␛ SQL\n')
    expect((await run([], new Error('boom'), terminal)).stderr).toContain('\r\u001b[2Ktick-audit: fault')
  })
})

describe('what cannot be understood', () => {
  it.each([
    [['--fromat', 'json'], "unknown option '--fromat' (Did you mean --format?)"],
    [['-f', 'jsn'], 'unknown format "jsn". Did you mean json?'],
    [['-f', 'json', '-f', 'text'], 'both write to standard output'],
    [['-f'], "option '-f, --format <format[=file]>' argument missing"],
    [['--fail-on', 'wran'], '--fail-on knows no "wran". Did you mean warn?'],
    [['--color', 'sometimes'], 'Allowed choices are auto, always, never'],
    [['-q', '-v'], 'cannot be used with'],
    [['one', 'two'], 'too many arguments'],
    [['-f', 'json', 'schema', 'report'], '--format does not apply to "schema"'],
    [['-f', 'html', 'rules'], 'rules has no format "html"'],
    [['explain'], "missing required argument 'rule'"],
    [['explain', 'no-clami'], 'there is no rule "no-clami". Did you mean no-claim?'],
  ])('%j is one line on standard error and exit code 2', async (args, message) => {
    const result = await run(args)
    expect(result).toMatchObject({ code: 2, stdout: '', asked: [] })
    expect(result.stderr).toContain(message)
    expect(result.stderr).toMatch(/^tick-audit: [^\n]+\n$/)
  })
})

describe('the other commands', () => {
  it('prints help with examples and exit codes, and the version', async () => {
    for (const args of [['--help'], ['-h'], ['help']]) {
      const { code, stdout } = await run(args)
      expect(code).toBe(0)
      for (const part of ['--fail-on', '--strict', 'Examples:', 'Exit codes:', '70', 'concise'])
        expect(stdout).toContain(part)
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
    }
    expect((await run(['-V'])).stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })

  it('lists the rules: id, severity, title', async () => {
    const { code, stdout } = await run(['rules'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^effect-before-claim +error +\S/m)
    expect(stdout).toMatch(/^no-claim +error +\S/m)
  })

  it('explains a rule: what, why, example, fix, where it can be wrong, references', async () => {
    const { code, stdout } = await run(['explain', 'no-claim'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^no-claim \(error\)\n/)
    const parts = ['What it finds', 'Why it is a race', 'For example', 'Do this', 'Where it can be wrong', 'References']
    const order = parts.map((part) => stdout.indexOf(part))
    expect(order).not.toContain(-1)
    expect(order).toEqual([...order].sort((left, right) => left - right))
  })
})
