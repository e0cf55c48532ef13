import { describe, expect, it } from 'vitest'
import { replay } from '../../src/database/index.js'
import { findEntrances } from '../../src/ticks/entrances.js'
import { dispatchesOf, ticksOf } from './run.js'

const url = (name: string): string => `'https://h.supabase.co/functions/v1/${name}'`
const names = (dispatches: ReturnType<typeof dispatchesOf>): string[] =>
  dispatches.map((each) => [...each.via, each.function ?? '?'].join(' > '))

describe('requests in a command', () => {
  it.each([
    [`select net.http_post(${url('f')}, '{"a":1}'::jsonb, '{}', '{}', 5000)`],
    [`select "net"."http_post"("url" := ${url('f')}, "body" := '{"a":1}'::"jsonb")`],
    [`SELECT NET.HTTP_POST(body => jsonb_build_object('a', 1), url => ${url('f')}) AS request_id`],
    [`select extensions.net.http_post(url := ${url('f')}, body := '{"a":1}')`],
    [`select id from net.http_post(${url('f')}, json_build_object('a', 1)::jsonb) as id`],
    [`with r as (select net.http_post(${url('f')}, '{"a":1}') as id) select id from r`],
    [`do $$ declare v bigint; begin v := net.http_post(${url('f')}, '{"a":1}'); end $$`],
    [`do $$ begin perform net.http_post(${url('f')}, '{"a":1}') where exists (select 1 from t); end $$`],
    [`insert into log (r) select net.http_post(${url('f')}, '{"a":1}')`],
    [
      `do $$ begin if (select count(*) from t where s = 'x') = 0 then return; end if; perform net.http_post(${url('f')}, '{"a":1}'); end $$`,
    ],
    [`do $$ begin execute format('select net.http_post(%L, %L::jsonb)', ${url('f')}, '{"a":1}'); end $$`],
  ])('%s', (command) => {
    const dispatches = dispatchesOf(command)
    expect(dispatches).toMatchObject([{ function: 'f', method: 'POST', fanout: false, rows: null }])
    expect(dispatches[0]!.body).toEqual({ kind: 'object', fields: { a: { kind: 'literal', value: 1 } } })
  })

  it('know GET and DELETE', () => {
    expect(
      dispatchesOf(`select net.http_get(${url('f')}), net.http_delete(${url('g')})`).map((each) => each.method),
    ).toEqual(['GET', 'DELETE'])
  })

  it('are none in comments, strings and other data', () => {
    const quiet = [
      `-- select net.http_post(${url('f')})\n select 1`,
      `insert into notes values ($n$net.http_post ${url('f')}$n$)`,
      `select 'net.http_post'`,
    ]
    for (const command of quiet) expect(dispatchesOf(command)).toEqual([])
  })

  it('stand in the file where the command stands, also behind doubled quotes', () => {
    const { ticks } = ticksOf(
      [],
      `select cron.schedule('a', '* * * * *',\n  'select 1;\n  select net.http_post(''https://h/functions/v1/f'')');`,
    )
    expect(ticks[0]!.dispatches[0]!.location).toMatchObject({
      file: 'supabase/migrations/1_m.sql',
      startLine: 3,
      startColumn: 10,
    })
    expect(ticks[0]!.location).toMatchObject({ startLine: 1, startColumn: 8 })
  })

  it('of the http extension are dispatches only where they call a function of the project', () => {
    const { ticks, quiet, effects } = ticksOf(
      ['f'],
      `select cron.schedule('a', '* * * * *', $$ select extensions.http_post(${url('f')}, '{}', 'application/json') $$);
       select cron.schedule('b', '* * * * *', $$ select status from extensions.http(('POST', 'https://api.example.com', null, 'text/plain', 'x')::extensions.http_request) $$);
       select cron.schedule('c', '* * * * *', $$ select net.http_post('https://hooks.example.com/x') $$);`,
    )
    expect(ticks.map((tick) => tick.name)).toEqual(['a', 'c'])
    expect(quiet.map((job) => job.name)).toEqual(['b'])
    expect(effects).toMatchObject([
      { tick: 'b', url: 'https://api.example.com', synchronous: true, perRow: false },
      { tick: 'c', url: 'https://hooks.example.com/x', synchronous: false },
    ])
  })
})

