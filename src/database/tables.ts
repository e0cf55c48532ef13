import type { Location, Operand, Table, UniqueKey } from '../model/index.js'
import {
  as,
  constantOf,
  locateAll,
  locate,
  nameParts,
  tokensOf,
  type Node,
  type NodeOf,
  type SqlText,
} from '../sql/index.js'
import type { Parse } from './routines.js'

/** A trigger on a table. */
export interface Trigger {
  readonly name: string
  readonly table: string
  readonly before: boolean
  readonly onInsert: boolean
  readonly onUpdate: boolean
  readonly onDelete: boolean
  /** The function's name, without and with its schema as written. */
  readonly routine: string
  readonly routineSchema: string | null
  readonly arguments: readonly string[]
  readonly location: Location
}

/** A table while its statements are applied: keys with the names by which they can be dropped. */
export interface TableDraft {
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
  readonly keys: readonly (UniqueKey & { readonly name: string | null })[]
  readonly defaults: Table['defaults']
  readonly triggers: readonly Trigger[]
  readonly location: Location
  /** There is one of that name in another schema too, and the two cannot be told apart. */
  readonly mixed?: boolean
}

/** Applies one statement of DDL to a table; null: there is none (any more). */
export function applyTable(table: TableDraft | null, statement: SqlText, parse: Parse): TableDraft | null {
  const parsed = parse(statement)
  if (!parsed.ok) return table
  const { tree, source } = parsed
  const create = as(tree, 'CreateStmt')
  if (create) return created(table, create, source)
  const query = as(tree, 'CreateTableAsStmt')
  if (query) return table ?? { ...emptyTable(query.into?.rel, source), columns: queryColumns(query) }
  if (as(tree, 'DropStmt')) return dropped(table, as(tree, 'DropStmt')!)
  const trigger = as(tree, 'CreateTrigStmt')
  if (trigger) return withTrigger(table ?? emptyTable(trigger.relation, source), trigger, source)
  if (table === null) return null
  const alter = as(tree, 'AlterTableStmt')
  if (alter)
    return (alter.cmds ?? []).reduce<TableDraft>(
      (each, node) => altered(each, as(node, 'AlterTableCmd'), source),
      table,
    )
  const index = as(tree, 'IndexStmt')
  if (index?.unique) return { ...table, keys: [...table.keys, indexKey(index, source)] }
  const rename = as(tree, 'RenameStmt')
  return rename ? renamed(table, rename) : table
}

/** What is kept of a table for the rest of the product. */
export function tableOf(draft: TableDraft, touched: readonly string[]): Table {
  const { schema, name, columns, defaults, location } = draft
  const keys = draft.keys.map(({ columns: keyColumns, primary, condition, location: at }) => ({
    columns: keyColumns,
    primary,
    condition,
    location: at,
  }))
  return { schema, name, columns, keys, defaults, touched, location }
}

function emptyTable(relation: NodeOf<'RangeVar'> | undefined, source: SqlText): TableDraft {
  return {
    schema: relation?.schemaname ?? 'public',
    name: relation?.relname ?? '',
    columns: [],
    keys: [],
    defaults: new Map(),
    triggers: [],
    location: locateAll(source),
  }
}

function created(before: TableDraft | null, create: NodeOf<'CreateStmt'>, source: SqlText): TableDraft {
  // IF NOT EXISTS over a table that is there changes nothing; columns of a second CREATE are kept all the same, as which of
  // two branches of history ran is not known.
  const table = emptyTable(create.relation, source)
  const elements = (create.tableElts ?? []).reduce<TableDraft>((each, node) => {
    const column = as(node, 'ColumnDef')
    if (column) return withColumn(each, column, source)
    const constraint = as(node, 'Constraint')
    return constraint ? withConstraint(each, constraint, source) : each
  }, table)
  if (before === null) return elements
  if (before.schema !== table.schema && before.columns.length > 0) return { ...before, mixed: true }
  if (before.columns.length === 0) return { ...elements, triggers: before.triggers }
  return before
}

function withColumn(table: TableDraft, column: NodeOf<'ColumnDef'>, source: SqlText): TableDraft {
  const name = column.colname ?? ''
  if (table.columns.includes(name)) return table
  const next = withDefault({ ...table, columns: [...table.columns, name] }, name, defaultOf(column))
  return (column.constraints ?? []).reduce<TableDraft>((each, node) => {
    const constraint = as(node, 'Constraint')
    return constraint ? withConstraint(each, constraint, source, [name]) : each
  }, next)
}

/** A column's default: a constant; null: an expression, a sequence, an identity; undefined: none. */
function defaultOf(column: NodeOf<'ColumnDef'>): Operand | null | undefined {
  for (const node of column.constraints ?? []) {
    const constraint = as(node, 'Constraint')
    if (constraint?.contype === 'CONSTR_DEFAULT') return literalOf(constraint.raw_expr)
    if (constraint?.contype === 'CONSTR_IDENTITY' || constraint?.contype === 'CONSTR_GENERATED') return null
  }
  return /serial/.test(nameParts(column.typeName?.names).at(-1) ?? '') ? null : undefined
}

function literalOf(node: Node | undefined): Operand | null {
  const value = constantOf(node)
  return value === undefined ? null : { kind: 'literal', value }
}

function withDefault(table: TableDraft, column: string, value: Operand | null | undefined): TableDraft {
  const defaults = new Map(table.defaults)
  if (value === undefined) defaults.delete(column)
  else defaults.set(column, value)
  return { ...table, defaults }
}

