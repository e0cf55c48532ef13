import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folderOf } from '../project/folder.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
const run = promisify(execFile)

interface Packed {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}

/** A clean copy of what is packed, built anew: the dist folder of the checkout may hold what an older build left. */
const clean = realpathSync(mkdtempSync(join(tmpdir(), 'tick-audit-pack-')))
afterAll(() => rmSync(clean, { recursive: true, force: true }))

beforeAll(async () => {
  for (const file of ['package.json', 'bin', 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'])
    cpSync(join(root, file), join(clean, file), { recursive: true })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', join(clean, 'dist')], { cwd: root })
  cpSync(join(root, 'src/schema'), join(clean, 'dist/schema'), { recursive: true })
}, 120_000)

async function pack(...args: readonly string[]): Promise<Packed> {
  const { stdout } = await run(npm, ['pack', '--json', '--ignore-scripts', ...args], { cwd: clean })
  return (JSON.parse(stdout) as [Packed])[0]
}

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map((file) => String(file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith(ending) && !file.startsWith('fixtures/'))

describe('npm pack', () => {
  it('contains every module with its types, the schemas, and no more', async () => {
    const { files } = await pack('--dry-run')
    const modules = filesIn(join(root, 'src'), '.ts').flatMap((file) => {
      const base = `dist/${file.replace(/\.ts$/, '')}`
      return [`${base}.js`, `${base}.d.ts`]
    })
    const wanted = [
      ...modules,
      ...filesIn(join(root, 'src/schema'), '.json').map((file) => `dist/schema/${file}`),
      'bin/tick-audit.js',
      'package.json',
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'SECURITY.md',
    ]
    expect(files.map((file) => file.path).sort()).toEqual(wanted.sort())
  })

  it('is small', async () => {
    expect((await pack('--dry-run')).size).toBeLessThan(1_000_000)
  })

  it('names only files that are in it', async () => {
    const paths = new Set((await pack('--dry-run')).files.map((file) => file.path))
    const { main, types, bin, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      main: string
      types: string
      bin: Record<string, string>
      exports: { '.': Record<string, string> }
    }
    for (const file of [main, types, ...Object.values(bin), ...Object.values(exports['.'])])
      expect(paths).toContain(file.replace(/^\.\//, ''))
  })

  it('loads packages that it depends on, and no others', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const used = new Set<string>()
    for (const file of filesIn(join(clean, 'dist'), '.js')) {
      const text = readFileSync(join(clean, 'dist', file), 'utf8')
      for (const [, name = ''] of text.matchAll(
        /^(?:import|export) [^;'"]*from '([^.'][^']*)'|\bimport\('([^.'][^']*)'\)/gm,
      ))
        if (name !== '' && !name.startsWith('node:'))
          used.add(
            name
              .split('/')
              .slice(0, name[0] === '@' ? 2 : 1)
              .join('/'),
          )
    }
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining([...used]))
  })
})

describe('the package, installed from its tarball into an empty folder', () => {
  it('audits, as a command and as a library, with sound types', async ({ skip }) => {
    const folder = folderOf({ 'package.json': '{"name": "empty", "private": true, "type": "module"}' })
    const { filename } = await pack('--pack-destination', folder)
    const install = ['install', `./${filename}`, '--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0']
    try {
      await run(npm, install, { cwd: folder })
    } catch (error) {
      const said = String((error as { stderr?: string }).stderr)
      if (/ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|E50\d|network/i.test(said))
        return skip(`the registry cannot be reached: ${said.split('\n')[0]}`)
      throw error
    }
    const fixture = join(root, 'src/fixtures/embedding-drain/racing')
    const bin = join(folder, 'node_modules/.bin/tick-audit')
    const audited = await run(bin, [fixture, '-f', 'json', '--fail-on', 'none'], {
      cwd: folder,
      shell: process.platform === 'win32',
    })
    const report = JSON.parse(audited.stdout) as { findings: readonly unknown[] }
    expect(report.findings).toHaveLength(1)

    writeFileSync(
      join(folder, 'use.mts'),
      `import { audit, NothingToAudit, type Report } from 'tick-audit'
const report: Report = await audit(process.argv[2]!)
if (!(report instanceof NothingToAudit)) console.log(JSON.stringify(report.findings.length))\n`,
    )
    const types = join(root, 'node_modules/@types')
    const tsc = [
      join(root, 'node_modules/typescript/bin/tsc'),
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
    ]
    await run(process.execPath, [...tsc, '--typeRoots', types, '--types', 'node', 'use.mts'], { cwd: folder })
    expect((await run(process.execPath, ['use.mjs', fixture], { cwd: folder })).stdout.trim()).toBe('1')

    const schema = `import schema from 'tick-audit/schema/report.v1.json' with { type: 'json' }; console.log(typeof schema)`
    expect((await run(process.execPath, ['--input-type=module', '-e', schema], { cwd: folder })).stdout.trim()).toBe(
      'object',
    )
  }, 120_000)
})
