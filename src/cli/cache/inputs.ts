import fs, { type Stats } from 'node:fs'
import { hashOf } from './entry.js'

// As they are before anybody listens to them (recorder.ts)
const { lstatSync, readdirSync, readFileSync, realpathSync, statSync } = fs

/** What was asked of a path: its content, the names in it, or whether and what it is. */
export type Asked = 'content' | 'names' | 'kind'

/** One answer of the file system: the path, what was asked, the path's stamp then, and the answer. */
export type Input = readonly [path: string, asked: Asked, stamp: string, answer: string]

/** File systems stamp files by a coarse clock: a change about the time of the run may leave no trace in the stamp. */
const UNSURE_MS = 2_000

/** The answer to a question, as text that is the same exactly if the answer is. */
export function answerOf(path: string, asked: Asked): string {
  try {
    switch (asked) {
      case 'content':
        return hashOf(readFileSync(path))
      case 'names':
        return hashOf(namesIn(path))
      case 'kind': {
        const stats = statSync(path)
        const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other'
        return `${kind} ${realpathSync(path)}`
      }
    }
  } catch (error) {
    return `no: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`
  }
}

function namesIn(folder: string): string {
  const entries = readdirSync(folder, { withFileTypes: true })
  const lines = entries.map((entry) => {
    const kind = entry.isFile() ? 'f' : entry.isDirectory() ? 'd' : entry.isSymbolicLink() ? 'l' : 'o'
    return `${kind} ${entry.name}`
  })
  return lines.sort().join('\0')
}

/** Changes whenever the file does: no program can set a file's change time. Empty: there is nothing, or a link. */
export function stampOf(path: string): string {
  return stamped(path)?.stamp ?? ''
}

function stamped(path: string): { stamp: string; at: number } | null {
  const stats: Stats | undefined = lstat(path)
  if (!stats || stats.isSymbolicLink()) return null
  const { ino, size, mode, mtimeMs, ctimeMs } = stats
  return { stamp: `${ino} ${size} ${mode} ${mtimeMs} ${ctimeMs}`, at: Math.max(mtimeMs, ctimeMs) }
}

function lstat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * Would every question be answered as it was? A path whose stamp is the same is not asked again, unless it was changed
 * about the time of the run. `sure`: no stamp had to be doubted.
 */
export function unchanged(inputs: readonly Input[], began: number): { same: boolean; sure: boolean } {
  const stamps = new Map<string, ReturnType<typeof stamped>>()
  let sure = true
  for (const [path, asked, stamp, answer] of inputs) {
    let now = stamps.get(path)
    if (now === undefined) stamps.set(path, (now = stamped(path)))
    if (now !== null && now.stamp === stamp && now.at < began - UNSURE_MS) continue
    // What is not there, and what a link leads to, is cheap to ask and has no stamp.
    if (now !== null) sure = false
    if (answerOf(path, asked) !== answer) return { same: false, sure }
  }
  return { same: true, sure }
}
