import { readdirSync, readFileSync, statSync, type Dirent } from 'node:fs'
import { join } from 'node:path'

const CODE = /\.(sql|[cm]?[jt]sx?)$/i
const LARGEST_BYTES = 64 * 1024 * 1024

/**
 * SQL and TypeScript files below `folder` that hold a word, as POSIX paths relative to `root`, in text order. Links, dot
 * folders and node_modules are not entered; what cannot be read is not in it. A byte search: most files are not decoded.
 */
export function filesWithWord(word: string, root: string, folder: string): readonly string[] {
  const found: string[] = []
  const walk = (at: string): void => {
    for (const entry of entriesIn(join(root, at))) {
      const path = `${at}/${entry.name}`
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') walk(path)
      else if (entry.isFile() && CODE.test(entry.name) && holds(join(root, path), word)) found.push(path)
    }
  }
  walk(folder)
  return found
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

function holds(file: string, word: string): boolean {
  try {
    return statSync(file).size <= LARGEST_BYTES && readFileSync(file).includes(word)
  } catch {
    return false
  }
}
