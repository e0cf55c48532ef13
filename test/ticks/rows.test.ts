import { describe, expect, it } from 'vitest'
import type { DispatchRows } from '../../src/model/index.js'
import { dispatchesOf, ticksOf } from './run.js'

const TABLE = `create table work (id uuid primary key, state text, due timestamptz, note text, taken_at timestamptz);`
const post = (body: string): string => `net.http_post('https://h/functions/v1/f', ${body})`
const rowsOf = (command: string, before = ''): DispatchRows | null =>
  dispatchesOf(command, ['f'], `${TABLE} ${before}`)[0]!.rows

describe('a request for each row', () => {
  const picked = {
    kind: 'and',
    terms: [
      { kind: 'compare', column: 'state' },
      { kind: 'compare', column: 'due' },
    ],
  }

  it.each([
    [
      `select ${post(`jsonb_build_object('id', w.id)`)} from public.work as w where w.state = 'new' and w.due <= now() limit 20`,
    ],
    [
      `do $$ declare r record; begin for r in select id from work where state = 'new' and due <= now() limit 20 loop perform ${post(`jsonb_build_object('id', r.id)`)}; end loop; end $$`,
    ],
    [
      `do $$ declare v uuid; n int := 20; begin for v in select id from work where state = 'new' and due <= now() limit n loop perform ${post(`jsonb_build_object('id', v)`)}; end loop; end $$`,
    ],
    [
      `do $$ declare r work%rowtype; begin for r in execute 'select * from work where state = ''new'' and due <= now() limit 20' loop perform ${post(`jsonb_build_object('id', r.id)`)}; end loop; end $$`,
    ],
    [
      `with x as (select id from work where state = 'new' and due <= now() limit 20) select ${post(`jsonb_build_object('id', x.id)`)} from x`,
    ],
  ])('is a fan-out over rows that are only picked: %s', (command) => {
    const [dispatch] = dispatchesOf(command, ['f'], TABLE)
    expect(dispatch).toMatchObject({ fanout: true, body: { fields: { id: { kind: 'column', column: 'id' } } } })
    expect(dispatch!.rows).toMatchObject({
      table: 'work',
      taking: null,
      pick: { table: 'work', where: picked, limit: { value: 20 } },
    })
  })

  it('is none for one row of configuration, a count, or EXISTS', () => {
    const config = `create table cfg (k text primary key, v text);`
    const url = `net.http_post(c.v || '/functions/v1/f')`
    for (const command of [
      `select ${url} from cfg c where c.k = 'base'`,
      `with c as (select v from not_in_migrations where k = 'base') select ${url} from c`,
      `select net.http_post(s.decrypted_secret || '/functions/v1/f') from vault.decrypted_secrets s where s.name = 'base'`,
      `select ${post(`jsonb_build_object('n', s.n)`)} from (select count(*) as n from work where state = 'new') s where s.n > 0`,
      `select ${post(`'{}'`)} where exists (select 1 from work where state = 'new')`,
    ]) {
      expect(dispatchesOf(command, ['f'], TABLE + config)).toMatchObject([{ fanout: false }])
    }
  })

  it('carries whole rows, lists of rows, and one row without a loop', () => {
    expect(dispatchesOf(`select ${post('to_jsonb(w)')} from work w`, ['f'], TABLE)[0]!.body).toEqual({ kind: 'row' })
    const list = `do $$ declare j jsonb; begin select jsonb_agg(jsonb_build_object('i', id)) into j from work where state = 'new'; perform ${post(`jsonb_build_object('rows', j)`)}; end $$`
    const [batch] = dispatchesOf(list, ['f'], TABLE)
    expect(batch).toMatchObject({ fanout: false, rows: { table: 'work', pick: { table: 'work' } } })
    expect(batch!.body).toEqual({
      kind: 'object',
      fields: { rows: { kind: 'rows', element: { kind: 'object', fields: { i: { kind: 'column', column: 'id' } } } } },
    })
    const collected = `do $$ declare a uuid[] := '{}'; v uuid; begin for v in select id from work where state = 'new' loop a := array_append(a, v); end loop; perform ${post(`jsonb_build_object('ids', to_jsonb(a))`)}; end $$`
    expect(dispatchesOf(collected, ['f'], TABLE)[0]).toMatchObject({
      fanout: false,
      rows: { table: 'work' },
      body: { fields: { ids: { kind: 'rows', element: { kind: 'column', column: 'id' } } } },
    })
    const one = `do $$ declare v uuid; begin select id into v from work where state = 'new' order by due limit 1; perform ${post(`jsonb_build_object('id', v)`)}; end $$`
    expect(dispatchesOf(one, ['f'], TABLE)[0]).toMatchObject({
      fanout: false,
      rows: { table: 'work', pick: { limit: { value: 1 } } },
    })
  })
})

