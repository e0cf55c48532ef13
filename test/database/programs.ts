/** Random migrations over jobs: what they do can be known from their text, so that replay and server must agree. */

/** Numbers from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const NAMES = ["'a'", "'b'", "'c'", "'a_x'", "'b_x'"]
const SCHEDULES = ["'* * * * *'", "'*/5 * * * *'", "'0 3 * * *'"]
const COMMANDS = ["'select 1'", "'call f()'", "'vacuum'"]

/** Calls with a helper of its own in front. */
const HELPER = `create or replace function helper(n text, s text default '8 * * * *') returns bigint language plpgsql as $f$
declare x bigint; begin
  if n like 'b%' then return null; end if;
  x := cron.schedule(n, s, 'help ' || n);
  return x;
end $f$;`

/** Declared in every block. */
const DECLARED = (
  grammar: Grammar,
): string => `declare r record; v text; k int := ${grammar.int(4)}; id bigint; ok boolean;
  arr text[] := array[${grammar.name()}, ${grammar.name()}];
  js jsonb := jsonb_build_array(jsonb_build_object('n', ${grammar.name()}, 's', '1 * * * *'), jsonb_build_object('n', ${grammar.name()}));`

export interface Grammar {
  readonly int: (below: number) => number
  readonly name: () => string
  readonly program: () => string
}