function withConstraint(
  table: TableDraft,
  constraint: NodeOf<'Constraint'>,
  source: SqlText,
  own: readonly string[] = [],
): TableDraft {
  const primary = constraint.contype === 'CONSTR_PRIMARY'
  if (!primary && constraint.contype !== 'CONSTR_UNIQUE') return table
  if (constraint.indexname) {
    // ADD CONSTRAINT … USING INDEX: the index is that key already.
    return { ...table, keys: table.keys.map((key) => (key.name === constraint.indexname ? { ...key, primary } : key)) }
  }
  const columns = own.length > 0 ? own : nameParts(constraint.keys)
  const fallback = primary ? `${table.name}_pkey` : `${table.name}_${columns.join('_')}_key`
  const location = locate(source, constraint.location ?? 0)
  const key = { name: constraint.conname ?? fallback, columns, primary, condition: null, location }
  return { ...table, keys: [...table.keys, key] }
}

function indexKey(index: NodeOf<'IndexStmt'>, source: SqlText): TableDraft['keys'][number] {
  const columns = (index.indexParams ?? []).map((node) => as(node, 'IndexElem')?.name ?? null)
  const condition = index.whereClause === undefined ? null : lastClause(source)
  return { name: index.idxname ?? null, columns, primary: false, condition, location: locateAll(source) }
}

/** The WHERE of CREATE INDEX is its last clause; the columns before it stand in parentheses. */
function lastClause(source: SqlText): string {
  const tokens = tokensOf(source)
  let depth = 0
  for (const { kind, value, end } of tokens) {
    if (kind === 'symbol' && value === '(') depth += 1
    else if (kind === 'symbol' && value === ')') depth -= 1
    else if (depth === 0 && kind === 'word' && value === 'where')
      return source.text.slice(end).replace(/;\s*$/, '').trim()
  }
  return ''
}

function altered(table: TableDraft, command: NodeOf<'AlterTableCmd'> | undefined, source: SqlText): TableDraft {
  switch (command?.subtype) {
    case 'AT_AddColumn': {
      const column = as(command.def, 'ColumnDef')
      return column ? withColumn(table, column, source) : table
    }
    case 'AT_DropColumn':
      return {
        ...table,
        columns: table.columns.filter((each) => each !== command.name),
        keys: table.keys.filter((key) => !key.columns.includes(command.name ?? '')),
      }
    case 'AT_ColumnDefault':
      return withDefault(table, command.name ?? '', command.def ? literalOf(command.def) : undefined)
    case 'AT_AddConstraint': {
      const constraint = as(command.def, 'Constraint')
      return constraint ? withConstraint(table, constraint, source) : table
    }
    case 'AT_DropConstraint':
      return { ...table, keys: table.keys.filter((key) => key.name !== command.name) }
    default:
      return table
  }
}

function renamed(table: TableDraft, rename: NodeOf<'RenameStmt'>): TableDraft {
  const next = rename.newname ?? ''
  if (rename.renameType === 'OBJECT_TABLE') return { ...table, name: next }
  if (rename.renameType !== 'OBJECT_COLUMN') return table
  const swap = <T>(name: T): T | string => (name === rename.subname ? next : name)
  return {
    ...table,
    columns: table.columns.map(swap),
    defaults: new Map([...table.defaults].map(([column, value]) => [swap(column), value])),
    keys: table.keys.map((key) => ({ ...key, columns: key.columns.map(swap) })),
  }
}

function dropped(table: TableDraft | null, drop: NodeOf<'DropStmt'>): TableDraft | null {
  if (table === null || drop.removeType === 'OBJECT_TABLE') return null
  const names = (drop.objects ?? []).map((node) => nameParts(as(node, 'List')?.items ?? []).at(-1))
  if (drop.removeType === 'OBJECT_TRIGGER')
    return { ...table, triggers: table.triggers.filter((each) => !names.includes(each.name)) }
  return { ...table, keys: table.keys.filter((key) => key.name === null || !names.includes(key.name)) }
}

function withTrigger(table: TableDraft, trigger: NodeOf<'CreateTrigStmt'>, source: SqlText): TableDraft {
  const events = trigger.events ?? 0
  const function_ = nameParts(trigger.funcname)
  // Bits of PostgreSQL's catalog/pg_trigger.h.
  const next: Trigger = {
    name: trigger.trigname ?? '',
    table: table.name,
    before: ((trigger.timing ?? 0) & 2) !== 0,
    onInsert: (events & 4) !== 0,
    onDelete: (events & 8) !== 0,
    onUpdate: (events & 16) !== 0,
    routine: function_.at(-1) ?? '',
    routineSchema: function_.at(-2) ?? null,
    arguments: nameParts(trigger.args),
    location: locateAll(source),
  }
  return { ...table, triggers: [...table.triggers.filter((each) => each.name !== next.name), next] }
}

/** The columns of CREATE TABLE … AS SELECT. */
function queryColumns(query: NodeOf<'CreateTableAsStmt'>): string[] {
  const targets = as(query.query as Node, 'SelectStmt')?.targetList ?? []
  return targets.flatMap((node) => {
    const target = as(node, 'ResTarget')
    const fields = nameParts(as(target?.val, 'ColumnRef')?.fields)
    return target?.name ?? fields.at(-1) ?? []
  })
}
