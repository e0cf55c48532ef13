import { describe, expect, it } from 'vitest'
import { jobsOf, migrate, replayFiles } from './run.js'

const plain = `select cron.schedule('a', '0 * * * *', 'select 1');`

describe('cron.schedule', () => {
  it('makes a job; the same name again changes schedule and command', () => {
    expect(jobsOf(migrate(plain, `select cron.schedule('a', '5 * * * *', 'select 2')`))).toEqual([
      'a | 5 * * * * | select 2',
    ])
  })

  it('takes names, places and both at once', () => {
    const named = `select cron.schedule(command := 'c', schedule => '1 * * * *', job_name := 'n');
      select cron.schedule('p', schedule => '2 * * * *', command => 'd')`
    expect(jobsOf(migrate(named))).toEqual(['n | 1 * * * * | c', 'p | 2 * * * * | d'])
  })

  it('makes a new job for every call without a name', () => {
    const twice = `select cron.schedule('* * * * *', 'a'); select cron.schedule('* * * * *', 'a');`
    expect(jobsOf(migrate(twice))).toHaveLength(2)
  })

  it('knows schedule_in_database, with a job that is off from the start', () => {
    const text = `select cron.schedule_in_database('d', '* * * * *', 'c', 'postgres', active => false)`
    expect(jobsOf(migrate(text))).toEqual(['d | * * * * * | c | off'])
  })

  it('stands where the call stands', () => {
    const [job] = migrate(`\n\n  select 1, cron.schedule('a', '* * * * *', $$x$$);`).jobs
    expect(job!.location).toMatchObject({
      file: 'supabase/migrations/1_m.sql',
      startLine: 3,
      startColumn: 13,
      endColumn: 51,
    })
  })

  it('is not called in comments, strings and routines that nothing calls', () => {
    const text = `-- ${plain}
      /* /* ${plain} */ */
      comment on schema public is '${plain.replaceAll("'", "''")}';
      do $$ begin raise notice 'cron.schedule(...)'; end $$;
      create function f() returns void language sql as $$ ${plain} $$;`
    const database = migrate(text)
    expect(jobsOf(database)).toEqual([])
    expect(database.diagnostics).toMatchObject([{ code: 'schedule-not-called', location: { startLine: 5 } }])
  })

  it('runs once for each row of FROM, for VALUES, arrays and jsonb lists', () => {
    const text = `select cron.schedule(v.n, v.s, 'c') from (values ('a', '1 * * * *'), ('b', '2 * * * *')) as v(n, s);
      select cron.schedule(n, '3 * * * *', 'c') from unnest(array['c', 'd']) as n;
      select cron.schedule(x->>'n', x->>'s', 'c') from jsonb_array_elements('[{"n":"e","s":"4 * * * *"}]') x;`
    expect(jobsOf(migrate(text)).map((line) => line.slice(0, 5))).toEqual(['a | 1', 'b | 2', 'c | 3', 'd | 3', 'e | 4'])
  })

  it('is guarded by a job of that name, however the guard asks for it', () => {
    const both = `${plain} select cron.schedule('b', '1 * * * *', 'other');`
    const asks = [
      `jobname = 'a'`,
      `'a' = jobname`,
      `job.jobname = 'a'::text and active`,
      `active and (jobname = 'a' and schedule = '0 * * * *')`,
      `jobname = 'a' or jobname = 'none'`,
      `jobname in ('a')`,
      `not jobname <> 'a'`,
      `lower(jobname) = 'a'`,
    ]
    for (const ask of asks) {
      const guard = `select cron.unschedule('b') where exists (select from cron.job where ${ask})`
      expect(jobsOf(migrate(both, guard)), ask).toEqual(['a | 0 * * * * | select 1'])
      expect(jobsOf(migrate(both, guard.replaceAll(`'a'`, `'z'`))), ask).toHaveLength(2)
    }
    const other = `select cron.unschedule('b') from cron.job, (values ('a')) as o(jobname)
      where o.jobname = 'a' and job.jobname = 'b'`
    expect(jobsOf(migrate(both, other))).toEqual(['a | 0 * * * * | select 1'])
  })

  it('finds a job again after scripts that made and took back others', () => {
    const text = `${plain}
      do $$ begin
        perform cron.schedule('x', '1 * * * *', 'c');
        perform cron.unschedule('a');
        raise exception 'no';
      exception when others then
        perform cron.schedule('y', '2 * * * *', 'c');
      end $$;
      select cron.schedule('a', '3 * * * *', 'again');
      select cron.schedule('x', '4 * * * *', 'x');
      select cron.unschedule('y');
      select cron.schedule('x', '5 * * * *', 'x');`
    expect(jobsOf(migrate(text))).toEqual(['a | 3 * * * * | again', 'x | 5 * * * * | x'])
  })

  it('is not run where WHERE says so', () => {
    const guarded = `select cron.schedule('a', '9 * * * *', 'new') where not exists (select from cron.job where jobname = 'a')`
    expect(jobsOf(migrate(plain, guarded))).toEqual(['a | 0 * * * * | select 1'])
    expect(jobsOf(migrate(guarded))).toEqual(['a | 9 * * * * | new'])
  })
})

