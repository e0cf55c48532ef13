import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { canRun, whyNot } from './able.js'
import { startPostgres, type Database, type Postgres } from './postgres.js'
import { postgrest, type Call } from './postgrest.js'
import { NOON } from './world.js'

/** The stand-in for PostgREST against what the documentation and the source say of the real one, asked by the real supabase-js. */

const MIGRATION = `
  create table jobs (
    id bigint generated always as identity primary key, name text not null unique, status text not null default 'waiting',
    tries integer not null default 0, at timestamptz, data jsonb, tags text[]
  );
  create function tries_of(job bigint) returns integer language sql stable as $$ select tries from jobs where id = job $$;
  create function take(job bigint) returns boolean language plpgsql as $$
    begin update jobs set status = 'taken' where id = job and status = 'waiting'; return found; end $$;
  create function take_quietly(job bigint) returns boolean language plpgsql stable as $$
    begin update jobs set status = 'taken' where id = job; return found; end $$;
  create function take_some(most integer, wanted text[] default '{waiting}') returns setof jobs language sql as $$
    update jobs set status = 'taken' where id in (
      select id from jobs where status = any(wanted) order by id limit most for update skip locked) returning * $$;
  create function names() returns setof text language sql as $$ select name from jobs order by id $$;
  create function tidy() returns void language sql as $$ delete from jobs where status = 'gone' $$;
`

