import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createProviders, type Providers } from './providers.js'
import { NotSupported } from './filters.js'
import { startPostgres, type Database, type Postgres } from './postgres.js'
import { postgrest, type Answer, type Call, type Moment } from './postgrest.js'
import { startHost, type Host } from './worker.js'

/** A call of an invocation that waits to be let through. */
export interface Arrival {
  readonly run: string
  readonly call: Call
}

/** How a call is answered; `dead`: its invocation was killed while it waited, and nothing of it goes on. */
export type Answered = Answer | 'dead'

/** Everything outside the function: its database, the providers, the clock, and who lets its requests through. */
export interface World {
  readonly postgres: Postgres
  readonly host: Host
  readonly providers: Providers
  /** The database that `http://project.test` is. */
  database: Database | null
  /** Milliseconds, everywhere. */
  now: number
  /** Decides when a call is answered; by default at once. */
  gate: (arrival: Arrival) => Promise<Answered>
  /** Answers a call, as the database or a provider does. */
  readonly perform: (arrival: Arrival, moment?: Partial<Moment>) => Promise<Answer>
  /** What no stand-in knows. A test that sees one has proved nothing. */
  readonly gaps: string[]
  readonly stop: () => Promise<void>
}

/** A day without a change of clocks, at noon. */
export const NOON = Date.UTC(2026, 2, 10, 12)

/** The host that the functions' SUPABASE_URL names. */
const PROJECT = 'project.test'

export const toDatabase = (call: Call): boolean => call.url.host === PROJECT

/** `PATCH inbox_messages`, or a provider's host and path. */
export const labelOf = ({ call }: Arrival): string =>
  toDatabase(call) ? `${call.method} ${call.url.pathname.replace('/rest/v1/', '')}` : call.url.host + call.url.pathname

/** Starts PostgreSQL, Deno and the server between them. */
export async function startWorld(): Promise<World> {
  const server = createServer(async (request, response) => {
    const arrival = await read(request)
    const answered = await world.gate(arrival).catch((error: unknown): Answer => {
      world.gaps.push(`${arrival.call.method} ${arrival.call.url.href}: ${String(error)}`)
      return { status: error instanceof NotSupported ? 501 : 500, body: JSON.stringify({ message: String(error) }) }
    })
    if (answered === 'dead') return void response.writeHead(200, { 'x-race-dead': 'yes' }).end()
    const empty = [204, 304].includes(answered.status)
    response.writeHead(answered.status, { ...answered.headers, 'x-race-now': String(world.now) })
    response.end(empty ? undefined : answered.body)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const [postgres, host] = await Promise.all([startPostgres(), startHost(`http://127.0.0.1:${port}`)])
  const world: World = {
    postgres,
    host,
    providers: createProviders(),
    database: null,
    now: NOON,
    gate: (arrival) => world.perform(arrival),
    perform: async ({ run, call }, moment = {}) => {
      if (!toDatabase(call)) return world.providers.answer(call, run, world.now)
      // Storage takes everything: no effect in the sense of the contract.
      if (call.url.pathname.startsWith('/storage/v1/'))
        return { status: 200, body: JSON.stringify({ Id: 'file', Key: 'file' }) }
      if (!call.url.pathname.startsWith('/rest/v1/')) throw new NotSupported(call.url.pathname)
      if (!world.database) throw new NotSupported('no project')
      return postgrest(world.database.pool, call, { now: world.now, ...moment })
    },
    gaps: [],
    stop: async () => {
      await host.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await postgres.stop()
    },
  }
  return world
}

async function read(request: IncomingMessage): Promise<Arrival> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const { 'x-race-url': url, 'x-race-run': run, ...rest } = request.headers
  const headers = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]))
  const call: Call = {
    method: request.method ?? 'GET',
    url: new URL(String(url)),
    headers,
    body: Buffer.concat(parts).toString(),
  }
  return { run: String(run), call }
}