describe('cron.alter_job', () => {
  it('finds the job by a sub-select or a variable, and keeps what is not given', () => {
    const text = `select cron.alter_job((select jobid from cron.job where jobname = 'a' limit 1), schedule := '7 * * * *');
      do $$ declare v bigint; begin
        select jobid into v from cron.job where jobname = 'a';
        perform cron.alter_job(v, command => 'select 3');
      end $$;`
    expect(jobsOf(migrate(plain, text))).toEqual(['a | 7 * * * * | select 3'])
  })

  it('switches off, and a new schedule under the same name does not switch on', () => {
    const off = `select cron.alter_job(job_id := (select jobid from cron.job where jobname = 'a'), active := false)`
    expect(jobsOf(migrate(plain, off, plain))).toEqual(['a | 0 * * * * | select 1 | off'])
    expect(jobsOf(migrate(plain, off, `select cron.unschedule('a')`, plain))).toEqual(['a | 0 * * * * | select 1'])
  })

  it('takes no number for an id of the replay', () => {
    const database = migrate(plain, `select cron.alter_job(1, active := false); select cron.unschedule(64)`)
    expect(jobsOf(database)).toEqual(['a | 0 * * * * | select 1'])
    expect(database.diagnostics.map((each) => each.code)).toEqual(['unresolved-job-id', 'unresolved-job-id'])
    expect(database.diagnostics[1]!.message).toContain('job number 64')
  })
})

describe('removal', () => {
  const three = ['a', 'b_x', 'b_y']
    .map((name) => `select cron.schedule('${name}', '* * * * *', 'call_${name}');`)
    .join('\n')
  const left = (text: string): string[] => migrate(three, text).jobs.map((job) => job.name!)

  it.each([
    [`select cron.unschedule('a')`, ['b_x', 'b_y']],
    [`select cron.unschedule(job_name => 'a')`, ['b_x', 'b_y']],
    [`select cron.unschedule((select jobid from cron.job where jobname = 'a'))`, ['b_x', 'b_y']],
    [`select cron.unschedule(jobid) from cron.job where jobname like 'b\\_%'`, ['a']],
    [`select cron.unschedule(j.jobname) from cron.job j where j.jobname in ('a', 'b_x', 'never')`, ['b_y']],
    [`select cron.unschedule(jobid) from cron.job where jobname = any(array['a', 'b_y'])`, ['b_x']],
    [`select cron.unschedule(jobid) from cron.job where command ~ 'call_b'`, ['a']],
    [`select cron.unschedule(jobid) from cron.job where jobname ilike 'B%' and jobname <> 'b_x'`, ['a', 'b_x']],
    [`delete from cron.job where jobname = 'a'`, ['b_x', 'b_y']],
    [
      `do $$ declare r record; begin for r in select jobid from cron.job where jobname ~ '^b' loop perform cron.unschedule(r.jobid); end loop; end $$`,
      ['a'],
    ],
    [
      `do $$ declare n text; begin foreach n in array array['a', 'gone'] loop execute 'select cron.unschedule(' || quote_literal(n) || ')'; end loop; end $$`,
      ['b_x', 'b_y'],
    ],
    [`do $$ begin execute format('select cron.unschedule(%L)', 'a'); end $$`, ['b_x', 'b_y']],
    [
      `do $$ begin if exists (select 1 from cron.job where jobname = 'a') then perform cron.unschedule('a'); end if; end $$`,
      ['b_x', 'b_y'],
    ],
    [
      `do $$ begin perform cron.unschedule(jobname) from cron.job where jobname in ('a', 'b_x'); exception when others then null; end $$`,
      ['b_y'],
    ],
  ])('%s', (text, expected) => expect(left(text)).toEqual(expected))

  it('by a part of a command of which another part is not known', () => {
    const made = `do $$ begin perform cron.schedule('a', '* * * * *', 'call_a ' || coalesce(current_setting('x', true), 'y') || now()); end $$`
    expect(migrate(made, `select cron.unschedule(jobid) from cron.job where command like '%call_a%'`).jobs).toEqual([])
  })

  it('is taken back where its block raises: a SELECT without a target, a name that is not there', () => {
    expect(left(`do $$ begin select cron.unschedule('a'); exception when others then null; end $$`)).toEqual([
      'a',
      'b_x',
      'b_y',
    ])
    const second = `do $$ begin perform cron.unschedule('a'); perform cron.unschedule('gone'); exception when others then null; end $$`
    expect(left(second)).toEqual(['a', 'b_x', 'b_y'])
  })

  it('of a name that is not there does not stop what follows', () => {
    expect(jobsOf(migrate(`select cron.unschedule('a'); ${plain}`))).toHaveLength(1)
    expect(
      jobsOf(migrate(`do $$ begin perform cron.unschedule('a'); perform cron.schedule('a', '* * * * *', 'c'); end $$`)),
    ).toHaveLength(1)
  })
})

