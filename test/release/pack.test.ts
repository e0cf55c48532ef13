import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folderOf } from '../project/folder.js'
import { cleanCopy, install, pack, root, run, type Packed } from './package.js'

let clean: string
let packed: Packed
beforeAll(async () => {
  clean = await cleanCopy()
  packed = await pack(clean)
}, 120_000)
afterAll(() => rmSync(clean, { recursive: true, force: true }))

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map((file) => String(file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith(ending) && !file.startsWith('fixtures/'))

describe('npm pack', () => {
  it('contains every module with its types, the schemas, and no more', () => {
    const compiled = (from: string, ...to: readonly string[]) =>
      filesIn(join(root, 'src'), from).flatMap((file) => to.map((end) => `dist/${file.slice(0, -from.length)}${end}`))
    const modules = [...compiled('.ts', '.js', '.d.ts'), ...compiled('.cts', '.cjs', '.d.cts')]
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
    expect(packed.files.map((file) => file.path).sort()).toEqual(wanted.sort())
  })

  it('is small', () => {
    expect(packed.size).toBeLessThan(1_000_000)
  })

  it('names only files that are in it', () => {
    const paths = new Set(packed.files.map((file) => file.path))
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

describe('linters of packages', () => {
  it('publint, strict, has nothing to say', async () => {
    const { buffer } = new Uint8Array(readFileSync(join(clean, packed.filename)))
    const { messages } = await publint({ pack: { tarball: buffer }, strict: true })
    expect(messages).toEqual([])
  })

  it('the types are right for every way in which ESM is imported', async () => {
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    const args = [attw, join(clean, packed.filename), '--profile', 'esm-only', '--format', 'ascii', '--no-color']
    // Its exit code is 1 where there is a problem
    const { stdout } = await run(process.execPath, args)
    expect(stdout).toContain('node16 (from ESM)')
  })
})

describe('the package, installed from its tarball into an empty folder', () => {
  it('audits, as a command and as a library, with sound types', async ({ skip }) => {
    const folder = folderOf({ 'package.json': '{"name": "empty", "private": true, "type": "module"}' })
    try {
      await install(folder, join(clean, packed.filename))
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