describe('rows are taken', () => {
  const lock = `(select id from work where state = 'new' order by due limit 5 for update skip locked)`

  it.each([
    [
      `with t as (update work set state = 'sent' where id in ${lock} returning id) select ${post(`jsonb_build_object('id', t.id)`)} from t`,
    ],
    [
      `with d as ${lock}, t as (update work w set state = 'sent' from d where w.id = d.id returning w.*) select ${post('to_jsonb(t)')} from t`,
    ],
    [
      `do $$ declare r record; begin for r in update work set state = 'sent' where state = 'new' returning id loop perform ${post(`jsonb_build_object('id', r.id)`)}; end loop; end $$`,
    ],
    [
      `do $$ declare j jsonb; begin with t as (update work set state = 'sent' where id in ${lock} returning id, note) select jsonb_agg(to_jsonb(t)) into j from t; perform ${post('j')}; end $$`,
    ],
    [`select ${post(`jsonb_build_object('id', m.msg_id)`)} from pgmq.read('q', 60, 10) m`],
    [`select ${post(`jsonb_build_object('id', c.id)`)} from take(5) c`],
    [
      `with t as (delete from work where state = 'new' returning id) select ${post(`jsonb_build_object('id', id)`)} from t`,
    ],
  ])('%s', (command) => {
    const take = `create function take(n int) returns setof work language sql as $$ update work set state = 'sent' where id in (select id from work where state = 'new' limit n for update skip locked) returning * $$;`
    expect(rowsOf(command, take)).toMatchObject({ taking: { soundness: 'sound' } })
  })

  it('unsoundly where the statement does not exclude a second run', () => {
    const command = `with t as (update work set note = 'x' where state = 'new' returning id) select ${post(`jsonb_build_object('id', id)`)} from t`
    expect(rowsOf(command)).toMatchObject({ taking: { soundness: 'claim-not-self-falsifying' } })
  })
})

describe('rows that are read, sent and marked in one transaction', () => {
  const body = (
    mark: string,
  ): string => `create or replace function run() returns void language plpgsql as $$ declare r record; ids uuid[]; begin
      for r in select id, note from work where state = 'new' loop
        perform ${post(`jsonb_build_object('id', r.id)`)};
        ${mark}
      end loop;
    end $$;`
  const job = (name: string): string => `select cron.schedule('${name}', '* * * * *', 'select run()');`
  const takingOf = (mark: string, ...jobs: string[]): unknown =>
    ticksOf(['f'], TABLE, body(mark), ...jobs).ticks[0]!.dispatches[0]!.rows!.taking

  it('are as good as taken if one job alone sends them', () => {
    const mark = `update work set state = 'sent' where id = r.id;`
    expect(takingOf(mark, job('a'))).toMatchObject({
      soundness: 'sound',
      table: 'work',
      change: { kind: 'set' },
      location: { startLine: 4 },
    })
    expect(takingOf(`delete from work where id = r.id;`, job('a'))).toMatchObject({
      soundness: 'sound',
      change: { kind: 'delete' },
    })
    expect(takingOf(mark, job('a'), job('b'))).toBeNull()
    const off = `select cron.alter_job((select jobid from cron.job where jobname = 'b'), active := false)`
    expect(takingOf(mark, job('a'), job('b'), off)).toMatchObject({ soundness: 'sound' })
  })

  it('are not where the mark leaves them in the pick, is another row’s, or does not always come', () => {
    expect(takingOf(`update work set taken_at = now() where id = r.id;`, job('a'))).toBeNull()
    expect(takingOf(`update work set state = 'sent' where id = gen_random_uuid();`, job('a'))).toBeNull()
    expect(
      takingOf(`if r.note is null then update work set state = 'sent' where id = r.id; end if;`, job('a')),
    ).toBeNull()
    expect(
      takingOf(`continue when r.note is null; update work set state = 'sent' where id = r.id;`, job('a')),
    ).toBeNull()
    expect(takingOf('', job('a'))).toBeNull()
  })

  it('by whatever job where the read locks them', () => {
    const text = body(`update work set state = 'sent' where id = r.id;`).replace(
      `where state = 'new' loop`,
      `where state = 'new' for update skip locked loop`,
    )
    const { ticks } = ticksOf(['f'], TABLE, text, job('a'), job('b'))
    expect(ticks.map((tick) => tick.dispatches[0]!.rows!.taking?.soundness)).toEqual(['sound', 'sound'])
  })

  it('also in plain statements of a command', () => {
    const command = `select ${post(`jsonb_build_object('id', id)`)} from work where state = 'new'; update work set state = 'sent' where state = 'new'`
    expect(rowsOf(command)).toMatchObject({ taking: { soundness: 'sound' } })
  })
})
