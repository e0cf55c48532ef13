import type { Disk } from './disk.js'

const CODE = /\.(sql|[cm]?[jt]sx?)$/i

/**
 * SQL and TypeScript files below a folder that hold a word, in text order. Links, dot folders and node_modules are not
 * entered; what cannot be read is not in it. Most files are searched as bytes, and not decoded.
 */
export function filesWithWord(disk: Disk, folder: string, word: string): readonly string[] {
  return disk.list(folder).flatMap((entry) => {
    if (entry.linked || entry.name.startsWith('.') || entry.name === 'node_modules') return []
    if (entry.kind === 'folder') return filesWithWord(disk, entry.path, word)
    return CODE.test(entry.name) && disk.holds(entry.path, word) ? [entry.path] : []
  })
}
