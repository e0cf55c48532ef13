import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { sample } from '../report/sample.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = join(root, 'bin', 'tick-audit.js')
const folder = mkdtempSync(join(tmpdir(), 'tick-audit-'))
afterAll(() => rmSync(folder, { recursive: true }))

function start(
  args: readonly string[],
  closeStdout: boolean | 'after the first part' = false,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd: folder, env: { PATH: process.env.PATH } })
    let stdout = ''
    let stderr = ''
    if (closeStdout === true) child.stdout.destroy()
    child.stdout.on('data', (part) => {
      stdout += part
      if (closeStdout) child.stdout.destroy()
    })
    child.stderr.on('data', (part) => (stderr += part))
    child.on('close', (code) => done({ code, stdout, stderr }))
  })
}

// `npm test` builds first; a single run of vitest may come before any build.
describe.runIf(existsSync(join(root, 'dist', 'main.js')))('bin/tick-audit.js', () => {
  it('prints its version and exits with 0', async () => {
    expect(await start(['--version'])).toMatchObject({ code: 0, stderr: '' })
  })

  it('sets the exit code of a wrong option', async () => {
    const result = await start(['--nonsense'])
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toContain('unknown option')
  })

  it('ends quietly where nobody reads', async () => {
    const result = await start(['--help'], true)
    expect(result).toMatchObject({ code: 0, stderr: '' })
  })

  it('ends quietly, with its own exit code, where a reader has seen enough of a long document', async () => {
    const report = join(folder, 'long.json')
    const findings = Array.from({ length: 5_000 }, () => sample.findings[0])
    writeFileSync(report, JSON.stringify({ ...sample, findings }))
    for (const format of ['json', 'concise', 'html'])
      expect(await start(['render', report, '-f', format], 'after the first part')).toEqual({
        code: 0,
        stdout: expect.stringMatching(/./),
        stderr: '',
      })
  })
})

/** Every module that main.ts loads before it knows what is asked for. */
function loadedAtOnce(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  for (const [, from = ''] of text.matchAll(/^(?:import|export) (?!type )(?:[^;]*? from )?'([^']+)'/gm)) {
    if (from.startsWith('.')) loadedAtOnce(resolve(dirname(file), from.replace(/\.js$/, '.ts')), seen)
    else seen.add(from)
  }
  return seen
}

it('starts light: no package before the arguments are looked at, and commander alone before a command runs', () => {
  const packagesOf = (file: string): string[] =>
    [...loadedAtOnce(join(root, 'src', 'cli', file))].filter((name) => !/^(node:|\/|[A-Z]:)/.test(name))
  expect(packagesOf('main.ts')).toEqual([])
  expect(packagesOf('cache/run.ts')).toEqual([])
  expect(packagesOf('program.ts')).toEqual(['commander'])
})