describe('requests through SQL functions', () => {
  const call = `create function util.call_edge(path text default 'd', payload jsonb default '{}', ms int default 1) returns bigint language plpgsql as $$
      declare id bigint; begin
        select net.http_post(url => current_setting('app.url') || '/functions/v1/' || path, body => payload) into id; return id;
      end $$;
    create function app.kick(names text[]) returns void language plpgsql as $$
      declare n text; begin foreach n in array names loop perform app.kick(n); end loop; end $$;
    create function app.kick(name text) returns void language sql as $$ select util.call_edge(payload => '{"x":true}', path => name) $$;`

  it('follow arguments, names, defaults and overloads', () => {
    expect(names(dispatchesOf('select util.call_edge()', [], call))).toEqual(['call_edge > d'])
    expect(names(dispatchesOf(`select app.kick('f')`, [], call))).toEqual(['kick > call_edge > f'])
    expect(names(dispatchesOf(`select app.kick(array['f', 'g'])`, [], call))).toEqual([
      'kick > kick > call_edge > f',
      'kick > kick > call_edge > g',
    ])
    expect(dispatchesOf(`select app.kick('f')`, [], call)[0]!.body).toEqual({
      kind: 'object',
      fields: { x: { kind: 'literal', value: true } },
    })
  })

  it('see the last definition, and no dropped one', () => {
    const first = `create function k() returns bigint language sql as $$ select net.http_post(${url('f')}) $$; select cron.schedule('a', '* * * * *', 'select k()');`
    expect(
      ticksOf([], first, first.split('; select')[0]!.replace('v1/f', 'v1/g').replace('create', 'create or replace'))
        .ticks[0]!.dispatches,
    ).toMatchObject([{ function: 'g' }])
    const dropped = ticksOf([], first, 'drop function k()')
    expect(dropped.ticks).toEqual([])
    expect(dropped.quiet).toHaveLength(1)
  })

  it('end where they call themselves', () => {
    const loop = `create function r(n int) returns void language plpgsql as $$ begin perform net.http_post(${url('f')}); perform r(n + 1); end $$`
    expect(names(dispatchesOf('select r(1)', [], loop))).toEqual(['r > f'])
  })

  it('are made by jobs that jobs make', () => {
    const { ticks } = ticksOf(
      [],
      `select cron.schedule('a', '0 0 * * *', $a$ select cron.schedule('b', '* * * * *', $b$ select net.http_post(${url('f')}) $b$) $a$)`,
    )
    expect(ticks).toMatchObject([{ name: 'b', dispatches: [{ function: 'f' }] }])
  })
})

describe('loops over constants', () => {
  it('are one dispatch where call and function are the same, and what differs in the body is unknown', () => {
    const command = `do $$ declare r record; begin
      for r in select * from (values ('x', 1), ('y', 1)) as v(a, b) loop perform net.http_post(${url('f')}, jsonb_build_object('a', r.a, 'b', r.b)); end loop; end $$`
    expect(dispatchesOf(command)).toMatchObject([
      { fanout: false, rows: null, body: { fields: { a: { kind: 'unknown' }, b: { kind: 'literal', value: 1 } } } },
    ])
  })

  it('are several dispatches where the functions differ, also over a table that migrations fill', () => {
    const before = `create table targets (name text primary key, enabled boolean); insert into targets values ('f', true), ('g', true), ('h', false);`
    const command = `select net.http_post('https://h/functions/v1/' || name) from targets where enabled`
    expect(dispatchesOf(command, [], before)).toMatchObject([
      { function: 'f', fanout: false },
      { function: 'g', fanout: false },
    ])
  })
})

describe('ticks', () => {
  it('come in the order of their jobs, with interval, words, origin and what is wrong with the schedule', () => {
    const found = ticksOf(
      [],
      `select cron.schedule('a', '60 seconds', $$select net.http_post(${url('f')})$$); select cron.schedule('*/2 * * * *', $$select net.http_post(${url('f')})$$)`,
    )
    expect(found.ticks).toMatchObject([
      { name: 'a', intervalSeconds: null, active: true },
      { name: null, intervalSeconds: 120, words: 'every 2 minutes' },
    ])
    expect(found.diagnostics).toMatchObject([{ code: 'schedule-problem', location: { startLine: 1 } }])
    const other = replay([
      { path: 'supabase/seed.sql', text: `select cron.schedule('s', '* * * * *', 'select 1')`, origin: 'seed' },
    ])
    expect(other.jobs[0]!.origin).toBe('seed')
  })
})

describe('entrances', () => {
  it('are triggers that call a function: webhooks and functions that send', () => {
    const files = [
      {
        path: 'supabase/migrations/1_a.sql',
        origin: 'migration' as const,
        text: `create table t (id int);
          create function app.tell() returns trigger language plpgsql as $$ begin perform app.send('f', new.id); return new; end $$;
          create function app.send(n text, i int) returns void language sql as $$ select net.http_post('https://h/functions/v1/' || n, jsonb_build_object('id', i)) $$;
          create trigger one after insert on t for each row execute function app.tell();
          create trigger two after update on t for each row execute function supabase_functions.http_request(${url('g')}, 'POST', '{}', '{}', '1000');
          create trigger three after delete on t for each row execute function app.other();`,
      },
    ]
    expect(findEntrances(replay(files), [{ name: 'f' }])).toMatchObject([
      { function: 'f', table: 't', via: ['tell', 'send'], location: { startLine: 4 } },
      { function: 'g', table: 't', via: [], location: { startLine: 5 } },
    ])
  })
})
