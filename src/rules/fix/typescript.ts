import type { Operand, Predicate, WorkLoop } from '../../model/index.js'
import type { PrintableClaim, SetChange } from './claim.js'

/** Names in the loop's own style; the usual ones where the code has none. */
export interface Names {
  readonly client: string
  readonly row: string
  readonly key: string
  /** What a turn of the loop does when the row is another run's. */
  readonly leave: string
  /** Lines that say what a name stands for that the code does not have. */
  readonly notes: readonly string[]
}

export function namesOf(loop: WorkLoop): Names {
  const { source, location } = loop
  const noLoop = location.file === source.location.file && location.startLine === source.location.startLine
  return {
    client: source.clientName ?? 'supabase',
    row: source.rowName ?? 'row',
    key: source.key ?? 'id',
    notes: [
      ...(source.rowName === null ? ['// row: the one that is worked on here'] : []),
      ...(source.key === null ? ['// id: whatever tells one row from another; no migration says'] : []),
    ],
    leave: noLoop ? "return new Response('taken by another run')" : loop.concurrency === 1 ? 'continue' : 'return',
  }
}

/** `supabase.from('jobs')`, or with `.schema('…')` where the table is in another one than public. */
export function fromTable(client: string, table: string): readonly string[] {
  const [name = table, schema] = table.split('.').reverse()
  const schemaCall = schema === undefined || schema === 'public' ? [] : [`.schema(${text(schema)})`]
  return [client, ...schemaCall, `.from(${text(name)})`]
}

/** The claim of one row as a supabase-js chain, with the check of its result. */
export function claimInTypeScript(table: string, claim: PrintableClaim, names: Names): string {
  const [client, ...calls] = fromTable(names.client, table)
  const chain = [
    ...calls,
    `.update(${setObject(claim.change)})`,
    `.eq(${text(names.key)}, ${member(names.row, names.key)})`,
    ...filters(claim.where),
    `.select(${text(names.key)})`,
    '.maybeSingle()',
  ]
  return [
    ...migration(table, claim),
    ...names.notes,
    `const { data: claimed, error: claimError } = await ${client}`,
    ...chain.map((call) => `  ${call}`),
    'if (claimError) console.error(claimError.message)',
    `if (!claimed) ${names.leave} // another run has it`,
  ].join('\n')
}

function migration(table: string, claim: PrintableClaim): readonly string[] {
  if (claim.newColumn === null) return []
  return [`// in a migration: alter table ${table} add column if not exists ${claim.newColumn} timestamptz;`]
}

function setObject(change: SetChange): string {
  return `{ ${change.assignments.map(({ column, operand }) => `${property(column)}: ${value(operand)}`).join(', ')} }`
}

const methods = { '=': 'eq', '<>': 'neq', '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' } as const

function filters(where: Predicate): readonly string[] {
  switch (where.kind) {
    case 'and':
      return where.terms.flatMap(filters)
    case 'or':
      return [`.or(\`${where.terms.map(filterText).join(',')}\`)`]
    case 'compare':
      return [`.${methods[where.op]}(${text(where.column)}, ${value(where.operand)})`]
    case 'in':
      return [`.in(${text(where.column)}, [${where.operands.map(value).join(', ')}])`]
    case 'null':
      return [`.is(${text(where.column)}, null)`]
    case 'distinct':
      return [`.not(${text(where.column)}, 'is', ${value(where.operand)})`]
    case 'not':
      if (where.term.kind === 'null') return [`.not(${text(where.term.column)}, 'is', null)`]
      return where.term.kind === 'in'
        ? [`.not(${text(where.term.column)}, 'in', ${text(`(${where.term.operands.map(filterValue).join(',')})`)})`]
        : []
    case 'other':
      return []
  }
}

/** One term of an `.or(…)` text, in PostgREST's own grammar. */
function filterText(term: Predicate): string {
  switch (term.kind) {
    case 'compare':
      return `${term.column}.${methods[term.op]}.${filterValue(term.operand)}`
    case 'in':
      return `${term.column}.in.(${term.operands.map(filterValue).join(',')})`
    case 'null':
      return `${term.column}.is.null`
    case 'distinct':
      return `${term.column}.not.is.${filterValue(term.operand)}`
    case 'not':
      if (term.term.kind === 'null') return `${term.term.column}.not.is.null`
      return term.term.kind === 'in' ? filterText(term.term).replace('.in.', '.not.in.') : ''
    default:
      return ''
  }
}

function filterValue(operand: Operand): string {
  if (operand.kind === 'now') return `\${${value(operand)}}`
  if (operand.kind !== 'literal') return ''
  const plain = String(operand.value)
  return /^[\w.-]+$/.test(plain) ? plain : `"${plain.replace(/[\\"]/g, '\\$&')}"`
}

/** A constant or a moment as TypeScript writes it; `null` for anything else. */
export function value(operand: Operand): string {
  if (operand.kind === 'literal') return typeof operand.value === 'string' ? text(operand.value) : String(operand.value)
  if (operand.kind !== 'now') return 'null'
  const offset = operand.offset ?? 0
  if (offset === 0) return 'new Date().toISOString()'
  return `new Date(Date.now() ${offset < 0 ? '-' : '+'} ${duration(Math.abs(offset))}).toISOString()`
}

function duration(milliseconds: number): string {
  return milliseconds % 60_000 === 0 ? `${milliseconds / 60_000} * 60_000` : String(milliseconds)
}

/** `job.id`, or `job['order id']`. */
export function member(row: string, column: string): string {
  return isName(column) ? `${row}.${column}` : `${row}[${text(column)}]`
}

export function property(column: string): string {
  return isName(column) ? column : text(column)
}

function isName(word: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(word)
}

/** A single-quoted string of TypeScript. */
export function text(plain: string): string {
  return `'${JSON.stringify(plain).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`
}
