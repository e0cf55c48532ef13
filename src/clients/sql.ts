import { ts } from '../typescript/ts.js'
import {
  UNKNOWN,
  assume,
  foreign,
  forget,
  locationOf,
  type Foreign,
  type ForeignData,
  type Machine,
  type Site,
  type Value,
} from '../typescript/index.js'
import { computedText, joinedText, type SqlText } from '../sql/index.js'
import { inTransaction, isRepeatable } from './transaction.js'

/** A direct connection (postgres.js, node-postgres, deno-postgres): a pool, a connection, or one in a transaction. */
export interface SqlClient extends ForeignData {
  readonly type: 'sql-client'
  readonly style: 'postgres' | 'pg'
  readonly repeatable: boolean
}

interface SqlMember extends ForeignData {
  readonly type: 'sql-member'
  readonly client: SqlClient
  readonly name: string
}

/** postgres.js sends a query when it is awaited; until then it may become a part of another one. */
interface SqlQuery extends ForeignData {
  readonly type: 'sql-query'
  readonly run: SqlText
  readonly values: readonly Value[]
  readonly client: SqlClient
  readonly site: Site
}

/** A statement to send: its text with `$1` …, and their values. */
export interface SqlStatement {
  readonly text: SqlText
  readonly values: readonly Value[]
  readonly repeatable: boolean
  readonly site: Site
}

export type SqlRun = (statement: SqlStatement, machine: Machine, site: Site) => Value

export const isSqlClient = (value: Foreign): boolean =>
  value.data.type === 'sql-client' || value.data.type === 'sql-member' || value.data.type === 'sql-query'

const client = (style: SqlClient['style'], repeatable = false): Foreign =>
  foreign({ type: 'sql-client', style, repeatable } as SqlClient)

/** `postgres(url)`, `new Pool(…)`, `new Client(…)`; undefined: no SQL client is made. */
export function sqlFactory(packageName: string, path: readonly string[], made: 'call' | 'new'): Value | undefined {
  const last = path[path.length - 1]
  if (
    made === 'call' &&
    (packageName === 'postgres' || packageName === 'postgresjs') &&
    (path.length === 0 || last === 'postgres')
  )
    return client('postgres')
  if (
    made === 'new' &&
    (last === 'Pool' || last === 'Client' || last === 'PoolClient') &&
    /^(pg|postgres|@db\/postgres|deno-postgres|@neondatabase\/serverless)$/.test(packageName)
  )
    return client('pg')
  if (made === 'call' && packageName === '@neondatabase/serverless' && last === 'neon') return client('postgres')
  return undefined
}

export function sqlMethod(
  value: Foreign,
  name: string,
  args: readonly Value[],
  machine: Machine,
  site: Site,
  run: SqlRun,
): Value | undefined {
  if (value.data.type === 'sql-query')
    return name === 'then' || name === 'catch' || name === 'finally' ? undefined : value
  if (value.data.type === 'sql-member') return UNKNOWN
  const data = value.data as SqlClient
  switch (name) {
    case 'begin':
    case 'transaction': {
      const fn = args.find((arg) => arg.kind === 'function')
      const mode = args[0]?.kind === 'const' ? String(args[0].value) : ''
      return inTransaction(fn, client(data.style, isRepeatable(mode)), machine, site)
    }
    case 'unsafe':
    case 'query':
    case 'queryObject':
    case 'queryArray': {
      const text = queryText(args[0], machine)
      if (text === null)
        return run(
          { text: computedText('', locationOf(site.node, site.file)), values: [], repeatable: data.repeatable, site },
          machine,
          site,
        )
      if (/^\s*(begin|start transaction)/i.test(text.text)) {
        assume(machine.state, [`x:${site.file}`])
        return UNKNOWN
      }
      if (/^\s*(commit|rollback|end)\b/i.test(text.text)) {
        forget(machine.state, (known) => known.startsWith('x:'))
        return UNKNOWN
      }
      const list = args[1] ?? text.values
      const items = list ? machine.items(list) : null
      const values = items?.items ?? (items?.element ? Array.from({ length: 20 }, () => items.element!) : [])
      return run({ text: literalOrComputed(text.text, site), values, repeatable: data.repeatable, site }, machine, site)
    }
    case 'connect':
    case 'reserve':
      return value
    case 'json':
    case 'array':
      return args[0] ?? UNKNOWN
    default:
      return UNKNOWN
  }
}

