import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** `npm test` builds first; a single run of vitest may come before any build. */
export const isBuilt = existsSync(join(root, 'dist', 'main.js'))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built command line in a process of its own, with modules of this folder loaded before it. */
export function tickAudit(cwd: string, args: readonly string[], before: readonly string[] = []): Promise<Ended> {
  const imports = before.flatMap((name) => ['--import', pathToFileURL(join(root, 'test', 'strength', name)).href])
  return new Promise((done) => {
    const child = spawn(process.execPath, [...imports, join(root, 'bin', 'tick-audit.js'), ...args], {
      cwd,
      env: { PATH: process.env.PATH },
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (part) => (stdout += part))
    child.stderr.on('data', (part) => (stderr += part))
    child.on('close', (code) => done({ code, stdout, stderr }))
  })
}
