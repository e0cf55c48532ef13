import type { Diagnostic, Routine, Table } from '../model/index.js'
import { fileText, locate, parseStatement, splitStatements, type Parsed, type SqlText } from '../sql/index.js'
import { define, modelTable, newCatalog, routinesNamed, triggersOf } from './catalog.js'
import { headOf, type Head } from './heads.js'
import { interpreter } from './interpreter.js'
import { jobTable, type FileOrigin, type Job } from './jobs.js'
import { Exhausted, Raised, report, rootFrame, type Machine } from './machine.js'
import { newStore, postpone, postponeWrites } from './store.js'
import type { Trigger } from './tables.js'

/** A file of SQL in the order in which it runs. Files that are no migrations come after all that are. */
export interface SqlFile {
  /** POSIX, as it stands in locations. */
  readonly path: string
  readonly text: string
  readonly origin: FileOrigin
}

/** The database as it stands once all migrations have run. */
export interface Database {
  /** cron.job, in the order in which the jobs were made. */
  readonly jobs: readonly Job[]
  /** Statements of the files: all; those that were parsed, as they could matter; those of them that could not be. */
  readonly statements: StatementCount
  /** What could not be read or resolved so far: some statements are only parsed when they are asked for. */
  readonly diagnostics: readonly Diagnostic[]
  /** For running more SQL against it. */
  readonly machine: Machine
  /** The tables that were asked for. */
  readonly tables: Map<string, Table | null>
}

export interface StatementCount {
  total: number
  parsed: number
  failed: number
}

/** What one statement may cost: nodes evaluated, rows made, statements run. */
const BUDGET = 200_000

/**
 * Runs SQL files in order over an empty database, as far as jobs, routines, tables and their configuration go (domain: pg_cron
 * src/job_metadata.c; Supabase CLI pkg/migration). `loadParser` must have been awaited. Never throws on bad SQL.
 */
export function replay(files: readonly SqlFile[]): Database {
  const statements: StatementCount = { total: 0, parsed: 0, failed: 0 }
  const machine = newMachine(statements)
  const helpers = newHelpers()
  const inOrder = [
    ...files.filter((file) => file.origin === 'migration'),
    ...files.filter((file) => file.origin !== 'migration'),
  ]
  let settled: ReadonlySet<string> | null = null
  for (const file of inOrder) {
    if (file.origin !== 'migration') settled ??= definedNames(machine)
    machine.jobs.origin = file.origin
    // Taken out one by one: a parsed tree lives as long as its statement, and a dump has hundreds of thousands.
    const rest = splitStatements(fileText(file.path, file.text)).reverse()
    for (let statement = rest.pop(); statement; statement = rest.pop()) {
      statements.total++
      const head = headOf(statement.text)
      if (head) apply(machine, helpers, head, statement, settled)
    }
  }
  reportNotCalled(machine, helpers)
  return {
    jobs: machine.jobs.rows,
    statements,
    diagnostics: machine.diagnostics.all,
    machine,
    tables: new Map(),
  }
}

function newMachine(statements: StatementCount): Machine {
  const counted = new WeakSet<SqlText>()
  const machine: Machine = {
    catalog: newCatalog((statement: SqlText): Parsed => {
      const parsed = parseStatement(statement)
      if (counted.has(statement)) return parsed
      counted.add(statement)
      if (parsed.ok) statements.parsed++
      else {
        statements.failed++
        report(machine, {
          code: 'sql-not-parsed',
          severity: 'warning',
          message: parsed.message,
          location: parsed.location,
        })
      }
      return parsed
    }),
    jobs: jobTable(),
    store: newStore(),
    sends: [],
    writes: [],
    path: { arms: [], last: 0 },
    diagnostics: { all: [], seen: new Set() },
    interpreter,
    settings: new Map(),
    called: new Set(),
    holes: [],
    rowsAreAll: false,
    frozen: false,
    budget: { left: BUDGET, depth: 0 },
  }
  return machine
}

const definedNames = (machine: Machine): ReadonlySet<string> =>
  new Set([...[...machine.catalog.routines.keys()].map((name) => `${name}()`), ...machine.catalog.tables.keys()])

/** What an INSERT stores is data: a log of commands may speak of jobs in every row, and makes none. */
const LITERALS = /'(?:[^']|'')*'/g
const SPEAKS_OF_JOBS = /\bcron\s*"?\s*\./i
const CHANGES_JOBS =
  /\bcron\s*"?\s*\.\s*"?(?:schedule|unschedule|alter_job)|\b(?:update|insert\s+into|delete\s+from)\s+"?cron\b/i
const DEFINES =
  /\b(?:add\s+constraint|unique|primary\s+key|alter\s+(?:database|role)|create\s+(?:or\s+replace\s+)?(?:function|trigger|table|procedure))\b/i