function queryText(value: Value | undefined, machine: Machine): { text: string; values: Value | null } | null {
  if (!value) return null
  if (value.kind === 'const' && typeof value.value === 'string') return { text: value.value, values: null }
  const cell = machine.objectCell(value)
  const text = cell?.props.get('text')
  return text?.kind === 'const'
    ? { text: String(text.value), values: cell?.props.get('values') ?? cell?.props.get('args') ?? null }
    : null
}

/** The text of a call's first argument, with its place where it stands there as a literal. */
function literalOrComputed(text: string, site: Site): SqlText {
  const node = site.node
  const first = ts.isCallExpression(node) ? node.arguments[0] : undefined
  if (first && (ts.isStringLiteral(first) || ts.isNoSubstitutionTemplateLiteral(first)))
    return joinedText({ path: site.file, text: first.getSourceFile().text }, [{ text, offset: first.getStart() + 1 }])
  return computedText(text, locationOf(node, site.file))
}

/** `sql('column')`, `sql(rows)`: a part of a statement. */
export function sqlCall(value: Foreign, args: readonly Value[], machine: Machine, site: Site, run: SqlRun): Value {
  if (value.data.type === 'sql-member') {
    const member = value.data as SqlMember
    return sqlMethod(foreign(member.client), member.name, args, machine, site, run) ?? UNKNOWN
  }
  return foreign({ type: 'sql-part', value: args[0] ?? UNKNOWN } as ForeignData)
}

export const sqlMember = (value: Foreign, name: string): Value =>
  foreign({ type: 'sql-member', client: value.data as SqlClient, name } as SqlMember)

/** A tagged template: postgres.js queries wait for their await, deno-postgres ones are sent at once. */
export function sqlTemplate(
  tag: Value,
  strings: readonly string[],
  values: readonly Value[],
  machine: Machine,
  site: Site,
  run: SqlRun,
): Value | undefined {
  if (tag.kind !== 'foreign' || !isSqlClient(tag)) return undefined
  const member = tag.data.type === 'sql-member' ? (tag.data as SqlMember) : null
  const owner = member ? member.client : (tag.data as SqlClient)
  const offsets = offsetsOf(site.node)
  const pieces: { text: string; offset: number }[] = []
  const params: Value[] = []
  strings.forEach((text, index) => {
    pieces.push({ text, offset: offsets[index] ?? site.node.getStart() })
    const value = values[index]
    if (value === undefined) return
    const at = (offsets[index] ?? 0) + text.length
    if (value.kind === 'foreign' && value.data.type === 'sql-query') {
      const inner = value.data as SqlQuery
      pieces.push({
        text: inner.run.text.replace(/\$(\d+)/g, (_all, number) => `$${Number(number) + params.length}`),
        offset: at,
      })
      params.push(...inner.values)
      return
    }
    if (value.kind === 'foreign' && value.data.type === 'sql-part') {
      const part = (value.data as unknown as { value: Value }).value
      if (part.kind === 'const' && typeof part.value === 'string') {
        pieces.push({ text: `"${part.value.replace(/"/g, '""').replace(/\./g, '"."')}"`, offset: at })
        return
      }
      const cell = machine.objectCell(part)
      if (cell && /\bset\s*$/i.test(text)) {
        // `set ${sql(changes)}`
        const assignments = [...cell.props].map(([name, item]) => {
          params.push(item)
          return `"${name}" = $${params.length}`
        })
        pieces.push({ text: assignments.join(', '), offset: at })
        return
      }
      params.push(part)
      pieces.push({ text: /\bin\s*$/i.test(text) ? `($${params.length})` : `$${params.length}`, offset: at })
      return
    }
    params.push(value)
    pieces.push({ text: `$${params.length}`, offset: at })
  })
  const text = joinedText({ path: site.file, text: site.node.getSourceFile().text }, pieces)
  if (member || owner.style === 'pg')
    return run({ text, values: params, repeatable: owner.repeatable, site }, machine, site)
  return foreign({ type: 'sql-query', run: text, values: params, client: owner, site } as SqlQuery)
}

export function awaitSql(value: Foreign, machine: Machine, site: Site, run: SqlRun): Value | undefined {
  if (value.data.type !== 'sql-query') return undefined
  const query = value.data as SqlQuery
  return run(
    { text: query.run, values: query.values, repeatable: query.client.repeatable, site: query.site },
    machine,
    site,
  )
}

/** Where each literal piece of a template stands in the file. */
export function offsetsOf(node: ts.Node): number[] {
  if (!ts.isTaggedTemplateExpression(node)) return []
  const template = node.template
  if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.getStart() + 1]
  return [template.head.getStart() + 1, ...template.templateSpans.map((span) => span.literal.getStart() + 1)]
}