describe('cron.job itself', () => {
  it('is updated and inserted into', () => {
    const text = `update cron.job set schedule = '8 * * * *', active = false where jobname = 'a';
      insert into cron.job (schedule, command, jobname) values ('1 * * * *', 'c', 'b');`
    expect(jobsOf(migrate(plain, text))).toEqual(['a | 8 * * * * | select 1 | off', 'b | 1 * * * * | c'])
  })

  it('is where commands are cloned from', () => {
    const text = `select cron.schedule('b', schedule, replace(replace(command, 'select', 'call'), '1', '2')) from cron.job where jobname = 'a'`
    expect(jobsOf(migrate(plain, text))[1]).toBe('b | 0 * * * * | call 2')
  })

  it('says so where a change cannot be decided', () => {
    const database = migrate(
      plain,
      `delete from cron.job where jobid = 17; update cron.job set active = false where nodeport = pg_backend_pid()`,
    )
    expect(jobsOf(database)).toEqual(['a | 0 * * * * | select 1'])
    expect(database.diagnostics.map((each) => each.code)).toEqual(['unresolved-job-id', 'unresolved-job-id'])
  })
})

describe('DO blocks and helpers', () => {
  it('pass the usual guards', () => {
    const text = `do $do$ begin
        if not exists (select 1 from pg_extension where extname = 'pg_cron') then raise notice 'no cron'; return; end if;
        if current_setting('app.env', true) = 'test' then raise exception 'not here'; end if;
        if not exists (select 1 from vault.decrypted_secrets where name = 'k') then return; end if;
        perform cron.schedule('a', '* * * * *', 'c');
      end $do$`
    expect(jobsOf(migrate(text))).toHaveLength(1)
  })

  it('raise for certain only what certainly raises', () => {
    const text = `do $$ begin perform cron.schedule('a', '* * * * *', 'c'); raise exception 'no'; end $$`
    expect(jobsOf(migrate(text))).toEqual([])
  })

  it('of which either branch may run keep the jobs of both', () => {
    const text = `do $$ begin
        if current_database() = 'prod' then perform cron.schedule('a', '* * * * *', 'c');
        else perform cron.unschedule('b'); end if;
      end $$`
    expect(jobsOf(migrate(`select cron.schedule('b', '* * * * *', 'd')`, text)).map((line) => line[0])).toEqual([
      'b',
      'a',
    ])
  })

  it('call helpers with arguments, defaults and overloads; a dropped helper leaves its jobs', () => {
    const helper = `create function public.ticker(n text, cmd text default 'dflt', mins int default 5) returns bigint language plpgsql as $f$
        declare id bigint;
        begin id := cron.schedule(n, format('*/%s * * * *', mins), cmd); return id; end $f$;
      create function public.ticker(names text[]) returns void language sql as $f$
        select public.ticker(x) from unnest(names) x $f$;`
    const calls = `select public.ticker('a'); select ticker(mins => 7, n => 'b'); select ticker(array['c', 'd']); drop function public.ticker;`
    expect(jobsOf(migrate(helper, calls))).toEqual([
      'a | */5 * * * * | dflt',
      'b | */7 * * * * | dflt',
      'c | */5 * * * * | dflt',
      'd | */5 * * * * | dflt',
    ])
    expect(migrate(helper, calls).diagnostics).toEqual([])
  })

  it('call a helper through another, also one that is made later', () => {
    const later = `create function outer_() returns void language plpgsql as $$ begin perform inner_('a'); end $$;
      create function inner_(n text) returns void language plpgsql as $$ begin perform cron.schedule(n, '* * * * *', 'c'); end $$;
      select outer_();`
    expect(jobsOf(migrate(later))).toHaveLength(1)
    const text = `create function inner_(n text) returns void language plpgsql as $$ begin perform cron.schedule(n, '* * * * *', 'c'); end $$;
      create function outer_() returns void language plpgsql as $$ begin perform inner_('a'); end $$;
      do $$ begin perform outer_(); end $$;`
    expect(jobsOf(migrate(text))).toHaveLength(1)
  })

  it('loop over integers, records and CASE', () => {
    const text = `do $$ declare r record; begin
        for i in 1..3 loop
          continue when i = 2;
          case i when 1, 3 then null; else perform cron.schedule('no', '* * * * *', 'c'); end case;
          perform cron.schedule('n' || i, case i when 1 then '1 * * * *' else '9 * * * *' end, 'c');
        end loop;
        for r in select jobname, command from cron.job loop
          exit when r.jobname = 'n3';
          perform cron.schedule(r.jobname || '-copy', '* * * * *', r.command);
        end loop;
      end $$`
    expect(migrate(text).jobs.map((job) => `${job.name} ${job.schedule}`)).toEqual([
      'n1 1 * * * *',
      'n3 9 * * * *',
      'n1-copy * * * * *',
    ])
  })

  it('EXECUTE with USING; of a text that is not known it is said', () => {
    const text = `do $$ begin
        execute 'select cron.schedule($1, $2, ''c'')' using 'a', '* * * * *';
        execute (select body from snippets where id = 3);
      end $$`
    const database = migrate(text)
    expect(jobsOf(database)).toEqual(['a | * * * * * | c'])
    expect(database.diagnostics).toMatchObject([{ code: 'dynamic-sql', location: { startLine: 3 } }])
  })
})