/** Applies one statement: definitions are kept, what may touch cron.job is run, other writes wait until somebody reads their table. */
function apply(
  machine: Machine,
  helpers: Helpers,
  head: Head,
  statement: SqlText,
  settled: ReadonlySet<string> | null,
): void {
  const { text } = statement
  if (head.kind === 'create routine' || head.kind === 'drop routine') {
    if (settled?.has(`${head.names[0]}()`)) return
    define(machine.catalog, head, statement)
    if (head.kind === 'create routine' && (CHANGES_JOBS.test(text) || mentions(helpers, text))) {
      addHelper(helpers, head.names[0]!)
      addCallers(helpers, machine, head.names[0]!)
    }
    return
  }
  if (head.kind !== 'run' && head.kind !== 'insert' && head.kind !== 'update' && head.kind !== 'delete') {
    if (!settled?.has(head.names[0] ?? '')) define(machine.catalog, head, statement)
    return
  }
  const code = head.kind === 'insert' ? text.replace(LITERALS, "''") : text
  if (SPEAKS_OF_JOBS.test(code) || mentions(helpers, code)) run(machine, statement)
  else if (head.kind !== 'run') postpone(machine.store, head.names[0]!, statement)
  else if (/^alter/i.test(text) || (/^do\b/i.test(text) && DEFINES.test(text))) run(machine, statement)
  else postponeWrites(machine.store, statement)
}

function run(machine: Machine, statement: SqlText): void {
  const parsed = machine.catalog.parse(statement)
  if (!parsed.ok) return
  machine.store.done.add(statement)
  machine.budget.left = BUDGET
  const before = machine.jobs.rows
  try {
    machine.interpreter.statement(rootFrame(machine, parsed.source), parsed.tree)
  } catch (error) {
    if (error instanceof Raised) {
      machine.jobs.rows = before
      return
    }
    if (!(error instanceof Exhausted || error instanceof RangeError)) throw error
    report(machine, {
      code: 'sql-too-complex',
      severity: 'warning',
      message: `Given up: ${error instanceof Exhausted ? error.message : 'the statement is nested too deeply'}; jobs that it makes may be missing`,
      location: locate(statement, 0),
    })
  } finally {
    // What a migration sends is sent once.
    machine.sends.length = 0
    machine.writes.length = 0
    machine.path.arms.length = 0
  }
}

/** Routines that change jobs, straight or through another; `pattern` finds their names in a text. */
interface Helpers {
  readonly names: Set<string>
  pattern: RegExp | null
}

const newHelpers = (): Helpers => ({ names: new Set(), pattern: null })

function addHelper(helpers: Helpers, name: string): void {
  if (helpers.names.has(name)) return
  helpers.names.add(name)
  const all = [...helpers.names].map((each) => each.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  helpers.pattern = new RegExp(`(?<![\\w$])(?:${all.join('|')})(?![\\w$])`, 'i')
}

/** A routine may call one that is only made later. */
function addCallers(helpers: Helpers, machine: Machine, name: string): void {
  for (const [caller, { statements }] of machine.catalog.routines) {
    if (helpers.names.has(caller) || !statements.at(-1)!.text.includes(name)) continue
    if (!mentions(helpers, statements.at(-1)!.text)) continue
    addHelper(helpers, caller)
    addCallers(helpers, machine, caller)
  }
}

const mentions = (helpers: Helpers, text: string): boolean => helpers.pattern?.test(text) ?? false

/** A schedule in a routine that nothing calls is said to exist, and is no tick. */
function reportNotCalled(machine: Machine, helpers: Helpers): void {
  for (const name of helpers.names) {
    if (machine.called.has(name)) continue
    for (const { routine } of routinesNamed(machine.catalog, name)) {
      if (!/\bcron\s*"?\s*\.\s*"?schedule/i.test(routine.text)) continue
      report(machine, {
        code: 'schedule-not-called',
        severity: 'info',
        message: `${routine.name}() schedules jobs, but no migration calls it: its jobs exist only where somebody calls it by hand`,
        location: routine.location,
      })
    }
  }
}

/**
 * The table of that name ("jobs", "private.jobs") as the migrations leave it; null where they make none, or make tables of
 * that name in several schemas: the catalog tells tables by their bare names.
 */
export function findTable(database: Database, name: string): Table | null {
  const { tables } = database
  const [bare = name, schema] = name.split('.').reverse()
  if (!tables.has(bare)) tables.set(bare, modelTable(database.machine.catalog, bare))
  const table = tables.get(bare)!
  return schema !== undefined && table?.schema !== schema ? null : table
}

/** The routines of that name as the migrations leave them: one for each signature. `schema` null: any. */
export function findRoutines(database: Database, name: string, schema: string | null = null): readonly Routine[] {
  return routinesNamed(database.machine.catalog, name, schema).map((entry) => entry.routine)
}

const SENDS = /\bnet\s*"?\s*\.\s*"?http_|\bhttp(?:_get|_post|_put|_patch|_delete|_request)?\s*"?\s*\(/i

/** The names of the routines that send requests, straight or through another. */
export function findSenders(database: Database): ReadonlySet<string> {
  const senders = newHelpers()
  for (let before = -1; before < senders.names.size;) {
    before = senders.names.size
    for (const [name, { statements }] of database.machine.catalog.routines) {
      const last = statements.at(-1)?.text ?? ''
      if (!senders.names.has(name) && (SENDS.test(last) || mentions(senders, last))) addHelper(senders, name)
    }
  }
  return senders.names
}

/** All triggers of the project's tables. */
export function findTriggers(database: Database): readonly Trigger[] {
  return triggersOf(database.machine.catalog)
}
