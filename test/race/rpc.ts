import type pg from 'pg'
import { NotSupported, quoted } from './filters.js'
import type { Call, Outcome } from './postgrest.js'

interface Signature {
  readonly set: boolean
  readonly rows: boolean
  readonly nothing: boolean
  readonly volatile: boolean
  readonly parameters: readonly string[]
  readonly types: readonly string[]
}

const SIGNATURE = `
  select proretset as set,
    (proargmodes is not null and proargmodes && '{o,b,t}'::"char"[]) or exists (
      select from pg_type where pg_type.oid = prorettype and typtype = 'c') as rows,
    prorettype = 'void'::regtype as nothing,
    provolatile = 'v' as volatile,
    coalesce(proargnames, '{}')::text[] as parameters,
    array(select format_type(type, null) from unnest(proargtypes) with ordinality as a(type, at) order by at) as types
  from pg_proc where proname = $2 and pronamespace = $1::regnamespace`

/**
 * A routine called by name, as PostgREST calls it: in a transaction that only reads if the routine is not volatile or
 * the request is a GET; a set is a list, a single value the bare value. Left out: overloads, filters on the result.
 */
export async function callRoutine(client: pg.PoolClient, name: string, call: Call): Promise<Outcome> {
  const schema = call.headers['content-profile'] ?? call.headers['accept-profile'] ?? 'public'
  const found = await client.query<Signature>(SIGNATURE, [schema, name])
  const signature = found.rows[0]
  if (!signature) throw Object.assign(new Error(`Could not find the function ${schema}.${name}`), { code: '42883' })
  if (found.rows.length > 1) throw new NotSupported(`overloaded ${name}`)
  if ([...call.url.searchParams.keys()].some((key) => key !== 'select' && call.method !== 'GET'))
    throw new NotSupported(`filters on ${name}: ${call.url.search}`)
  if (!signature.volatile) await client.query('set transaction read only')
  const given =
    call.method === 'GET' ? Object.fromEntries(call.url.searchParams) : (JSON.parse(call.body || '{}') as object)
  const values: unknown[] = []
  const list = Object.entries(given).map(([key, value]) => {
    const type = signature.types[signature.parameters.indexOf(key)]
    if (type === undefined) throw Object.assign(new Error(`${name} has no parameter ${key}`), { code: '42883' })
    values.push(type.startsWith('json') ? JSON.stringify(value) : value)
    return `${quoted(key)} => $${values.length}::${type}`
  })
  const invoked = `${quoted(schema)}.${quoted(name)}(${list.join(', ')})`
  if (signature.nothing) {
    await client.query(`select ${invoked}`, values)
    return { body: '', rows: 1 }
  }
  const single = `select to_json(value)::text as body, 1 as rows from ${invoked} value`
  const all = signature.rows
    ? `select coalesce(json_agg(value), '[]')::text as body, count(*)::int as rows from ${invoked} value`
    : `select coalesce(json_agg(value), '[]')::text as body, count(*)::int as rows from ${invoked} as f(value)`
  const { rows } = await client.query<Outcome>(signature.set ? all : single, values)
  return { body: rows[0]?.body ?? 'null', rows: rows[0]?.rows ?? 1 }
}
