import { basename, dirname, join } from 'node:path'
import type { Diagnostic } from '../model/index.js'
import { readConfig, type ProjectConfig } from './config.js'
import { openDisk, type Disk, type Overlay } from './disk.js'
import { filesWithWord } from './files-with-word.js'
import { functionsOf, type FunctionEntry } from './functions.js'
import { locateSupabase, type ProjectProblem } from './locate.js'
import { importMapOf, type ImportMap } from './modules.js'
import { sqlFilesOf, type SqlFile } from './sql-files.js'

/** What lies on disk of one Supabase project. All paths but the first two are POSIX and relative to `root`. */
export interface Project {
  readonly kind: 'project'
  /** Absolute path of the folder that holds the `supabase` folder. */
  readonly root: string
  /** Absolute path of the `supabase` folder. */
  readonly supabase: string
  /** In the order in which they run: migrations, seeds, schema files, others. */
  readonly sqlFiles: readonly SqlFile[]
  /** By name. */
  readonly functions: readonly FunctionEntry[]
  readonly config: ProjectConfig
  /** What was skipped or could not be read, in a fixed order. */
  readonly diagnostics: readonly Diagnostic[]
  /** The text of a file inside the project, cached; null: not there, not text or too large. */
  readText(path: string): string | null
  /** The SQL and TypeScript files of the project that hold a word, in text order. */
  filesWith(word: string): readonly string[]
  /** The import map of a function (also of one that is not there: then an empty one), cached. */
  importMapFor(functionName: string): ImportMap
}

/**
 * Opens the Supabase project at `path` (locate.ts says what that may be). Never throws for what is on disk: a file that cannot be read is
 * a diagnostic. The overlay's texts, by path, stand for what is on disk.
 */
export async function openProject(
  path: string | null,
  workingDirectory = process.cwd(),
  overlay: Overlay = new Map(),
): Promise<Project | ProjectProblem> {
  const supabase = locateSupabase(path, workingDirectory)
  if (typeof supabase !== 'string') return supabase
  const found: Diagnostic[] = []
  const root = dirname(supabase)
  const folder = basename(supabase)
  const disk = openDisk(root, [supabase], (diagnostic) => found.push(diagnostic), overlay)
  const config = readConfig(textOf(disk, `${folder}/config.toml`), `${folder}/config.toml`, (diagnostic) =>
    found.push(diagnostic),
  )
  const sqlFiles = sqlFilesOf(disk, folder, config, (diagnostic) => found.push(diagnostic))
  if (sqlFiles.length === 0) {
    return {
      kind: 'no-sql',
      message: `No SQL was found in ${join(path ?? folder)}: neither migrations, seeds, schemas nor other .sql files.`,
    }
  }
  const functions = functionsOf(disk, folder, config)
  return {
    kind: 'project',
    root,
    supabase,
    sqlFiles,
    functions,
    config,
    diagnostics: found.sort(byPlace),
    readText: (file) => textOf(disk, file),
    filesWith: (word) => filesWithWord(disk, folder, word),
    importMapFor: importMaps(disk, functions),
  }
}

function textOf(disk: Disk, path: string): string | null {
  if (disk.kind(path) !== 'file') return null
  const text = disk.read(path)
  return typeof text === 'string' ? text : null
}

function importMaps(disk: Disk, functions: readonly FunctionEntry[]): (functionName: string) => ImportMap {
  const cache = new Map<string, ImportMap>()
  return (name) => {
    let map = cache.get(name)
    if (map === undefined)
      cache.set(name, (map = importMapOf(disk, functions.find((entry) => entry.name === name) ?? null)))
    return map
  }
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  const [left, right] = [a, b].map((d) => `${d.location?.file ?? ''}\0${d.code}\0${d.message}`) as [string, string]
  return left < right ? -1 : left > right ? 1 : 0
}