describe('files', () => {
  it('beside the migrations add jobs, and overrule none that migrations made or removed', () => {
    const database = replayFiles(
      ['seed', `select cron.schedule('a', '1 * * * *', 'seed'); select cron.schedule('s', '* * * * *', 'c');`],
      ['other', `select cron.schedule('gone', '* * * * *', 'c'); select cron.unschedule('a');`],
      ['migration', `${plain} select cron.schedule('gone', '* * * * *', 'c'); select cron.unschedule('gone');`],
    )
    expect(database.jobs.map((job) => [job.name, job.origin])).toEqual([
      ['a', 'migration'],
      ['s', 'seed'],
    ])
  })

  it('with a statement that does not parse lose that statement alone', () => {
    const database = migrate(`select cron.schedule('a',, 'c'); ${plain}`)
    expect(jobsOf(database)).toHaveLength(1)
    expect(database.diagnostics).toMatchObject([{ code: 'sql-not-parsed', severity: 'warning' }])
    expect(database.statements).toEqual({ total: 2, parsed: 1, failed: 1 })
  })

  it('are not parsed where they cannot matter', () => {
    const text = `create policy p on t using (true); grant all on t to x; insert into t values (1); create table t (id int); ${plain}`
    expect(migrate(text).statements).toEqual({ total: 5, parsed: 1, failed: 0 })
  })
})

describe('texts about jobs that are stored', () => {
  const stored = `create table plan (command text);
    insert into plan values ('select cron.schedule(''a'', ''* * * * *'', ''select 1'')');`
  it('make none', () => {
    expect(jobsOf(migrate(stored))).toEqual([])
  })
  it('and are not known to be all that somebody runs', () => {
    const runs = `do $$ declare r record; begin perform 1 from cron.job; for r in select command from plan loop execute r.command; end loop; end $$;`
    expect(migrate(`${stored}\n${runs}`).diagnostics).toMatchObject([{ code: 'dynamic-sql' }])
  })
  it('an insert that calls is no text', () => {
    const calls = `create table ids (id bigint); insert into ids select cron.schedule('b', '* * * * *', 'select 2');`
    expect(jobsOf(migrate(calls))).toEqual(['b | * * * * * | select 2'])
  })
})
