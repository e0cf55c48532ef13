import type pg from 'pg'
import { condition, NotSupported, quoted } from './filters.js'
import { callRoutine } from './rpc.js'

/** What supabase-js sends and gets back, stripped to what counts. */
export interface Call {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export interface Moment {
  /** The time in the database, in milliseconds. */
  readonly now: number
  /** Told the backend's id before the statement runs. */
  readonly started?: (backend: number) => void
  /** Waited for between the statement and its commit. */
  readonly beforeCommit?: () => Promise<void>
}

/** Rows as PostgREST gives them, how many they are, and how many there would be without a limit. */
export interface Outcome {
  readonly body: string
  readonly rows: number
  readonly total?: number
}

/** A refusal that rolls back. */
class Refused extends Error {
  constructor(
    readonly status: number,
    readonly answer: object,
  ) {
    super('refused')
  }
}

/**
 * The smallest faithful stand-in for PostgREST: one transaction a request, READ COMMITTED; filters on the target row
 * itself; limit and order of a PATCH or DELETE ignored, as since PostgREST 13; an object asked for and not exactly one
 * row there: 406 PGRST116 and roll-back (PostgREST docs, transactions; MainTx.hs, Statements.hs). Left out: roles, row security, embedded resources,
 * casts and functions in `select`, CSV, OpenAPI, bulk updates. What it does not know throws `NotSupported`.
 */
export async function postgrest(pool: pg.Pool, call: Call, moment: Moment): Promise<Answer> {
  const client = await pool.connect()
  const path = call.url.pathname.replace(/^\/rest\/v1\//, '')
  const read = call.method === 'GET' || call.method === 'HEAD'
  const prefer = call.headers['prefer'] ?? ''
  try {
    const time = `set local clock.now = '${new Date(moment.now).toISOString()}'`
    await client.query(`begin isolation level read committed${read ? ' read only' : ''}; ${time}`)
    moment.started?.((client as unknown as { processID: number }).processID)
    const outcome = path.startsWith('rpc/')
      ? await callRoutine(client, path.slice(4), call)
      : await onTable(client, path, call)
    check(call, outcome, prefer)
    await moment.beforeCommit?.()
    await client.query('commit')
    return answerOf(call, outcome, prefer, path)
  } catch (error) {
    await client.query('rollback')
    if (error instanceof NotSupported) throw error
    if (error instanceof Refused) return { status: error.status, body: JSON.stringify(error.answer) }
    return refusal(error as pg.DatabaseError)
  } finally {
    client.release()
  }
}

async function onTable(client: pg.PoolClient, path: string, call: Call): Promise<Outcome> {
  if (!/^\w+$/.test(path)) throw new NotSupported(path)
  const params = call.url.searchParams
  const schema = call.headers['content-profile'] ?? call.headers['accept-profile'] ?? 'public'
  const table = `${quoted(schema)}.${quoted(path)}`
  const values: unknown[] = []
  if (call.method === 'GET' || call.method === 'HEAD') {
    const where = condition(params, values)
    const order =
      params.get('order') === null ? '' : ` order by ${params.get('order')!.split(',').map(ordering).join(', ')}`
    const limit = ['limit', 'offset']
      .map((word) => (params.has(word) ? ` ${word} ${Number(params.get(word))}` : ''))
      .join('')
    const outcome = await rowsOf(
      client,
      `select ${columns(params)} from ${table} t where ${where}${order}${limit}`,
      values,
    )
    if (!(call.headers['prefer'] ?? '').includes('count=')) return outcome
    const all = await client.query<{ total: number }>(
      `select count(*)::int as total from ${table} t where ${where}`,
      values,
    )
    return { ...outcome, total: all.rows[0]!.total }
  }
  const returning = wantsRows(call) ? columns(params) : '1 as one'
  if (call.method === 'DELETE') {
    return rowsOf(client, `delete from ${table} t where ${condition(params, values)} returning ${returning}`, values)
  }
  values.push(call.body)
  if (call.method === 'PATCH') {
    const set = names(call.body).map((name) => `${quoted(name)} = body.${quoted(name)}`)
    const from = `json_populate_record(null::${table}, $1) body`
    const where = condition(params, values)
    return rowsOf(
      client,
      `update ${table} t set ${set.join(', ')} from ${from} where ${where} returning ${returning}`,
      values,
    )
  }
  if (call.method !== 'POST') throw new NotSupported(call.method)
  const list = names(call.body).map(quoted).join(', ')
  const from = Array.isArray(JSON.parse(call.body)) ? 'json_populate_recordset' : 'json_populate_record'
  const conflict = await onConflict(client, table, call)
  const insert = `insert into ${table} as t (${list}) select ${list} from ${from}(null::${table}, $1)`
  return rowsOf(client, `${insert} ${conflict} returning ${returning}`, values)
}

/** `Prefer: resolution=…` of an upsert; the conflict is on the primary key where `on_conflict` does not say otherwise. */
async function onConflict(client: pg.PoolClient, table: string, call: Call): Promise<string> {
  const [, resolution] = /resolution=(\w+)-duplicates/.exec(call.headers['prefer'] ?? '') ?? []
  if (resolution === undefined) return ''
  const given = call.url.searchParams.get('on_conflict')?.split(',')
  const primary = `select attname as name from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
    where indrelid = $1::regclass and indisprimary`
  const key = given ?? (await client.query<{ name: string }>(primary, [table])).rows.map((row) => row.name)
  const target = `on conflict (${key.map(quoted).join(', ')}) do`
  if (resolution === 'ignore') return `${target} nothing`
  return `${target} update set ${names(call.body)
    .map((name) => `${quoted(name)} = excluded.${quoted(name)}`)
    .join(', ')}`
}

async function rowsOf(client: pg.PoolClient, statement: string, values: unknown[]): Promise<Outcome> {
  const text = `with source as (${statement}) select coalesce(json_agg(source), '[]')::text as body, count(*)::int as rows from source`
  return (await client.query<Outcome>(text, values)).rows[0]!
}

/** The columns of `select`, with PostgREST's `alias:column`. */
function columns(params: URLSearchParams): string {
  const list = (params.get('select') ?? '*').split(',').map((each) => {
    if (each === '*') return 't.*'
    const [, alias, column] = /^(?:(\w+):)?(\w+)$/.exec(each.trim()) ?? []
    if (column === undefined) throw new NotSupported(`select ${each}`)
    return `t.${quoted(column)}${alias ? ` as ${quoted(alias)}` : ''}`
  })
  return list.join(', ')
}

function ordering(text: string): string {
  const [name = '', ...rest] = text.split('.')
  if (rest.some((word) => !['asc', 'desc', 'nullsfirst', 'nullslast'].includes(word)))
    throw new NotSupported(`order ${text}`)
  return `t.${quoted(name)} ${rest.join(' ').replace(/nulls(first|last)/, 'nulls $1')}`
}

function names(body: string): string[] {
  const value = JSON.parse(body) as object | object[]
  return [...new Set((Array.isArray(value) ? value : [value]).flatMap((row: object) => Object.keys(row)))]
}

const wantsRows = (call: Call): boolean => (call.headers['prefer'] ?? '').includes('return=representation')
const wantsObject = (call: Call): boolean => (call.headers['accept'] ?? '').includes('vnd.pgrst.object')

/** Before the commit: a wrong number of rows condemns the transaction. */
function check(call: Call, { rows }: Outcome, prefer: string): void {
  const most = /max-affected=(\d+)/.exec(prefer)?.[1]
  if (most !== undefined && prefer.includes('handling=strict') && rows > Number(most))
    throw new Refused(400, { code: 'PGRST124', message: 'Query result exceeds max-affected preference constraint' })
  const shown = call.method === 'GET' || wantsRows(call) || call.url.pathname.includes('/rpc/')
  if (wantsObject(call) && shown && rows !== 1)
    throw new Refused(406, {
      code: 'PGRST116',
      details: `The result contains ${rows} rows`,
      hint: null,
      message: 'Cannot coerce the result to a single JSON object',
    })
}

function answerOf(call: Call, outcome: Outcome, prefer: string, path: string): Answer {
  const total = prefer.includes('count=') ? String(outcome.total ?? outcome.rows) : '*'
  const range = outcome.rows === 0 || call.method !== 'GET' ? '*' : `0-${outcome.rows - 1}`
  const headers = { 'content-type': 'application/json', 'content-range': `${range}/${total}` }
  const shown = call.method === 'GET' || wantsRows(call) || path.startsWith('rpc/')
  if (!shown || outcome.body === '')
    return { status: call.method === 'POST' && !path.startsWith('rpc/') ? 201 : 204, headers, body: '' }
  const body =
    wantsObject(call) && outcome.body.startsWith('[')
      ? JSON.stringify((JSON.parse(outcome.body) as unknown[])[0])
      : outcome.body
  return {
    status: call.method === 'POST' && !path.startsWith('rpc/') ? 201 : 200,
    headers,
    body: call.method === 'HEAD' ? '' : body,
  }
}

/** PostgreSQL's error as PostgREST words it (errors.rst). */
function refusal(error: pg.DatabaseError): Answer {
  const { code, message, detail, hint } = error
  if (code === undefined) throw error
  const status =
    code.startsWith('23') && ['23503', '23505'].includes(code)
      ? 409
      : code === '25006'
        ? 405
        : code === '42883'
          ? 404
          : 400
  return { status, body: JSON.stringify({ code, message, details: detail ?? null, hint: hint ?? null }) }
}
