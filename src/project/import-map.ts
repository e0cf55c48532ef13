/**
 * Import maps (WHATWG HTML, "import maps"), as far as Deno uses them. A file of the project is written `/path/from/the/root`, everything
 * else keeps its specifier: `npm:openai@4`, `https://esm.sh/x`, `openai`.
 */
import { posix } from 'node:path'

export interface ImportTable {
  readonly imports: ReadonlyMap<string, string>
  /** Longest prefix first. */
  readonly scopes: readonly { readonly prefix: string; readonly imports: ReadonlyMap<string, string> }[]
}

export const NO_IMPORTS: ImportTable = { imports: new Map(), scopes: [] }

/** The table that the parsed JSON of an import map or a deno.json describes; `folder` is the one it lies in. */
export function importTable(json: unknown, folder: string): ImportTable {
  const scopes = Object.entries(recordOf(recordOf(json)['scopes'])).map(([prefix, imports]) => ({
    prefix: normalise(prefix, folder),
    imports: entriesOf(imports, folder),
  }))
  scopes.sort((a, b) => b.prefix.length - a.prefix.length || (a.prefix < b.prefix ? -1 : 1))
  return { imports: entriesOf(recordOf(json)['imports'], folder), scopes }
}

/** The table of a package.json: each dependency stands for its npm specifier, as in Deno. */
export function packageTable(json: unknown): ImportTable {
  const parts = ['devDependencies', 'dependencies'].map((key) => Object.entries(recordOf(recordOf(json)[key])))
  const imports = new Map<string, string>()
  for (const [name, version] of parts.flat()) {
    if (typeof version !== 'string' || /^(file|link|workspace|git|https?):/.test(version)) continue
    addWithSubpaths(imports, name, version.startsWith('npm:') ? version : `npm:${name}@${version}`)
  }
  return { imports, scopes: [] }
}

/** What `specifier` stands for in the file `from` (a path without the leading slash). */
export function applyImportTable(table: ImportTable, specifier: string, from: string): string {
  const wanted = normalise(specifier, posix.dirname(from))
  const scopes = table.scopes.filter(({ prefix }) =>
    prefix.endsWith('/') ? `/${from}`.startsWith(prefix) : `/${from}` === prefix,
  )
  for (const imports of [...scopes.map((scope) => scope.imports), table.imports]) {
    const found = lookUp(imports, wanted)
    if (found !== null) return found
  }
  return wanted
}

/** The exact entry, else the longest one that ends in a slash and begins the specifier. */
function lookUp(imports: ReadonlyMap<string, string>, specifier: string): string | null {
  const exact = imports.get(specifier)
  if (exact !== undefined) return exact
  for (let at = specifier.lastIndexOf('/'); at > 0; at = specifier.lastIndexOf('/', at - 1)) {
    const target = imports.get(specifier.slice(0, at + 1))
    if (target !== undefined)
      return normalise((target.endsWith('/') ? target : `${target}/`) + specifier.slice(at + 1), '')
  }
  // A key of one slash alone, `/`, stands for the root
  const root = specifier.startsWith('/') ? imports.get('/') : undefined
  return root === undefined ? null : normalise(root + specifier.slice(1), '')
}

function entriesOf(value: unknown, folder: string): ReadonlyMap<string, string> {
  const imports = new Map<string, string>()
  for (const [key, target] of Object.entries(recordOf(value))) {
    if (typeof target === 'string') addWithSubpaths(imports, normalise(key, folder), normalise(target, folder))
  }
  return imports
}

/** Deno: `"x": "npm:x@1"` stands for `x/sub` too, unless the map says otherwise. */
function addWithSubpaths(imports: Map<string, string>, key: string, target: string): void {
  imports.set(key, target)
  if (!key.endsWith('/') && /^(npm|jsr):/.test(target) && !imports.has(`${key}/`)) imports.set(`${key}/`, `${target}/`)
}

/** A relative specifier becomes a path of the project; `..` beyond the root stays in it and names nothing. */
function normalise(specifier: string, folder: string): string {
  if (/^\.{1,2}(\/|$)/.test(specifier)) return posix.normalize(posix.join('/', folder, '/', specifier))
  return specifier.startsWith('/') ? posix.normalize(specifier) : specifier
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
