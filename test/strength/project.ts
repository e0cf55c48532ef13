import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { auditProject, type AuditOutcome } from '../../src/audit.js'
import { fixtures } from '../fixtures/projects.js'
import type { Files } from './mutate.js'

/** Every fixture's files, in memory. */
export function fixtureFiles(): readonly Files[] {
  return fixtures().map(({ path }) => {
    const files = readdirSync(join(path, 'supabase'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    return new Map(files.sort().map((file) => [relative(path, file).split(sep).join('/'), readFileSync(file)]))
  })
}

export interface Audited {
  readonly outcome: AuditOutcome
  /** Of the processor, not of the clock: a machine that is busy with something else does not count. */
  readonly milliseconds: number
}

/** Writes the files and links to a new folder, audits it in this process, and removes it. */
export async function auditFiles(files: Files, links: ReadonlyMap<string, string> = new Map()): Promise<Audited> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tick-audit-strength-')))
  try {
    for (const [path, content] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    }
    for (const [path, target] of links) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      rmSync(join(root, path), { force: true })
      symlinkSync(target, join(root, path))
    }
    const started = process.cpuUsage()
    const outcome = await auditProject(root)
    const { user, system } = process.cpuUsage(started)
    return { outcome, milliseconds: (user + system) / 1000 }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** What an audit has to be for any input, in a word; null: it is so. */
export function wrong({ outcome, milliseconds }: Audited, longest: number): string | null {
  if (outcome.kind === 'unreadable') return `unreadable: ${outcome.message}`
  if (milliseconds > longest) return `${Math.round(milliseconds)} ms`
  if (outcome.kind === 'nothing') return outcome.message === '' ? 'nothing, and no word why' : null
  if (outcome.faults.length > 0) return outcome.faults.map((each) => `${each.where}: ${each.stack}`).join('\n')
  try {
    JSON.parse(JSON.stringify(outcome.report))
  } catch (error) {
    return `the report is no JSON: ${String(error)}`
  }
  return null
}
