import { readFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { BASELINE_FILE, parseBaseline, type Baseline, type EntryPlace } from '../gate/index.js'
import { UsageError } from './usage-error.js'

export interface BaselineOnDisk {
  readonly path: string
  /** Null: there is no such file yet. */
  readonly baseline: Baseline | null
  readonly placeOf: EntryPlace
}

/**
 * The baseline at `file`, or the one beside the `supabase` folder. Throws a UsageError where it is no baseline, or where
 * it was named, has to be there, and is not.
 */
export function readBaseline(root: string, file: string | null, mustExist: boolean): BaselineOnDisk {
  const path = file === null ? join(root, BASELINE_FILE) : resolve(file)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && !(mustExist && file !== null)) return { path, baseline: null, placeOf: () => null }
    throw new UsageError(`the baseline ${file ?? path} cannot be read (${code ?? String(error)}).`)
  }
  try {
    return { path, baseline: parseBaseline(text.replace(/^\uFEFF/, '')), placeOf: placesIn(root, path, text) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`the baseline ${file ?? path} cannot be used: ${reason}.`)
  }
}

/** The line of an entry is the one that holds its fingerprint. */
function placesIn(root: string, path: string, text: string): EntryPlace {
  const inside = relative(root, path)
  if (inside.startsWith('..') || isAbsolute(inside)) return () => null
  const file = inside.split(sep).join('/')
  const lines = text.split('\n')
  return ({ fingerprint }) => {
    const index = lines.findIndex((line) => line.includes(JSON.stringify(fingerprint)))
    if (index < 0) return null
    const startColumn = lines[index]!.indexOf(JSON.stringify(fingerprint)) + 1
    const endColumn = startColumn + JSON.stringify(fingerprint).length
    return { file, startLine: index + 1, startColumn, endLine: index + 1, endColumn }
  }
}
