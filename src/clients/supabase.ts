import { ts } from '../typescript/ts.js'
import {
  constant,
  foreign,
  type Foreign,
  type ForeignData,
  type Machine,
  type Site,
  type Value,
} from '../typescript/index.js'
import { queryValue, type Query } from './query.js'

/** A supabase-js client: `createClient(…)`, or whatever has a `.from('table')`. */
export type ClientData = ForeignData & {
  readonly type: 'supabase'
  readonly schema: string | null
  readonly part: readonly string[]
}

export const isClient = (value: Foreign): value is Foreign & { data: ClientData } => value.data.type === 'supabase'
export const clientValue = (schema: string | null = null): Foreign =>
  foreign({ type: 'supabase', schema, part: [] } as ClientData)

/** Packages whose createClient (or like) makes a client, and the function names. */
const FACTORIES = new Set([
  'createClient',
  'createServerClient',
  'createBrowserClient',
  'createServiceClient',
  'SupabaseClient',
])

export function makesClient(packageName: string, path: readonly string[]): boolean {
  const last = path[path.length - 1]
  return packageName.startsWith('@supabase/') && last !== undefined && FACTORIES.has(last)
}

/** The schema that the client was made for: `createClient(url, key, { db: { schema: 'x' } })`. */
export function schemaOption(args: readonly Value[], machine: Machine): string | null {
  for (const arg of args) {
    const db = machine.objectCell(arg)?.props.get('db')
    const schema = db ? machine.objectCell(db)?.props.get('schema') : undefined
    if (schema?.kind === 'const' && typeof schema.value === 'string') return schema.value
  }
  return null
}

/** The start of a query, or the client for another schema; undefined: the method is none of the database's. */
export function clientMethod(
  schema: string | null,
  name: string,
  args: readonly Value[],
  site: Site,
): Value | undefined {
  const [first, second, third] = args
  switch (name) {
    case 'from':
    case 'rpc': {
      const query: Query = {
        verb: name === 'from' ? 'select' : 'call',
        table: first ?? constant(undefined),
        schema,
        filters: [],
        payload: name === 'rpc' ? (second ?? null) : null,
        options: name === 'rpc' ? (third ?? null) : null,
        returning: false,
        shape: 'list',
        limit: null,
        throws: false,
        site,
        client: clientNameOf(site),
        viaHttp: false,
      }
      return queryValue(query)
    }
    case 'schema':
      return clientValue(first?.kind === 'const' ? String(first.value) : null)
    default:
      return undefined
  }
}

/** The expression before `.from(…)`: "supabase", "this.db". */
function clientNameOf(site: Site): string | null {
  const node = site.node
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null
  const text = node.expression.expression.getText()
  return /^[\w.$]+$/.test(text) ? text : null
}

/** Does a call on an unknown value look like the start of a query? `from('name')`, `rpc('name', …)`. */
export function looksLikeClient(name: string, args: readonly Value[]): boolean {
  if (name !== 'from' && name !== 'rpc' && name !== 'schema') return false
  const first = args[0]
  return (first?.kind === 'const' && typeof first.value === 'string') || (name !== 'schema' && first?.kind === 'text')
}
