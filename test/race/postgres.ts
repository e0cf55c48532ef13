import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { startServer } from '../claims/server.js'

/** A database of one project: the stand-ins, the project's migrations, and its rows. */
export interface Database {
  readonly pool: pg.Pool
  /** Only what the migrations have put in, and the rows that the SQL makes. */
  readonly fill: (seed: string) => Promise<void>
  /** Comes back to the rows that it was filled with. */
  readonly reset: () => Promise<void>
  /** The same text for the same rows in all tables. */
  readonly digest: () => Promise<string>
}

export interface Postgres {
  /** The migrations of the `supabase` folder, in order, where nothing was before. The project before is gone. */
  readonly project: (folder: string) => Promise<Database>
  readonly stop: () => Promise<void>
}

/** As PostgREST has it on Supabase (public, extensions), and before pg_catalog the test's clock. */
const SEARCH_PATH = 'public,clock,pg_catalog,extensions'

const SCHEMAS = ['public', 'extensions', 'clock', 'cron', 'net', 'vault', 'pgmq', 'pgmq_public', 'born', 'filled']

/** Starts a real PostgreSQL. */
export async function startPostgres(): Promise<Postgres> {
  const server = await startServer()
  const admin = await server.connect()
  const standIns = await readFile(new URL('./stand-ins.sql', import.meta.url), 'utf8')
  await admin.query('create role anon; create role authenticated; create role service_role')
  let current: pg.Pool | null = null
  const close = async (): Promise<void> => {
    await current?.end()
    current = null
  }
  return {
    project: async (folder) => {
      // Quicker than a database for each. The connections are new, so that no lock of a session is left.
      await close()
      await admin.query(`drop schema if exists ${SCHEMAS.join(', ')} cascade; create schema public; ${standIns}`)
      const pool = new pg.Pool({
        ...addressOf(admin),
        max: 12,
        options: `-c search_path=${SEARCH_PATH} -c timezone=UTC`,
      })
      // A connection that the end of the server cuts is no news.
      pool.on('connect', (client) => client.on('error', () => {}))
      pool.on('error', () => {})
      current = pool
      for (const text of await migrations(folder)) await pool.query(text)
      return onDatabase(pool)
    },
    stop: async () => {
      await close()
      await server.stop()
    },
  }
}

function addressOf(client: pg.Client): pg.ClientConfig {
  return { host: '127.0.0.1', port: client.port, user: 'postgres', password: 'postgres', database: 'postgres' }
}

async function migrations(folder: string): Promise<string[]> {
  const home = join(folder, 'migrations')
  const names = (await readdir(home)).filter((name) => /^\d+_.*\.sql$/.test(name)).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(home, name), 'utf8')))
  // The stand-ins are no extensions.
  return texts.map((text) => text.replace(/create extension [^;]*;/gi, ''))
}

const OURS = `schemaname in ('public', 'pgmq', 'net')`

async function onDatabase(pool: pg.Pool): Promise<Database> {
  const empty = await copy(pool, 'born')
  let kept = empty
  return {
    pool,
    fill: async (seed) => {
      await pool.query(empty.restore)
      await pool.query(`begin; ${seed}; commit`)
      kept = await copy(pool, 'filled')
    },
    reset: async () => void (await pool.query(kept.restore)),
    digest: async () => (await pool.query<{ digest: string }>(kept.look)).rows[0]?.digest ?? '',
  }
}

/** Copies all tables into a schema of its own, and says how to come back to that. */
async function copy(pool: pg.Pool, schema: string): Promise<{ restore: string; look: string }> {
  const tables = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where ${OURS} order by 1`,
  )
  const sequences = await pool.query<{ set: string }>(
    `select format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename), coalesce(last_value, 1),
       last_value is not null) as set from pg_sequences where ${OURS}`,
  )
  const names = tables.rows.map((row) => row.name)
  const copies = names.map((_, at) => `${schema}.t${at}`)
  const create = names.map((name, at) => `create table ${copies[at]} as table ${name}`)
  await pool.query([`drop schema if exists ${schema} cascade`, `create schema ${schema}`, ...create].join('; '))
  const rows = names.map((name) => `(select string_agg(t::text, ';' order by t::text) from ${name} t)`)
  return {
    restore: [
      // As replica: no trigger fires, no foreign key asks.
      'begin; set local session_replication_role = replica',
      // Deleting is quicker than truncating for a few rows: no new files.
      ...names.map(
        (name, at) => `delete from ${name}; insert into ${name} overriding system value table ${copies[at]}`,
      ),
      ...sequences.rows.map((row) => row.set),
      'commit',
    ].join('; '),
    look: `select md5(concat_ws('/', ${rows.join(', ')})) as digest`,
  }
}