describe.skipIf(!canRun)(`the stand-in for PostgREST${whyNot}`, () => {
  let postgres: Postgres
  let database: Database
  let folder: string
  let supabase: SupabaseClient
  let requests: Request[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tick-audit-rest-'))
    await mkdir(join(folder, 'migrations'))
    await writeFile(join(folder, 'migrations/1_jobs.sql'), MIGRATION)
    postgres = await startPostgres()
    database = await postgres.project(folder)
    await database.fill(`insert into jobs (name) select 'job ' || n from generate_series(1, 3) n`)
    const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init)
      requests.push(request)
      const headers = Object.fromEntries(request.headers)
      const call: Call = { method: request.method, url: new URL(request.url), headers, body: await request.text() }
      const { status, body, headers: given } = await postgrest(database.pool, call, { now: NOON })
      return new Response(status === 204 ? null : body, { status, headers: given })
    }
    const transport = class {} as never
    supabase = createClient('http://project.test', 'key', { global: { fetch }, realtime: { transport } })
  }, 60_000)
  beforeEach(async () => {
    await database.reset()
    requests = []
  })
  afterAll(async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const statuses = async (): Promise<unknown> =>
    (await database.pool.query<{ status: string }>('select status from jobs order by id')).rows.map((row) => row.status)

  it('sends nothing for a builder that nobody waits for', async () => {
    void supabase.from('jobs').update({ status: 'taken' }).eq('id', 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(requests).toEqual([])
  })

  it('says nothing of the rows of a plain update, also if there were none', async () => {
    const none = await supabase.from('jobs').update({ status: 'taken' }).eq('id', 1).eq('status', 'gone')
    expect(none).toMatchObject({ data: null, error: null, status: 204 })
    const one = await supabase
      .from('jobs')
      .update({ status: 'taken' })
      .eq('id', 1)
      .eq('status', 'waiting')
      .throwOnError()
    expect(one).toMatchObject({ data: null, error: null, status: 204 })
    expect(await statuses()).toEqual(['taken', 'waiting', 'waiting'])
  })

  it('returns the rows that matched where they are asked back', async () => {
    const won = await supabase
      .from('jobs')
      .update({ status: 'taken' })
      .eq('id', 1)
      .eq('status', 'waiting')
      .select('id, name')
    expect(won.data).toEqual([{ id: 1, name: 'job 1' }])
    const lost = await supabase
      .from('jobs')
      .update({ status: 'taken' })
      .eq('id', 1)
      .eq('status', 'waiting')
      .select('id')
    expect(lost).toMatchObject({ data: [], error: null })
  })

  it('counts the rows of an update', async () => {
    const claim = () =>
      supabase.from('jobs').update({ status: 'taken' }, { count: 'exact' }).eq('id', 1).eq('status', 'waiting')
    expect((await claim()).count).toBe(1)
    expect((await claim()).count).toBe(0)
  })

  it('counts the rows of a read without its limit', async () => {
    const { data, count } = await supabase.from('jobs').select('id', { count: 'exact' }).limit(1)
    expect([data?.length, count]).toEqual([1, 3])
    expect((await supabase.from('jobs').select('*', { count: 'exact', head: true })).count).toBe(3)
  })

  it('rolls an update back that asked for a single object and did not hit exactly one', async () => {
    const many = await supabase.from('jobs').update({ status: 'taken' }).eq('status', 'waiting').select('id').single()
    expect(many).toMatchObject({ data: null, status: 406, error: { code: 'PGRST116' } })
    expect(await statuses()).toEqual(['waiting', 'waiting', 'waiting'])
    const none = await supabase.from('jobs').update({ status: 'taken' }).eq('id', 9).select('id').single()
    expect(none.error?.code).toBe('PGRST116')
    const one = await supabase.from('jobs').update({ status: 'taken' }).eq('id', 1).select('id').single()
    expect(one.data).toEqual({ id: 1 })
  })

  it('lets maybeSingle update many rows, and supabase-js complains afterwards', async () => {
    const many = await supabase
      .from('jobs')
      .update({ status: 'taken' })
      .eq('status', 'waiting')
      .select('id')
      .maybeSingle()
    expect(many.error?.code).toBe('PGRST116')
    expect(await statuses()).toEqual(['taken', 'taken', 'taken'])
    const none = await supabase.from('jobs').update({ status: 'taken' }).eq('id', 9).select('id').maybeSingle()
    expect(none).toMatchObject({ data: null, error: null })
  })

  it('ignores limit and order of an update, as PostgREST 13 does', async () => {
    const { data } = await supabase
      .from('jobs')
      .update({ status: 'taken' })
      .eq('status', 'waiting')
      .select('id')
      .order('id')
      .limit(1)
    expect(data).toHaveLength(3)
  })

  it('refuses more than maxAffected and changes nothing', async () => {
    const update = supabase.from('jobs').update({ status: 'taken' }).eq('status', 'waiting')
    // Its types want to be told the version.
    const limited = (update as unknown as { maxAffected: (most: number) => typeof update }).maxAffected(1)
    expect((await limited).error?.code).toBe('PGRST124')
    expect(await statuses()).toEqual(['waiting', 'waiting', 'waiting'])
  })

  it('answers 409 and 23505 for a duplicate', async () => {
    const { error, status } = await supabase.from('jobs').insert({ name: 'job 1' })
    expect([error?.code, status]).toEqual(['23505', 409])
    expect((await supabase.from('jobs').insert({ name: 'job 4' })).status).toBe(201)
  })

  it('merges duplicates of an upsert, or ignores them and returns what is new', async () => {
    const both = { onConflict: 'name' }
    const merged = await supabase.from('jobs').upsert({ name: 'job 1', tries: 5 }, both).select('name, tries')
    expect(merged.data).toEqual([{ name: 'job 1', tries: 5 }])
    const ignored = await supabase
      .from('jobs')
      .upsert([{ name: 'job 1' }, { name: 'job 5' }], { ...both, ignoreDuplicates: true })
      .select('name')
    expect(ignored.data).toEqual([{ name: 'job 5' }])
  })

  it('deletes and returns what was there', async () => {
    const gone = () => supabase.from('jobs').delete().eq('id', 2).select('id').maybeSingle()
    expect((await gone()).data).toEqual({ id: 2 })
    expect((await gone()).data).toBeNull()
  })

  it('knows the filters of a claim', async () => {
    await database.pool.query(`update jobs set at = '2026-03-10T11:00:00Z', tries = 2, status = 'taken' where id = 2`)
    const ids = async (query: PromiseLike<{ data: { id: number }[] | null; error: unknown }>): Promise<unknown> => {
      const { data, error } = await query
      return error ?? data?.map((row) => row.id)
    }
    const jobs = () => supabase.from('jobs').select('id').order('id', { ascending: true })
    expect(await ids(jobs().is('at', null))).toEqual([1, 3])
    expect(await ids(jobs().not('at', 'is', null))).toEqual([2])
    expect(await ids(jobs().in('status', ['taken', 'a,"b"']))).toEqual([2])
    expect(await ids(jobs().not('status', 'in', '(taken)'))).toEqual([1, 3])
    expect(await ids(jobs().neq('status', 'taken').gt('id', 1))).toEqual([3])
    expect(await ids(jobs().gte('tries', 2).lte('tries', 2))).toEqual([2])
    expect(await ids(jobs().lt('tries', 1).match({ name: 'job 3' }))).toEqual([3])
    expect(await ids(jobs().or('at.is.null,at.lt.2026-03-10T10:00:00Z'))).toEqual([1, 3])
    expect(await ids(jobs().or('id.eq.1,and(status.eq.taken,at.lt."2026-03-10T11:50:00Z")'))).toEqual([1, 2])
    expect(await ids(jobs().or('status.in.(waiting,gone),id.eq.2').filter('id', 'lt', 3))).toEqual([1, 2])
    expect(await ids(jobs().limit(1))).toEqual([1])
    expect(await ids(jobs().range(1, 2))).toEqual([2, 3])
    // An equality with the word, not IS NULL.
    expect(await ids(jobs().eq('status', null as never))).toEqual([])
  })

  it('refuses what it does not know', async () => {
    const ask = (query: string): Promise<unknown> =>
      postgrest(
        database.pool,
        { method: 'GET', url: new URL(`http://x/rest/v1/jobs?${query}`), headers: {}, body: '' },
        { now: NOON },
      )
    await expect(ask('name=fts.cat')).rejects.toThrow('operator fts')
    await expect(ask('select=id,lists(name)')).rejects.toThrow('select lists(name)')
    await expect(ask('lists.name=eq.a')).rejects.toThrow('filter on lists.name')
  })

  it('keeps the fractions of a time, json and arrays', async () => {
    const row = { at: '2026-03-10T11:00:00.123456+00:00', data: { a: [1] }, tags: ['x', 'y,z'] }
    const { data } = await supabase.from('jobs').update(row).eq('id', 1).select('at, data, tags').single()
    expect(data).toEqual(row)
    expect((await supabase.from('jobs').select('id').eq('at', row.at)).data).toEqual([{ id: 1 }])
  })

  it('calls routines: a value, a list of rows, a list of values, nothing', async () => {
    expect((await supabase.rpc('tries_of', { job: 1 })).data).toBe(0)
    expect((await supabase.rpc('tries_of', { job: 1 }, { get: true })).data).toBe(0)
    expect((await supabase.rpc('take', { job: 1 })).data).toBe(true)
    expect((await supabase.rpc('take', { job: 1 })).data).toBe(false)
    expect((await supabase.rpc('take_some', { most: 1 })).data).toMatchObject([{ id: 2, status: 'taken' }])
    expect((await supabase.rpc('take_some', { most: 5, wanted: ['gone'] })).data).toEqual([])
    expect((await supabase.rpc('names')).data).toEqual(['job 1', 'job 2', 'job 3'])
    expect(await supabase.rpc('tidy')).toMatchObject({ data: null, error: null, status: 204 })
    expect((await supabase.rpc('nobody')).status).toBe(404)
  })

  it('rolls a routine back that was to return a single row and did not', async () => {
    expect((await supabase.rpc('take_some', { most: 2 }).single()).error?.code).toBe('PGRST116')
    expect(await statuses()).toEqual(['waiting', 'waiting', 'waiting'])
  })

  it('lets nothing be written by a GET or a routine that says it writes nothing', async () => {
    expect((await supabase.rpc('take', { job: 1 }, { get: true })).error?.code).toBe('25006')
    expect((await supabase.rpc('take_quietly', { job: 1 })).error?.code).toMatch(/25006|0A000/)
    expect(await statuses()).toEqual(['waiting', 'waiting', 'waiting'])
  })

  it('commits each request before it answers: the next one, on any connection, sees it', async () => {
    await supabase.from('jobs').update({ status: 'taken' }).eq('id', 1)
    const others = await Promise.all([1, 2, 3].map(() => supabase.from('jobs').select('status').eq('id', 1).single()))
    expect(others.map(({ data }) => data)).toEqual(Array(3).fill({ status: 'taken' }))
  })

  it('serves queues in their own schema, under the names that their wrappers have', async () => {
    const time = `set local clock.now = '${new Date(NOON).toISOString()}'`
    await database.pool.query(
      `begin; ${time}; select pgmq.create('work'); select pgmq.send('work', '{"n": 1}'); commit`,
    )
    const queue = supabase.schema('pgmq_public')
    const read = () => queue.rpc('read', { queue_name: 'work', sleep_seconds: 60, n: 5 })
    expect((await read()).data).toMatchObject([{ msg_id: 1, message: { n: 1 }, read_ct: 1 }])
    expect((await read()).data).toEqual([])
    expect((await queue.rpc('delete', { queue_name: 'work', message_id: 1 })).data).toBe(true)
    expect((await queue.rpc('pop', { queue_name: 'work' })).data).toEqual([])
  })
})
