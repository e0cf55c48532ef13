import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folderOf } from '../project/folder.js'
import { cleanCopy, install, pack, root, run, type Packed } from './package.js'

interface Manifest {
  readonly main: string
  readonly types: string
  readonly bin: Record<string, string>
  readonly exports: { readonly '.': Record<string, string> }
  readonly dependencies: Record<string, string>
}

let clean: string
let packed: Packed
beforeAll(async () => {
  clean = await cleanCopy()
  packed = await pack(clean)
}, 120_000)
afterAll(() => rmSync(clean, { recursive: true, force: true }))

/** The files that these import, and those that these import, straight or as types. */
function reachedFrom(...entries: readonly string[]): Set<string> {
  const reached = new Set(entries)
  for (const file of reached)
    for (const [, to = ''] of readFileSync(join(clean, file), 'utf8').matchAll(
      /(?:\bfrom |\bimport[ (])['"](\.[^'"]*)['"]/g,
    )) {
      const path = posix.join(posix.dirname(file), to)
      reached.add(file.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path)
    }
  return reached
}

describe('npm pack', () => {
  it('contains what the command and the library load, with its types, the schemas, and no more', () => {
    const { bin, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
    const wanted = [
      ...reachedFrom(...Object.values(bin), ...Object.values(exports['.']).map((file) => file.slice(2))),
      ...readdirSync(join(root, 'src/schema')).map((file) => `dist/schema/${file}`),
      'dist/typescript.LICENSE.txt',
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
    const { main, types, bin, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
    for (const file of [main, types, ...Object.values(bin), ...Object.values(exports['.'])])
      expect(paths).toContain(file.replace(/^\.\//, ''))
  })

  it('loads packages that it depends on, and no others', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
    const used = new Set<string>()
    for (const { path } of packed.files.filter((file) => /\.(js|d\.ts)$/.test(file.path))) {
      const text = readFileSync(join(clean, path), 'utf8')
      for (const [, name = ''] of text.matchAll(
        /(?:^(?:import|export) [^;'"]*from |\bimport\()['"]([@\w][^'"]*)['"]/gm,
      ))
        if (!name.startsWith('node:'))
          used.add(
            name
              .split('/')
              .slice(0, name[0] === '@' ? 2 : 1)
              .join('/'),
          )
    }
    expect([...used].sort()).toEqual(Object.keys(dependencies).sort())
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
