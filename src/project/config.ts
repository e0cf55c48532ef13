import { parse, TomlError } from 'smol-toml'
import type { Diagnostic, Location } from '../model/index.js'
import { startOf } from './disk.js'

/** What the audit needs of supabase/config.toml, with the Supabase CLI's defaults (pkg/config/templates/config.toml). */
export interface ProjectConfig {
  /** `[api] max_rows`: the most rows that a select without a limit returns. */
  readonly maxRows: number
  /** `[db.pooler] pool_mode`. */
  readonly poolMode: 'transaction' | 'session'
  readonly seedEnabled: boolean
  /** Globs relative to supabase/, in order; null: the default, `./seed.sql`. */
  readonly seedPaths: readonly string[] | null
  /** `[db.migrations] schema_paths`: globs relative to supabase/; null: every SQL file in schemas/. */
  readonly schemaPaths: readonly string[] | null
  readonly functions: ReadonlyMap<string, FunctionConfig>
}

/** One `[functions.NAME]`; paths relative to supabase/. */
export interface FunctionConfig {
  readonly enabled: boolean
  readonly entrypoint: string | null
  readonly importMap: string | null
  /** The table's header. */
  readonly location: Location
}

type Table = Readonly<Record<string, unknown>>

/** The configuration in `text`; where it does not parse: the defaults, and a diagnostic with the line. */
export function readConfig(text: string | null, file: string, report: (diagnostic: Diagnostic) => void): ProjectConfig {
  const root = text === null ? {} : parsed(text, file, report)
  const db = tableIn(root, 'db')
  const seed = tableIn(db, 'seed')
  const rows = tableIn(root, 'api')['max_rows']
  const functions = Object.entries(tableIn(root, 'functions')).map(
    ([name, value]) => [name, functionConfig(value, headerOf(name, text ?? '', file))] as const,
  )
  return {
    maxRows: typeof rows === 'number' && rows > 0 ? rows : 1000,
    poolMode: tableIn(db, 'pooler')['pool_mode'] === 'session' ? 'session' : 'transaction',
    seedEnabled: seed['enabled'] !== false,
    seedPaths: textsIn(seed, 'sql_paths'),
    schemaPaths: textsIn(tableIn(db, 'migrations'), 'schema_paths'),
    functions: new Map(functions.sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function parsed(text: string, file: string, report: (diagnostic: Diagnostic) => void): Table {
  try {
    return parse(text)
  } catch (error) {
    const [line, column] = error instanceof TomlError ? [error.line, error.column] : [1, 1]
    const why = error instanceof Error ? error.message.split('\n')[0]!.replace(/:$/, '') : 'unknown error'
    report({
      code: 'config-invalid',
      severity: 'warning',
      message: `the configuration could not be read, its defaults were taken: ${why}`,
      location: { file, startLine: line, startColumn: column, endLine: line, endColumn: column },
    })
    return {}
  }
}

function functionConfig(value: unknown, location: Location): FunctionConfig {
  const table = isTable(value) ? value : {}
  return {
    enabled: table['enabled'] !== false,
    entrypoint: textIn(table, 'entrypoint'),
    importMap: textIn(table, 'import_map'),
    location,
  }
}

/** Where `[functions.NAME]` stands; the file's beginning where it is written in another way (inline tables, dotted keys). */
function headerOf(name: string, text: string, file: string): Location {
  const lines = text.split('\n')
  const line = lines.findIndex((candidate) => {
    const header = /^\s*\[\s*functions\s*\.\s*(?:"([^"]*)"|'([^']*)'|([^\s\]]*))\s*\]/.exec(candidate)
    return header !== null && (header[1] ?? header[2] ?? header[3]) === name
  })
  if (line < 0) return startOf(file)
  const end = lines[line]!.trimEnd().length + 1
  return { file, startLine: line + 1, startColumn: lines[line]!.indexOf('[') + 1, endLine: line + 1, endColumn: end }
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function tableIn(table: Table, key: string): Table {
  const value = table[key]
  return isTable(value) ? value : {}
}

/** An empty text counts as not given, as in the CLI's template. */
function textIn(table: Table, key: string): string | null {
  const value = table[key]
  return typeof value === 'string' && value !== '' ? value : null
}

function textsIn(table: Table, key: string): readonly string[] | null {
  const value = table[key]
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : null
}
