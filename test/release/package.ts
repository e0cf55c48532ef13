import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const run = promisify(execFile)
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

export interface Packed {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}

/** A copy of what is packed. Every build begins with an empty folder, and `npm test` with a build: nothing older lies in dist. */
export async function cleanCopy(): Promise<string> {
  const clean = realpathSync(mkdtempSync(join(tmpdir(), 'tick-audit-pack-')))
  if (!existsSync(join(root, 'dist/main.js'))) await run(npm, ['run', 'build'], { cwd: root })
  for (const file of ['package.json', 'bin', 'dist', 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'])
    cpSync(join(root, file), join(clean, file), { recursive: true })
  return clean
}

/** Makes the tarball, in that folder. */
export async function pack(clean: string): Promise<Packed> {
  const { stdout } = await run(npm, ['pack', '--json', '--ignore-scripts'], { cwd: clean })
  return (JSON.parse(stdout) as [Packed])[0]
}

export async function install(folder: string, ...specs: readonly string[]): Promise<void> {
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0']
  await run(npm, ['install', ...specs, ...quiet], { cwd: folder })
}
