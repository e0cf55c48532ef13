import type { Location } from '../model/index.js'
import type { ProjectConfig } from './config.js'
import { joinInside, type Disk } from './disk.js'

/** An edge function: a folder of functions/ with an entry file, or a `[functions.NAME]` of config.toml. */
export interface FunctionEntry {
  readonly name: string
  /** POSIX path of the entry file; null: it is not there. */
  readonly entry: string | null
  /** False: config.toml switches it off. */
  readonly enabled: boolean
  /** POSIX path of the import map or deno.json that applies to it; null: none. */
  readonly importMap: string | null
  /** Its table in config.toml, if it has one. */
  readonly configLocation?: Location
}

/** Supabase CLI, internal/functions/deploy and new: what is not named so is never a function (`_shared`, `.git`). */
const SLUG = /^[A-Za-z][A-Za-z0-9_-]*$/

/** `index.ts` is the CLI's; the others are entries only if config.toml says so, or nothing else is there. */
const ENTRIES = ['index.ts', 'index.tsx', 'index.js', 'index.mjs', 'index.jsx']

/** In order of precedence, in the function's own folder (deploy.go). */
const IMPORT_MAPS = ['deno.json', 'deno.jsonc', 'import_map.json']

/** Every edge function of the project, by name. */
export function functionsOf(disk: Disk, supabase: string, config: ProjectConfig): readonly FunctionEntry[] {
  const folder = `${supabase}/functions`
  const found = disk.list(folder).filter((entry) => entry.kind === 'folder' && defaultEntry(disk, entry.path) !== null)
  const names = new Set(
    [...found.map((entry) => entry.name), ...config.functions.keys()].filter((name) => SLUG.test(name)),
  )
  return [...names].sort().map((name) => {
    const own = config.functions.get(name)
    const entry = own?.entrypoint ? namedFile(disk, supabase, own.entrypoint) : defaultEntry(disk, `${folder}/${name}`)
    const importMap = own?.importMap ? namedFile(disk, supabase, own.importMap) : importMapIn(disk, folder, name)
    const base = { name, entry, enabled: own?.enabled ?? true, importMap }
    return own === undefined ? base : { ...base, configLocation: own.location }
  })
}

function defaultEntry(disk: Disk, folder: string): string | null {
  return firstFile(
    disk,
    ENTRIES.map((name) => `${folder}/${name}`),
  )
}

function importMapIn(disk: Disk, functions: string, name: string): string | null {
  const own = IMPORT_MAPS.map((file) => `${functions}/${name}/${file}`)
  // The CLI falls back on functions/import_map.json alone; Deno and editors look for a deno.json upwards
  const shared = ['import_map.json', 'deno.json', 'deno.jsonc'].map((file) => `${functions}/${file}`)
  return firstFile(disk, [...own, ...shared])
}

function namedFile(disk: Disk, supabase: string, path: string): string | null {
  const joined = joinInside(supabase, path)
  return joined !== null && disk.kind(joined) === 'file' ? joined : null
}

function firstFile(disk: Disk, paths: readonly string[]): string | null {
  return paths.find((path) => disk.kind(path) === 'file') ?? null
}
