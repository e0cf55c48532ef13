import { readdirSync, statSync, type Dirent } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** Why there is nothing to audit. `path-missing` is a mistake of the caller (exit code 2), the others an empty project (exit code 3). */
export interface ProjectProblem {
  readonly kind: 'path-missing' | 'no-project' | 'no-sql'
  /** One sentence that says what was looked for. */
  readonly message: string
}

/** What a `supabase` folder holds; any one of them tells it from a folder that only bears the name. */
const MARKS = ['config.toml', 'migrations', 'functions']

/** How deep a `supabase` folder is looked for, to name it where the given folder holds none. */
const HINT_DEPTH = 3

/**
 * The absolute path of the `supabase` folder.
 * @param path a `supabase` folder or a folder that holds one; null: the working directory, or the nearest one above that has one
 */
export function locateSupabase(path: string | null, workingDirectory: string): string | ProjectProblem {
  const start = resolve(workingDirectory, path ?? '.')
  if (!isFolder(start)) return { kind: 'path-missing', message: `${path ?? start} is not a folder that can be read.` }
  if (path !== null) return projectIn(start) ?? bareFolderIn(start) ?? notFound(start, `in ${path}`)
  for (let folder = start; ; folder = dirname(folder)) {
    const found = projectIn(folder)
    if (found !== null) return found
    if (dirname(folder) === folder) return notFound(start, 'in the working directory or above it')
  }
}

function projectIn(folder: string): string | null {
  const child = join(folder, 'supabase')
  if (basename(folder) === 'supabase' && isProject(folder)) return folder
  return isProject(child) ? child : null
}

/** A folder of the name and nothing more: named by the caller, it is taken at the word; code keeps its client in such folders too. */
function bareFolderIn(folder: string): string | null {
  const child = join(folder, 'supabase')
  if (isFolder(child)) return child
  return basename(folder) === 'supabase' ? folder : null
}

function isProject(folder: string): boolean {
  return MARKS.some((mark) => exists(join(folder, mark))) || filesIn(folder).some((name) => /\.sql$/i.test(name))
}

function notFound(start: string, where: string): ProjectProblem {
  const below = findBelow(start, '', HINT_DEPTH)
  const hint = below === null ? '' : `, but there is one at ${below}: name that`
  return { kind: 'no-project', message: `No Supabase project (a folder named supabase) was found ${where}${hint}.` }
}

function findBelow(folder: string, prefix: string, depth: number): string | null {
  const names = foldersIn(folder)
  if (names.includes('supabase') && isProject(join(folder, 'supabase'))) return `${prefix}supabase`
  if (depth === 0) return null
  for (const name of names) {
    const found = findBelow(join(folder, name), `${prefix}${name}/`, depth - 1)
    if (found !== null) return found
  }
  return null
}

function foldersIn(folder: string): readonly string[] {
  const names = entriesIn(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
  return names.filter((name) => !name.startsWith('.') && name !== 'node_modules').sort()
}

function filesIn(folder: string): readonly string[] {
  return entriesIn(folder)
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory() && readdirSync(path) !== null
  } catch {
    return false
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