export function grammarFrom(random: () => number): Grammar {
  const int = (below: number): number => Math.floor(random() * below)
  const pick = <T>(all: readonly T[]): T => all[int(all.length)]!
  const name = (): string => pick(NAMES)
  const schedule = (): string => pick(SCHEDULES)
  const command = (): string => pick(COMMANDS)
  const several = (most: number, make: () => string): string => Array.from({ length: 1 + int(most) }, make).join('\n')

  /** An expression that is a name, or null. */
  const named = (): string =>
    pick([
      name,
      () => `lower(upper(${name()}))`,
      () => `replace(${name()}, '_x', '')`,
      () => `coalesce(null, ${name()})`,
      () => `format('%s', ${name()})`,
      () => `concat(${name()}, ${pick(["'_x'", "''", 'null'])})`,
      () => `(select v.n from (values (1, ${name()}), (2, ${name()})) v(i, n) where v.i = ${1 + int(2)})`,
      () => `case when ${int(2)} = 1 then ${name()} else ${name()} end`,
      () => `(jsonb_build_object('n', ${name()}) ->> 'n')`,
      () => `(array[${name()}, ${name()}])[${1 + int(2)}]`,
      () => `split_part('a,b_x', ',', ${1 + int(2)})`,
    ])()

  const scheduled = (job: string): string =>
    pick([
      `cron.schedule(${job}, ${schedule()}, ${command()})`,
      `cron.schedule(job_name := ${job}, command => ${command()}, schedule := ${schedule()})`,
      `cron.schedule(schedule => ${schedule()}, job_name => ${job}, command => format('do %s', ${name()}))`,
      `cron.schedule_in_database(${job}, ${schedule()}, ${command()}, 'postgres')`,
    ])

  /** A condition over cron.job. */
  const condition = (): string =>
    pick([
      () => `jobname = ${named()}`,
      () => `jobname in (${name()}, ${name()})`,
      () => `jobname like '${pick(['a%', '%x', 'b\\_%', '_'])}'`,
      () => `jobname ~ '${pick(['^a', 'x$', 'b'])}'`,
      () => `jobname = any(array[${name()}, ${name()}])`,
      () => `command ilike '%${pick(['CALL', 'sel', 'f('])}%'`,
      () => `not (jobname = ${name()})`,
      () => `active and schedule <> ${schedule()}`,
      () => `jobname = ${name()} or command = ${command()}`,
      () => `jobname not in (select n from (values (${name()})) x(n))`,
    ])()

  const decision = (): string =>
    pick([
      () => `k > ${int(4)}`,
      () => `exists (select 1 from cron.job where ${condition()})`,
      () => `(select count(*) from cron.job where ${condition()}) > ${int(2)}`,
      () => 'v is null',
      () => `v = ${name()} or k = 1`,
      () => 'found',
      () => 'id is not null',
      () => 'arr[1] <> arr[2]',
      () => `js -> 0 ->> 'n' = ${name()}`,
    ])()

  const simple = (): string =>
    pick([
      () => `perform ${scheduled(named())};`,
      () => `v := ${named()};`,
      () => `id := ${scheduled(named())};`,
      () => `select jobname into v from cron.job where ${condition()} order by jobid limit 1;`,
      () => `select jobid, command into id, v from cron.job where jobname = ${named()};`,
      () =>
        `select * into r from cron.job where jobname = ${named()}; if found then perform cron.alter_job(r.jobid, command => r.command || '*'); end if;`,
      () => 'k := k + 1;',
      () => `update cron.job set schedule = '7 * * * *' where ${condition()}; ok := found;`,
      () => `perform cron.unschedule(jobid) from cron.job where ${condition()};`,
      () => `if v is not null then perform ${scheduled('v')}; end if;`,
      () => `arr := arr || array[${name()}]; arr := array_append(arr, 'app');`,
      () => `perform helper(${named()});`,
      () => 'delete from cron.job where jobid = id;',
      () => `js := js || jsonb_build_array(jsonb_build_object('n', 'jb'));`,
    ])()

  const compound = (depth: number): string => {
    if (depth <= 0) return simple()
    const body = (): string => several(2, () => compound(depth - 1))
    const inLoop = (): string =>
      pick([
        'perform cron.unschedule(r.jobid);',
        `perform cron.alter_job(r.jobid, schedule => ${schedule()});`,
        'v := r.jobname;',
        `continue when r.jobname = ${name()}; perform cron.schedule(r.jobname, ${schedule()}, r.command || '+');`,
        `exit when r.jobname = ${name()}; perform cron.alter_job(r.jobid, active := false);`,
      ])
    return pick([
      simple,
      () => `if ${decision()} then ${body()} elsif ${decision()} then ${body()} else ${body()} end if;`,
      () => `if ${decision()} then ${body()} end if;`,
      () => `for r in select * from cron.job where ${condition()} order by jobid loop ${inLoop()} end loop;`,
      () =>
        `foreach v in array arr loop if exists (select 1 from cron.job where jobname = v) then perform cron.unschedule(v); else perform cron.schedule(v, '2 * * * *', 'arr'); end if; end loop;`,
      () =>
        `for i in 1..${1 + int(3)} loop perform cron.schedule('n' || i, ${schedule()}, 'x'); ${pick(['', 'exit when i = 2;'])} end loop;`,
      () =>
        `for r in select x->>'n' as n, coalesce(x->>'s', '9 * * * *') as s from jsonb_array_elements(js) x loop perform cron.schedule(r.n, r.s, 'js'); end loop;`,
      () => `begin ${body()} ${pick([`perform cron.unschedule(${named()});`, `select cron.unschedule(${named()});`, `raise exception 'x';`, 'null;'])}
        exception when ${pick(['others', 'raise_exception or others'])} then ${pick(['null;', `perform ${scheduled("'exc'")};`])} end;`,
      () => `case k when 1 then ${body()} when 2, 3 then ${body()} else ${body()} end case;`,
      () => `while k < 3 loop k := k + 1; perform cron.schedule('w' || k, '* * * * *', 'w'); end loop;`,
      () =>
        `loop k := k + 1; exit when k > 3; continue when k = 2; perform cron.schedule('l' || k, '* * * * *', 'l'); end loop;`,
      () => `execute format('select cron.schedule(%L, %L, %L)', ${named()}, ${schedule()}, 'ex');`,
      () => `execute 'select cron.unschedule(jobid) from cron.job where jobname = ' || quote_literal(${named()});`,
      () => `execute 'select cron.schedule($1, ''* * * * *'', $2)' using ${named()}, 'us';`,
      () =>
        `declare k int := 7; v text := ${named()}; begin perform cron.schedule(v, '* * * * *', 'k' || k); ${body()} end;`,
      () => `if k = ${int(4)} then return; end if;`,
    ])()
  }

  const statement = (): string =>
    pick([
      () => `select ${scheduled(named())};`,
      () => `select ${scheduled(named())} where not exists (select 1 from cron.job where ${condition()});`,
      () => `select cron.unschedule(${pick(['jobid', 'jobname'])}) from cron.job where ${condition()};`,
      () =>
        `update cron.job set ${pick(['active = false', `schedule = ${schedule()}`, `command = replace(command, 'select', 'sel')`, `command = command || '!'`])} where ${condition()};`,
      () => `delete from cron.job where ${condition()};`,
      () =>
        `select cron.alter_job((select jobid from cron.job where jobname = ${named()}), ${pick(['active := false', `schedule := ${schedule()}`, `command => ${command()}`])});`,
      () => `select cron.schedule(jobname || '_y', schedule, command) from cron.job where jobname = ${named()};`,
      () => `select cron.schedule(v.n, v.s, 'c' || v.i) from (values (${name()}, ${schedule()}, 1), (${name()}, ${schedule()}, 2)) as v(n, s, i)
        where v.i > ${int(3)} order by v.i ${pick(['', 'desc'])} limit ${int(3)};`,
      () => `do $$ ${DECLARED(grammar)} begin ${several(4, () => compound(2))} end $$;`,
      () => `select helper(${named()}${pick(['', `, ${schedule()}`])});`,
    ])()

  const grammar: Grammar = { int, name, program: () => `${HELPER}\n${several(7, statement)}` }
  return grammar
}
