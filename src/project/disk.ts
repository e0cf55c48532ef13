import { readdirSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs'
import { posix, sep } from 'node:path'
import type { Diagnostic, Location } from '../model/index.js'

/** SQL dumps of this size are real; what is larger is a data file. */
export const LARGEST_FILE_BYTES = 64 * 1024 * 1024

/** How far a NUL byte is looked for, as git and grep do. */
const BINARY_PROBE_BYTES = 8192

export interface DiskEntry {
  readonly name: string
  /** POSIX, relative to the root. */
  readonly path: string
  readonly kind: 'file' | 'folder'
  /** Behind a symbolic link. A walk enters no linked folder: links can make circles. */
  readonly linked: boolean
}

/**
 * The project's folder, read only. Every path is POSIX and relative to the root; what lies outside it, be it by `..` or behind a
 * symbolic link, is not there. Listings are in text order, whatever the file system's own order is. Nothing here throws.
 */
export interface Disk {
  /** Empty where there is no such folder. */
  list(folder: string): readonly DiskEntry[]
  kind(path: string): 'file' | 'folder' | null
  /** Cached. Without the byte order mark; UTF-16 with one is decoded. */
  read(path: string): string | FileProblem
  /** Does the file hold these ASCII characters? What was not read before is not decoded, and not kept. */
  holds(path: string, word: string): boolean
}

export interface FileProblem {
  readonly code: 'file-unreadable' | 'file-binary' | 'file-too-large'
  readonly message: string
}

/** Texts by path that stand for files as an editor holds them, saved or not. */
export type Overlay = ReadonlyMap<string, string>

/**
 * A disk over `root`. `folders` are further real folders that count as inside (a linked `supabase` folder); what the overlay
 * holds is there, whatever the disk says.
 */
export function openDisk(
  root: string,
  folders: readonly string[],
  report: (diagnostic: Diagnostic) => void,
  overlay: Overlay = new Map(),
): Disk {
  const inside = [root, ...folders].map((folder) => realpathSync(folder))
  const stats = new Map<string, Stats | null>()
  const texts = new Map<string, string | FileProblem>()

  const absolute = (path: string) => (path === '' ? root : root + sep + path.split('/').join(sep))
  // What listings have told of entries that are no links, on the way down from the root: no need to ask where they lead.
  const plain = new Map<string, 'file' | 'folder'>([['', 'folder']])
  /** The entries of plain folders, links too, as `folded`; null: the folder cannot be listed. */
  const names = new Map<string, ReadonlySet<string> | null>()
  const statOf = (path: string): Stats | null => {
    let found = stats.get(path)
    if (found === undefined) {
      const real = plain.has(path) ? [] : inside
      stats.set(path, (found = isSafe(path) ? statInside(absolute(path), real) : null))
    }
    return found
  }
  /** A folder's names say of all that is in it whether it is there: asking for each costs an exception where it is not. */
  const isAbsent = (path: string): boolean => {
    const folder = parentOf(path)
    if (!isSafe(path) || posix.normalize(path) !== path) return false
    if (folder === null || kind(folder) !== 'folder' || plain.get(folder) !== 'folder') return false
    if (!names.has(folder)) listingOf(folder)
    return names.get(folder)?.has(folded(path)) === false
  }
  const kind = (path: string): 'file' | 'folder' | null => {
    if (overlay.has(path)) return 'file'
    const known = plain.get(path)
    if (known !== undefined) return known
    return isAbsent(path) ? null : (plain.get(path) ?? kindOf(statOf(path)))
  }
  const listings = new Map<string, readonly DiskEntry[]>()
  /** What was found wrong with a folder: said once, and only where its entries are asked for. */
  const problems = new Map<string, Diagnostic[]>()

  function list(folder: string): readonly DiskEntry[] {
    const entries = listingOf(folder)
    problems.get(folder)?.splice(0).forEach(report)
    return entries
  }

  function listingOf(folder: string): readonly DiskEntry[] {
    let entries = listings.get(folder)
    if (entries === undefined)
      listings.set(folder, (entries = withOverlay(folder, kind(folder) === 'folder' ? readFolder(folder) : [])))
    return entries
  }

  /** A file that is not saved yet stands in its folder, if that is there. */
  function withOverlay(folder: string, entries: readonly DiskEntry[]): readonly DiskEntry[] {
    const added = [...overlay.keys()].flatMap((path): DiskEntry[] => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      const its = path.slice(0, Math.max(0, path.length - name.length - 1))
      return its === folder && !entries.some((entry) => entry.name === name)
        ? [{ name, path, kind: 'file', linked: false }]
        : []
    })
    return added.length === 0 ? entries : [...entries, ...added].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  function readFolder(folder: string): readonly DiskEntry[] {
    const found: Diagnostic[] = []
    problems.set(folder, found)
    try {
      const entries: DiskEntry[] = []
      const isPlain = plain.get(folder) === 'folder'
      const pathOf = (name: string) => (folder === '' ? name : `${folder}/${name}`)
      const listed = readdirSync(absolute(folder), { withFileTypes: true })
      if (isPlain) names.set(folder, new Set(listed.map(({ name }) => folded(pathOf(name)))))
      for (const entry of listed) {
        const { name } = entry
        const path = pathOf(name)
        const kindHere = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : null
        if (kindHere !== null) {
          if (isPlain) plain.set(path, kindHere)
          entries.push({ name, path, kind: kindHere, linked: false })
        } else if (entry.isSymbolicLink()) {
          const target = kind(path)
          if (target !== null) entries.push({ name, path, kind: target, linked: true })
          else found.push(linkNotFollowed(path))
        }
      }
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    } catch (error) {
      names.set(folder, null)
      found.push({
        code: 'file-unreadable',
        severity: 'warning',
        message: reasonOf(error, 'folder'),
        location: startOf(folder),
      })
      return []
    }
  }

  function read(path: string): string | FileProblem {
    let text = overlay.get(path) ?? texts.get(path)
    if (text === undefined) texts.set(path, (text = readDecoded(absolute(path), statOf(path))))
    return text
  }

  function holds(path: string, word: string): boolean {
    const text = overlay.get(path) ?? texts.get(path)
    if (text !== undefined) return typeof text === 'string' && text.includes(word)
    const stats = kind(path) === 'file' ? statOf(path) : null
    if (stats === null || stats.size > LARGEST_FILE_BYTES) return false
    try {
      return readFileSync(absolute(path)).includes(word)
    } catch {
      return false
    }
  }

  return { list, kind, read, holds }
}

/** The beginning of a file, for what concerns the whole of it. */
export function startOf(file: string): Location {
  return { file, startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 }
}

/** `path` relative to the folder it is named in; null: it leaves the root. */
export function joinInside(folder: string, path: string): string | null {
  const joined = posix.normalize(posix.join(folder === '' ? '.' : folder, path.replaceAll('\\', '/')))
  if (joined === '..' || joined.startsWith('../') || posix.isAbsolute(joined)) return null
  return joined === '.' ? '' : joined.replace(/\/$/, '')
}

/** Some file systems take other cases and other forms of a letter for the same name: what may be there is asked for. */
const folded = (path: string): string => path.normalize('NFC').toLowerCase()

/** Null: the root. */
const parentOf = (path: string): string | null =>
  path === '' ? null : path.slice(0, Math.max(0, path.lastIndexOf('/')))

function isSafe(path: string): boolean {
  return !path.includes('\0') && !posix.isAbsolute(path) && !path.split('/').includes('..')
}

/** Without folders: it is known where the path leads. */
function statInside(path: string, inside: readonly string[]): Stats | null {
  try {
    if (inside.length === 0) return statSync(path)
    const real = realpathSync(path)
    return inside.some((folder) => real === folder || real.startsWith(folder + sep)) ? statSync(real) : null
  } catch {
    return null
  }
}

/** Pipes, sockets and devices are not files: to read them may never end. */
function kindOf(stats: Stats | null): 'file' | 'folder' | null {
  if (stats?.isFile()) return 'file'
  return stats?.isDirectory() ? 'folder' : null
}

function readDecoded(path: string, stats: Stats | null): string | FileProblem {
  if (!stats?.isFile()) return { code: 'file-unreadable', message: 'there is no such file in the project' }
  if (stats.size > LARGEST_FILE_BYTES) {
    return {
      code: 'file-too-large',
      message: `the file has ${stats.size} bytes; files over ${LARGEST_FILE_BYTES} are not read`,
    }
  }
  try {
    return decode(readFileSync(path))
  } catch (error) {
    return { code: 'file-unreadable', message: reasonOf(error, 'file') }
  }
}

function decode(bytes: Buffer): string | FileProblem {
  // PowerShell's `>` writes UTF-16
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2)
  // A stray control byte does not make a source file binary; many do.
  const probe = bytes.subarray(0, BINARY_PROBE_BYTES)
  if (probe.includes(0) && probe.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0) * 1000 > probe.length) {
    return { code: 'file-binary', message: 'the file is not text: it has NUL bytes' }
  }
  const text = bytes.toString('utf8')
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

function linkNotFollowed(path: string): Diagnostic {
  return {
    code: 'link-not-followed',
    severity: 'info',
    message: 'a symbolic link that is broken or leaves the project is not followed',
    location: startOf(path),
  }
}

function reasonOf(error: unknown, what: 'file' | 'folder'): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return `the ${what} could not be read (${code})`
}
