import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { locateSupabase } from '../project/locate.js'
import { indexTexts } from './git.js'
import type { Terminal } from './terminal.js'
import { UsageError } from './usage-error.js'

export interface OverlayFlags {
  readonly stdinFilename?: string
  readonly staged?: boolean
}

/**
 * Texts that stand for what is on disk, by path as in locations: the one that is read from standard input; with --staged,
 * those of the index where the working tree differs, since that is what will be committed. Throws a UsageError where the
 * file lies outside the project.
 */
export async function overlayOf(
  path: string | null,
  flags: OverlayFlags,
  terminal: Terminal,
): Promise<ReadonlyMap<string, string>> {
  const supabase = locateSupabase(path, process.cwd())
  if (typeof supabase !== 'string') return new Map()
  const root = dirname(supabase)
  const overlay = new Map(flags.staged === true ? await indexTexts(root, basename(supabase)) : [])
  if (flags.stdinFilename !== undefined) {
    const file = pathInside(root, flags.stdinFilename)
    if (file === null)
      throw new UsageError(`--stdin-filename ${flags.stdinFilename} lies outside of the project at ${root}.`)
    overlay.set(file, (await terminal.stdin?.()) ?? '')
  }
  for (const [file, text] of overlay) if (text.startsWith('\uFEFF')) overlay.set(file, text.slice(1))
  return overlay
}

/** POSIX and relative to the root; the file need not be there, its folder may be behind a link. */
function pathInside(root: string, file: string): string | null {
  const absolute = resolve(file)
  const real = join(realOf(dirname(absolute)), basename(absolute))
  for (const [base, at] of [
    [root, absolute],
    [realOf(root), real],
  ] as const)
    if (at.startsWith(base + sep)) return relative(base, at).split(sep).join('/')
  return null
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
