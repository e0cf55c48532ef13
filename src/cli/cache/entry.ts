import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Input } from './inputs.js'

/** One whole run: what it read, and what it said. */
export interface Entry {
  /** Which tool, asked how and where; another one's entry says nothing. */
  readonly identity: string
  /** The variables of the environment that it asked for. */
  readonly env: Readonly<Record<string, string | null>>
  readonly inputs: readonly Input[]
  /** When the run began, by the clock that stamps files: what was changed about then is looked at again. */
  readonly began: number
  readonly said: readonly (readonly ['stdout' | 'stderr', string])[]
  /** Documents that it wrote, by their path. */
  readonly documents: readonly (readonly [string, string])[]
  readonly code: number
}

const MOST_ENTRIES = 50

/** Null: there is none, or it is not whole. A first line with the hash of the rest tells. */
export function readEntry(file: string): Entry | null {
  try {
    const text = readFileSync(file, 'utf8')
    const end = text.indexOf('\n')
    const body = text.slice(end + 1)
    return end > 0 && text.slice(0, end) === hashOf(body) ? (JSON.parse(body) as Entry) : null
  } catch {
    return null
  }
}

/** Written beside its place and moved there, so that no reader meets a half. A cache that cannot be written is none. */
export function writeEntry(file: string, entry: Entry): void {
  const body = JSON.stringify(entry)
  const half = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(half, `${hashOf(body)}\n${body}`, { mode: 0o600 })
    renameSync(half, file)
  } catch {
    rmSync(half, { force: true })
  }
}

/** Keeps the newest entries of a folder that holds nothing else. */
export function prune(folder: string): void {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith('.cache'))
    if (files.length <= MOST_ENTRIES) return
    const aged = files.map((name) => [statSync(join(folder, name)).mtimeMs, name] as const).sort(([a], [b]) => b - a)
    for (const [, name] of aged.slice(MOST_ENTRIES)) rmSync(join(folder, name), { force: true })
  } catch {
    // Another run prunes too
  }
}

export const hashOf = (data: string | Buffer): string => createHash('sha256').update(data).digest('base64url')
