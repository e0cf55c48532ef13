import type { Disk } from './disk.js'
import { joinInside } from './disk.js'

/**
 * The files that a glob of config.toml names, in text order: `*`, `?`, `[a-z]`, and `**` for any number of folders (Go's io/fs.Glob, of
 * which the CLI makes use, knows all but the last). A pattern is walked folder by folder: only what it can match is listed.
 */
export function filesByGlob(disk: Disk, folder: string, pattern: string): readonly string[] {
  const joined = joinInside(folder, pattern)
  if (joined === null) return []
  const found = new Set<string>()
  walk(disk, '', joined.split('/'), found)
  return [...found].sort()
}

function walk(disk: Disk, folder: string, parts: readonly string[], found: Set<string>): void {
  const [part, ...rest] = parts as [string, ...string[]]
  const join = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  if (part === '**') {
    if (rest.length > 0) walk(disk, folder, rest, found)
    for (const entry of disk.list(folder)) {
      if (entry.kind === 'folder' && !entry.linked) walk(disk, entry.path, parts, found)
      else if (entry.kind === 'file' && rest.length === 0) found.add(entry.path)
    }
  } else if (!/[*?[\]\\]/.test(part)) {
    if (rest.length > 0) walk(disk, join(part), rest, found)
    else if (disk.kind(join(part)) === 'file') found.add(join(part))
  } else {
    for (const entry of disk.list(folder)) {
      if (!matches(part, entry.name)) continue
      if (rest.length > 0 && entry.kind === 'folder') walk(disk, entry.path, rest, found)
      else if (rest.length === 0 && entry.kind === 'file') found.add(entry.path)
    }
  }
}

/** One part of a path against one part of a pattern: two pointers with one step back to the last star, so never exponential. */
export function matches(pattern: string, name: string): boolean {
  const tokens = pattern.match(/\[[!^]?\]?[^\]]*\]|\\.|./gsu) ?? []
  const letters = [...name]
  let [t, l, star, mark] = [0, 0, -1, 0]
  while (l < letters.length) {
    if (tokens[t] === '*') [star, mark, t] = [t, l, t + 1]
    else if (t < tokens.length && matchesLetter(tokens[t]!, letters[l]!)) [t, l] = [t + 1, l + 1]
    else if (star >= 0) [t, l, mark] = [star + 1, mark + 1, mark + 1]
    else return false
  }
  while (tokens[t] === '*') t++
  return t === tokens.length
}

function matchesLetter(token: string, letter: string): boolean {
  if (token === '?') return true
  if (token.length > 1 && token.startsWith('\\')) return token.slice(1) === letter
  if (token.length < 2 || !token.startsWith('[')) return token === letter
  const negated = token[1] === '^' || token[1] === '!'
  const ranges = token.slice(negated ? 2 : 1, -1).match(/.-.|./gsu) ?? []
  const within = ranges.some((range) => {
    const ends = [...range]
    return ends.length === 3 ? letter >= ends[0]! && letter <= ends[2]! : letter === range
  })
  return within !== negated
}
