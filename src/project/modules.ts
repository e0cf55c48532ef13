import { parse, type ParseError } from 'jsonc-parser'
import { posix } from 'node:path'
import type { Diagnostic } from '../model/index.js'
import { joinInside, startOf, type Disk } from './disk.js'
import { applyImportTable, importTable, NO_IMPORTS, packageTable, type ImportTable } from './import-map.js'
import type { FunctionEntry } from './functions.js'

/** Where an import leads. Paths are POSIX and relative to the root. */
export type ResolvedImport =
  | { readonly kind: 'file'; readonly path: string }
  /** A package or a URL, with what the import map makes of it: `npm:openai@4`. */
  | { readonly kind: 'external'; readonly specifier: string }
  /** A file of the project that is not there. */
  | { readonly kind: 'missing'; readonly path: string }

export interface ImportMap {
  /** What `specifier` means in the file `fromPath`. */
  resolve(specifier: string, fromPath: string): ResolvedImport
  /** The import map could not be read: no import is mapped. */
  readonly problem: Diagnostic | null
}

const EXTENSIONS = ['.ts', '.tsx', '.js', '.mjs', '.jsx']

/** The import map that applies to one function, all files that it imports included (as the CLI bundles it). */
export function importMapOf(disk: Disk, entry: FunctionEntry | null): ImportMap {
  const { table, problem } = tableOf(disk, entry)
  return { problem, resolve: (specifier, fromPath) => resolveIn(disk, table, specifier, fromPath) }
}

function resolveIn(disk: Disk, table: ImportTable, specifier: string, fromPath: string): ResolvedImport {
  const target = applyImportTable(table, specifier, fromPath)
  if (!target.startsWith('/')) return { kind: 'external', specifier: target }
  const path = target.slice(1).replace(/[?#].*$/, '')
  const file = fileAt(disk, path)
  return file === null ? { kind: 'missing', path } : { kind: 'file', path: file }
}

/** The path as it stands; with an extension; an index file; and `./x.js` for a `./x.ts`, as TypeScript writes it. */
function fileAt(disk: Disk, path: string): string | null {
  const bare = path.replace(/\/$/, '')
  const candidates = [
    bare,
    ...EXTENSIONS.map((extension) => bare + extension),
    ...EXTENSIONS.map((extension) => `${bare}/index${extension}`),
    ...(/\.m?jsx?$/.test(bare) ? ['.ts', '.tsx'].map((extension) => bare.replace(/\.m?jsx?$/, extension)) : []),
  ]
  return candidates.find((candidate) => disk.kind(candidate) === 'file') ?? null
}

function tableOf(disk: Disk, entry: FunctionEntry | null): { table: ImportTable; problem: Diagnostic | null } {
  if (entry?.importMap) return readTable(disk, entry.importMap, 2)
  const packageJson = entry?.entry ? `${posix.dirname(entry.entry)}/package.json` : null
  if (packageJson === null || disk.kind(packageJson) !== 'file') return { table: NO_IMPORTS, problem: null }
  const { json, problem } = readJson(disk, packageJson)
  return { table: packageTable(json), problem }
}

/** `depth`: a deno.json may name a further file by `importMap` instead of having imports of its own. */
function readTable(disk: Disk, path: string, depth: number): { table: ImportTable; problem: Diagnostic | null } {
  const { json, problem } = readJson(disk, path)
  const further = typeof json['importMap'] === 'string' && !('imports' in json) ? json['importMap'] : null
  const target = further === null ? null : joinInside(posix.dirname(path), further)
  if (target !== null && depth > 0 && disk.kind(target) === 'file') return readTable(disk, target, depth - 1)
  return { table: importTable(json, posix.dirname(path)), problem }
}

function readJson(disk: Disk, path: string): { json: Readonly<Record<string, unknown>>; problem: Diagnostic | null } {
  const text = disk.read(path)
  if (typeof text !== 'string') return { json: {}, problem: unreadable(path, text.message) }
  const errors: ParseError[] = []
  let json: unknown
  try {
    json = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  } catch (error) {
    // The parser recurses
    if (!(error instanceof RangeError)) throw error
    return { json: {}, problem: unreadable(path, 'it is nested too deeply') }
  }
  const isRecord = typeof json === 'object' && json !== null && !Array.isArray(json)
  return {
    json: isRecord ? (json as Record<string, unknown>) : {},
    problem: errors.length > 0 ? unreadable(path, 'it is not valid JSON') : null,
  }
}

function unreadable(path: string, why: string): Diagnostic {
  return {
    code: 'import-map-invalid',
    severity: 'warning',
    message: `the import map could not be read: ${why}`,
    location: startOf(path),
  }
}
