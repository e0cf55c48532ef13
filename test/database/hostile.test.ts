import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findTicks } from '../../src/ticks/index.js'
import { jobsOf, migrate } from './run.js'

/** A migration in which much of what the replay knows occurs. */
const SAMPLE = `create table t (id int primary key, u text); insert into t values (1, 'https://h/functions/v1/f');
create or replace function g(n text default 'x', xs text[] default '{}') returns setof t language plpgsql as $f$
declare r record; i int := 0; begin
  for r in select * from t where id > 0 loop i := i + 1; perform net.http_post(url := r.u || '/' || n, body := to_jsonb(r)); end loop;
  while i < 3 loop i := i + 1; exit when i = 2; end loop;
  case n when 'a' then return; else return query update t set u = '' where id = 1 returning *; end case;
exception when others then raise notice '%', sqlerrm; end $f$;
do $$ declare j jsonb := '[{"a": 1}]'; begin
  if exists (select 1 from cron.job) then perform cron.unschedule(jobid) from cron.job where jobname like 'x%'; end if;
  perform cron.schedule(e->>'a', '* * * * *', format('select g(%L, %s)', 'q', 'array[''z'']')) from jsonb_array_elements(j) e;
  execute 'select cron.alter_job((select max(jobid) from cron.job), active := ' || true || ')';
end $$;
with w as (delete from t returning id) select cron.schedule('w' || id, '* * * * *', 'select 1') from w;
update cron.job set command = replace(command, 'g', 'h') where jobname = '1';`

const runs = (text: string): void => {
  const database = migrate(text)
  findTicks(database, [{ name: 'f' }])
}

describe('hostile SQL', () => {
  it('is replayed whole without a word', () => {
    expect(jobsOf(migrate(SAMPLE)).map((line) => line.split(' | ')[0])).toEqual(['1', 'w…'])
  })

  it('cut off anywhere never throws', () => {
    for (let end = 0; end < SAMPLE.length; end += 3) runs(SAMPLE.slice(0, end))
  })

  it('mutated anywhere never throws', () => {
    const pieces = [
      '',
      "'",
      '$$',
      '(',
      ')',
      ';',
      'select',
      'loop',
      'end',
      '/*',
      '"',
      '\ue0000\ue001',
      'null',
      'cron.job',
      '[',
      '::jsonb',
      '9e99',
    ]
    const mutation = fc.tuple(fc.nat(SAMPLE.length), fc.nat(12), fc.constantFrom(...pieces))
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        let text = SAMPLE
        for (const [at, length, piece] of mutations) text = text.slice(0, at) + piece + text.slice(at + length)
        runs(text)
      }),
      { numRuns: 150 },
    )
  })

  it('made of any words never throws', () => {
    const words = SAMPLE.split(/(\W)/).filter((word) => word.trim() !== '')
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 60 }), (soup) =>
        runs(`select cron.schedule(${soup.join(' ')}; do $$ begin perform ${soup.join(' ')}; cron. end $$`),
      ),
      { numRuns: 150 },
    )
  })

  it('of any depth ends in time', () => {
    const started = Date.now()
    runs(`select cron.schedule('a', '* * * * *', ${'('.repeat(3000)}'x'${')'.repeat(3000)})`)
    runs(`select cron.schedule('a', '* * * * *', ${Array.from({ length: 3000 }, () => `'x'`).join(' || ')})`)
    runs(`select cron.schedule('a', '* * * * *', ${'coalesce('.repeat(800)}'x'${')'.repeat(800)})`)
    runs(
      `select cron.schedule(a::text, b::text, c::text) from generate_series(1, 900) a, generate_series(1, 900) b, generate_series(1, 900) c`,
    )
    runs(
      `do $$ begin for i in 1..1000000 loop for j in 1..1000000 loop perform cron.unschedule('x'); end loop; end loop; end $$`,
    )
    runs(`do $$ begin loop perform cron.schedule('a', '* * * * *', 'x'); end loop; end $$`)
    runs(
      `create function f() returns void language plpgsql as $$ begin perform cron.schedule('a', '* * * * *', 'x'); perform f(); perform f(); perform f(); end $$; select f();`,
    )
    runs(
      `do $$ declare x text := 'a'; begin for i in 1..60 loop x := x || x; end loop; perform cron.schedule(x, '* * * * *', x); end $$`,
    )
    runs(
      `do $$ declare x text; begin ${'if random() > 0.5 then x := x || random(); else x := x || now(); end if; '.repeat(60)} perform cron.schedule(x, '* * * * *', x); end $$`,
    )
    expect(Date.now() - started).toBeLessThan(20_000)
  })

  it('says what it gave up', () => {
    const database = migrate(
      `do $$ begin loop perform cron.schedule('a', '* * * * *', 'x'); for i in 1..1000 loop for k in 1..1000 loop null; end loop; end loop; end loop; end $$`,
    )
    expect(database.diagnostics.map((each) => each.code)).toEqual(['sql-too-complex'])
  })
})

it('an expression that is nested too deeply is given up, and the rest stands', () => {
  const deep = `select cron.schedule('deep', '* * * * *', 'c'${'::text'.repeat(3_000)});`
  const database = migrate(`${deep} select cron.schedule('after', '* * * * *', 'c');`)
  expect(jobsOf(database)).toContain('after | * * * * * | c')
  expect(database.diagnostics).toMatchObject([{ code: 'sql-too-complex' }])
})
