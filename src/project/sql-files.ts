import type { Diagnostic } from '../model/index.js'
import type { ProjectConfig } from './config.js'
import { startOf, type Disk, type DiskEntry } from './disk.js'
import { filesByGlob } from './glob.js'

export type SqlOrigin = 'migration' | 'seed' | 'schema' | 'other'

export interface SqlFile {
  /** POSIX, relative to the folder that holds the `supabase` folder. */
  readonly path: string
  readonly text: string
  /**
   * - migration: run by the Supabase CLI, in this order
   * - seed: run after the migrations, on a local reset
   * - schema: declarative; never run as it stands, compared with the database
   * - other: run by hand, if at all
   */
  readonly origin: SqlOrigin
}

type Report = (diagnostic: Diagnostic) => void

/** The CLI's own pattern (pkg/migration/file.go). */
const MIGRATION = /^([0-9]+)_(.*)\.sql$/
/** A first file of this name and an older version was written by early CLIs and is skipped (pkg/migration/list.go). */
const OLD_INIT = /^([0-9]{14})_init\.sql$/
const OLD_INIT_BEFORE = '20211209000000'

const SQL = /\.sql$/i
/** Folders whose SQL is not run any more, or only undoes or tests something. */
const SET_ASIDE_FOLDER = /(^|[^a-z])(archived?s?|rollbacks?|down|backups?|bak|deprecated|tests?)([^a-z]|$)/i
/** Files of that kind, by the first or last word: `x.down.sql`, `rollback_x.sql`; not `schedule_backup_job.sql`. */
const SET_ASIDE_FILE = /^rollback|^(backup|archived?)[._-]?\d|(^|[._-])(rollback|backup|bak|archived?|down|test)\.sql$/i

/**
 * Every SQL file of the project that may say something of its ticks, in the order in which it is run: migrations, seeds, then schema
 * files (declarative) and others (by hand). What is skipped or cannot be read is a diagnostic.
 */
export function sqlFilesOf(disk: Disk, supabase: string, config: ProjectConfig, report: Report): readonly SqlFile[] {
  const taken = new Set<string>()
  const files: SqlFile[] = []
  const take = (origin: SqlOrigin, paths: readonly string[]) => {
    for (const path of paths) {
      if (taken.has(path)) continue
      taken.add(path)
      const text = disk.read(path)
      if (typeof text === 'string') files.push({ path, text, origin })
      else report({ code: text.code, severity: 'warning', message: text.message, location: startOf(path) })
    }
  }
  take('migration', migrationsIn(disk, `${supabase}/migrations`, report))
  take('seed', seedsOf(disk, supabase, config, report))
  take('schema', schemasOf(disk, supabase, config))
  take('other', othersIn(disk, supabase, taken, report))
  return files
}

function migrationsIn(disk: Disk, folder: string, report: Report): readonly string[] {
  const byVersion = new Map<string, string>()
  const paths: string[] = []
  const skip = (path: string, why: string) =>
    report({
      code: 'migration-skipped',
      severity: 'info',
      message: `the Supabase CLI skips this: ${why}`,
      location: startOf(path),
    })

  disk.list(folder).forEach((entry, index) => {
    if (entry.kind === 'folder') {
      if (holdsSql(disk, entry)) skip(entry.path, 'it reads no sub-folder of migrations/')
      return
    }
    if (!SQL.test(entry.name)) return
    const version = MIGRATION.exec(entry.name)?.[1]
    if (version === undefined) return skip(entry.path, 'the name is not <version>_<name>.sql')
    if (index === 0 && OLD_INIT.test(entry.name) && version < OLD_INIT_BEFORE) {
      return skip(entry.path, 'a first migration named init from before 2021-12-09 is not run')
    }
    const twin = byVersion.get(version)
    if (twin !== undefined) report(duplicateVersion(entry.path, version, twin))
    byVersion.set(version, entry.path)
    paths.push(entry.path)
  })
  return paths
}

function duplicateVersion(path: string, version: string, twin: string): Diagnostic {
  return {
    code: 'duplicate-migration-version',
    severity: 'warning',
    message: `version ${version} is also that of ${twin}: the Supabase CLI records a version once and fails on the second`,
    location: startOf(path),
  }
}

function seedsOf(disk: Disk, supabase: string, config: ProjectConfig, report: Report): readonly string[] {
  if (!config.seedEnabled) return []
  return (config.seedPaths ?? ['./seed.sql']).flatMap((pattern) => {
    const paths = filesByGlob(disk, supabase, pattern)
    if (paths.length === 0 && config.seedPaths !== null && pattern !== './seed.sql') {
      const message = `[db.seed] sql_paths names ${pattern}, and there is no such file`
      report({ code: 'seed-missing', severity: 'info', message, location: startOf(`${supabase}/config.toml`) })
    }
    return paths
  })
}

function schemasOf(disk: Disk, supabase: string, config: ProjectConfig): readonly string[] {
  if (config.schemaPaths !== null) {
    const paths = config.schemaPaths.flatMap((pattern) => filesByGlob(disk, supabase, pattern))
    return paths.filter((path) => SQL.test(path))
  }
  return walkFiles(disk, `${supabase}/schemas`, () => true).filter((path) => SQL.test(path))
}

function othersIn(disk: Disk, supabase: string, taken: ReadonlySet<string>, report: Report): readonly string[] {
  const aside: string[] = []
  const enter = (folder: DiskEntry) => {
    // What the Supabase CLI does with migrations/ has been said already
    if (folder.path === `${supabase}/migrations` || folder.name.startsWith('.') || folder.name === 'node_modules')
      return false
    if (!SET_ASIDE_FOLDER.test(folder.name)) return true
    if (holdsSql(disk, folder)) aside.push(folder.path)
    return false
  }
  const paths = walkFiles(disk, supabase, enter).filter((path) => SQL.test(path) && !taken.has(path))
  const [kept, left] = [paths.filter((path) => !isSetAside(path)), paths.filter(isSetAside)]
  for (const path of [...aside, ...left].sort()) {
    const message = 'not read: by its name it is an archive, a backup, a rollback or a test'
    report({ code: 'sql-set-aside', severity: 'info', message, location: startOf(path) })
  }
  return kept
}

function isSetAside(path: string): boolean {
  return SET_ASIDE_FILE.test(path.slice(path.lastIndexOf('/') + 1))
}

function holdsSql(disk: Disk, folder: DiskEntry): boolean {
  if (folder.linked) return false
  return disk
    .list(folder.path)
    .some((entry) => (entry.kind === 'folder' ? holdsSql(disk, entry) : SQL.test(entry.name)))
}

/** Depth first, in text order, as Go's filepath.WalkDir. */
function walkFiles(disk: Disk, folder: string, enter: (folder: DiskEntry) => boolean): string[] {
  return disk.list(folder).flatMap((entry) => {
    if (entry.kind === 'file') return [entry.path]
    return !entry.linked && enter(entry) ? walkFiles(disk, entry.path, enter) : []
  })
}
