import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeStatement, EMPTY_ENV, summarizeRoutine, type SqlEnv } from '../../src/claims/index.js'
import type { Routine, RoutineAnswer, Table, UniqueKey } from '../../src/model/index.js'
import { fileText, loadParser, parseStatement } from '../../src/sql/index.js'
import { generateClaim, randomFrom } from './generate.js'
import { startServer, type Server } from './server.js'
import { openArena, type Arena, type Trial } from './sessions.js'

/** Each statement of the measured truth table is run by two sessions of a real PostgreSQL, and compared with what we say of it. */

const place = { file: 'x.sql', startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 }
const key = (column: string): UniqueKey => ({ columns: [column], primary: true, condition: null, location: place })
const table = (name: string, columns: string, primary: string | null): Table => ({
  schema: 'public',
  name,
  columns: columns.split(' '),
  keys: primary ? [key(primary)] : [],
  defaults: new Map(),
  touched: [],
  location: place,
})
const TABLES = [
  table('j', 'id status locked_at locked_by sent_at due_at attempts done version', 'id'),
  table('l', 'name holder locked_until n', 'name'),
  table('log', 'id kind owner', null),
]
const tables = (_: string | null, name: string): Table | null => TABLES.find((each) => each.name === name) ?? null
const env: SqlEnv = { ...EMPTY_ENV, table: tables }

function described(sql: string): RoutineAnswer {
  const source = fileText('x.sql', sql)
  const statement = parseStatement(source)
  if (!statement.ok) throw new Error(`${statement.message}: ${sql}`)
  return describeStatement(statement.tree, source, env).answer
}

function summarized(text: string): RoutineAnswer {
  const [, name = '', parameter] = /function (\w+)\((?:(\w+))?/.exec(text) ?? []
  const routine: Routine = {
    schema: 'public',
    name,
    parameters: parameter ? [{ name: parameter, type: 'integer', mode: 'in', hasDefault: false }] : [],
    language: 'plpgsql',
    volatility: 'volatile',
    text,
    location: place,
  }
  return summarizeRoutine(routine, () => null, tables).answer
}

/** Do we say that two callers never get one row? An insert is as good as the unique key of its table. */
function saysSound(answer: RoutineAnswer): boolean {
  if (answer.kind === 'insert') return (tables(null, answer.insert.table)?.keys.length ?? 0) > 0
  return (answer.kind === 'rows' || answer.kind === 'flag') && answer.taking.soundness === 'sound'
}

function says(answer: RoutineAnswer): string {
  return answer.kind === 'rows' || answer.kind === 'flag' ? answer.taking.soundness : answer.kind
}

let server: Server
let arena: Arena

beforeAll(async () => {
  await loadParser()
  server = await startServer()
  arena = await openArena(server)
}, 60_000)

afterAll(() => server.stop())

const SKIP = 'for update skip locked'
type Case = readonly [number: string, sql: string, both: boolean, says: string, more?: Omit<Trial, 'sql'>]

describe('the truth table: statements', () => {
  const set = "update j set status = 'processing'"
  it.each<Case>([
    ['01', `${set} where id = 1 and status = 'pending' returning id`, false, 'sound'],
    ['02', `${set} where id = 1 returning id`, true, 'unconditional-claim'],
    [
      '03',
      `${set} where id = 1 and status in ('pending', 'processing') returning id`,
      true,
      'claim-not-self-falsifying',
    ],
    ['04', `${set} where id = 1 and status <> 'sent' returning id`, true, 'claim-not-self-falsifying'],
    ['50', `${set} where id = 1 and status <> 'processing' returning id`, false, 'sound'],
    [
      '05',
      `${set} where id in (select id from j where status = 'pending' limit 2) returning id`,
      true,
      'claim-subselect-unlocked',
    ],
    [
      '13',
      `${set} where id in (select id from j where status = 'pending') returning id`,
      true,
      'claim-subselect-unlocked',
    ],
    [
      '06',
      `${set} where id = (select id from j where status = 'pending' limit 1) returning id`,
      true,
      'claim-subselect-unlocked',
    ],
    [
      '07',
      `with c as (select id from j where status = 'pending') ${set} from c where j.id = c.id returning j.id`,
      true,
      'claim-subselect-unlocked',
    ],
    [
      '08',
      `${set} where id in (select id from j where status = 'pending' limit 2) and status = 'pending' returning id`,
      false,
      'sound',
    ],
    [
      '09',
      `with c as (select id from j where status = 'pending') ${set} from c where j.id = c.id and j.status = 'pending' returning j.id`,
      false,
      'sound',
    ],
    [
      '10',
      `${set} where id in (select id from j where status = 'pending' limit 2 ${SKIP}) returning id`,
      false,
      'sound',
    ],
    [
      '11',
      `with c as (select id from j where status = 'pending' limit 2 ${SKIP}) ${set} from c where j.id = c.id returning j.id`,
      false,
      'sound',
    ],
    [
      '12',
      `${set} where id in (select id from j where status = 'pending' order by id limit 2 for update) returning id`,
      false,
      'sound',
    ],
    ['14', `${set} where status = 'pending' returning id`, false, 'sound'],
    [
      '15',
      "update j set locked_at = now() where locked_at is null or locked_at < now() - interval '5 minutes' returning id",
      false,
      'sound',
    ],
    ['16', 'update j set attempts = attempts + 1 where id = 1 and attempts = 0 returning id', false, 'sound'],
    [
      '17',
      'update j set attempts = attempts + 1 where id = 1 and attempts < 3 returning id',
      true,
      'claim-not-self-falsifying',
    ],
    ['18', "update j set due_at = due_at + interval '1 day' where due_at <= now() returning id", false, 'sound'],
    ['62', 'update j set locked_at = now() where due_at <= now() returning id', true, 'claim-not-self-falsifying'],
    ['60', 'update j set sent_at = now() where id = 1 and sent_at is null returning id', false, 'sound'],
    [
      '61',
      'update j set locked_at = now() where id = 1 and sent_at is null returning id',
      true,
      'claim-not-self-falsifying',
    ],
    ['63', "update j set locked_by = 'me' where id = 1 and locked_by is null returning id", false, 'sound'],
    [
      '64',
      `${set}, locked_at = now() where status = 'pending' or (status = 'processing' and locked_at < now() - interval '5 minutes') returning id`,
      false,
      'sound',
    ],
    [
      '65',
      `${set} where status = 'pending' or (status = 'processing' and locked_at < now() - interval '5 minutes') returning id`,
      true,
      'claim-not-self-falsifying',
    ],
    [
      '66',
      `${set}, locked_at = now() where id = 4 and (status = 'pending' or (status = 'processing' and locked_at < now() - interval '5 minutes')) returning id`,
      false,
      'sound',
    ],
    ['19', "delete from j where status = 'pending' returning id", false, 'sound'],
    ['20', "insert into l (name) values ('new') on conflict do nothing returning name", false, 'insert'],
    [
      '21',
      "insert into l (name) values ('new') on conflict (name) do update set holder = 'me' returning name",
      true,
      'upsert-as-claim',
    ],
    ['22', "insert into l (name) values ('new') returning name", false, 'insert'],
    [
      '51',
      "insert into log (kind, owner) select 'digest', 1 where not exists (select 1 from log where kind = 'digest') returning kind",
      true,
      'insert',
    ],
    [
      '52',
      "insert into l (name) select 'new' where not exists (select 1 from l where name = 'new') returning name",
      false,
      'insert',
    ],
    ['40', `select id from j where status = 'pending' ${SKIP}`, true, 'lock-only-claim'],
    ['41', 'select pg_try_advisory_xact_lock(7) as granted', true, 'lock'],
    [
      '57',
      "merge into j using (values (1)) v(key) on j.id = v.key when matched and j.status = 'pending' then update set status = 'processing' returning j.id",
      false,
      'sound',
    ],
    [
      '58',
      "update j set status = 'processing' where id = 1 and pg_try_advisory_xact_lock(id) returning id",
      true,
      'claim-not-self-falsifying',
    ],
    [
      '59',
      "update j set status = 'processing' where id = 1 and (select pg_advisory_xact_lock(900)) is not null and pg_try_advisory_xact_lock(id) returning id",
      true,
      'claim-not-self-falsifying',
      { gate: 900 },
    ],
    ['24', `${set} where id = 1 and status = 'pending' returning id`, false, 'sound', { isolation: 'repeatable read' }],
    [
      '25',
      `${set} where id in (select id from j where status = 'pending' limit 2) returning id`,
      false,
      'claim-subselect-unlocked',
      { isolation: 'repeatable read' },
    ],
    [
      '26',
      `${set} where id in (select id from j where status = 'pending' limit 2) returning id`,
      false,
      'claim-subselect-unlocked',
      { isolation: 'serializable' },
    ],
  ])('%s %s', async (...each) => {
    const [, sql, both, expected, more] = each as unknown as Case
    const result = await arena.run({ sql, ...more })
    expect(result.some).toBe(true)
    // Under a stricter isolation only the overlapping run says something about this statement.
    expect(result.overlapping || (!more?.isolation && result.inSequence)).toBe(both)
    expect(says(described(sql))).toBe(expected)
  })

  it('23: a lock that is kept over the work excludes', async () => {
    const result = await arena.run({ sql: `select id from j where status = 'pending' order by id limit 2 ${SKIP}` })
    expect(result.overlapping).toBe(false)
  })
})

describe('the truth table: routines', () => {
  const head = (returns: string): string =>
    `create or replace function f(p int) returns ${returns} language plpgsql as $$`
  it.each<readonly [number: string, text: string, both: boolean, says: string]>([
    [
      '30 select into without a lock, then update by id',
      `${head('setof int')} declare v int; begin
        select id into v from j where status = 'pending' order by id limit 1;
        return query update j set status = 'processing' where id = v returning id;
      end $$`,
      true,
      'claim-subselect-unlocked',
    ],
    [
      '31 the same with a lock',
      `${head('setof int')} declare v int; begin
        select id into v from j where status = 'pending' order by id limit 1 ${SKIP};
        return query update j set status = 'processing' where id = v returning id;
      end $$`,
      false,
      'sound',
    ],
    [
      '30b the update asks for the state again',
      `${head('setof int')} declare v int; begin
        select id into v from j where status = 'pending' order by id limit 1;
        return query update j set status = 'processing' where id = v and status = 'pending' returning id;
      end $$`,
      false,
      'sound',
    ],
    [
      '33 a loop over rows without a lock',
      `${head('setof int')} declare r record; begin
        for r in select * from j where status = 'pending' order by id loop
          update j set status = 'processing' where id = r.id;
          return next r.id;
        end loop;
      end $$`,
      true,
      'claim-subselect-unlocked',
    ],
    [
      '32 the same with a lock',
      `${head('setof int')} declare r record; begin
        for r in select * from j where status = 'pending' order by id ${SKIP} loop
          update j set status = 'processing' where id = r.id;
          return next r.id;
        end loop;
      end $$`,
      false,
      'sound',
    ],
    [
      '53 an advisory lock before both',
      `${head('setof int')} declare v int; begin
        perform pg_advisory_xact_lock(17);
        select id into v from j where status = 'pending' order by id limit 1;
        return query update j set status = 'processing' where id = v returning id;
      end $$`,
      false,
      'sound',
    ],
    [
      '54 an advisory lock that is tried',
      `${head('setof int')} declare v int; begin
        if not pg_try_advisory_xact_lock(17) then return; end if;
        select id into v from j where status = 'pending' order by id limit 1;
        return query update j set status = 'processing' where id = v returning id;
      end $$`,
      false,
      'sound',
    ],
    [
      '55 the answer is FOUND',
      `${head('boolean')} begin
        update j set status = 'processing' where id = p and status = 'pending';
        return found;
      end $$`,
      false,
      'sound',
    ],
    [
      '55b ROW_COUNT',
      `${head('boolean')} declare n int; begin
        update j set status = 'processing' where id = p and status = 'pending';
        get diagnostics n = row_count;
        return n > 0;
      end $$`,
      false,
      'sound',
    ],
    [
      '55c RETURNING INTO',
      `${head('int')} declare v int; begin
        update j set status = 'processing' where id = p and status = 'pending' returning id into v;
        if v is null then return null; end if;
        return v;
      end $$`,
      false,
      'sound',
    ],
    [
      '56 a check, then update by id',
      `${head('boolean')} begin
        perform 1 from j where id = p and status = 'pending';
        if not found then return false; end if;
        update j set status = 'processing' where id = p;
        return true;
      end $$`,
      true,
      'claim-subselect-unlocked',
    ],
    [
      '56b the update asks, but nobody looks',
      `${head('boolean')} begin
        update j set status = 'processing' where id = p and status = 'pending';
        return true;
      end $$`,
      true,
      'unconditional-claim',
    ],
    [
      '56c a check under a lock, then update by id',
      `${head('boolean')} declare r j; begin
        select * into r from j where id = p for update;
        if r.status <> 'pending' then return false; end if;
        update j set status = 'processing' where id = p;
        return true;
      end $$`,
      false,
      'sound',
    ],
    [
      '40 only a lock',
      `${head('setof j')} begin
        return query select * from j where status = 'pending' ${SKIP};
      end $$`,
      true,
      'lock-only-claim',
    ],
    [
      '42 the answer is an advisory lock of the transaction',
      `${head('boolean')} begin return pg_try_advisory_xact_lock(18); end $$`,
      true,
      'lock',
    ],
    [
      '20 insert or nothing',
      `${head('boolean')} begin
        insert into l (name) values ('new') on conflict do nothing;
        return found;
      end $$`,
      false,
      'insert',
    ],
    [
      '22 insert, and a handler',
      `${head('boolean')} begin
        insert into l (name) values ('new');
        return true;
      exception when unique_violation then
        return false;
      end $$`,
      false,
      'insert',
    ],
    [
      'a lease row',
      `${head('boolean')} begin
        insert into l (name, locked_until) values ('old', now() + interval '5 minutes')
        on conflict (name) do update set locked_until = excluded.locked_until where l.locked_until < now();
        return found;
      end $$`,
      false,
      'sound',
    ],
    [
      'ids first, then the rows by them',
      `${head('setof j')} declare ids int[]; begin
        select array_agg(id) into ids from (select id from j where status = 'pending' limit 2 ${SKIP}) s;
        update j set status = 'processing' where id = any(ids);
        return query select * from j where id = any(ids);
      end $$`,
      false,
      'sound',
    ],
    [
      'the same without a lock',
      `${head('setof j')} declare ids int[]; begin
        select array_agg(id) into ids from (select id from j where status = 'pending' limit 2) s;
        update j set status = 'processing' where id = any(ids);
        return query select * from j where id = any(ids);
      end $$`,
      true,
      'claim-subselect-unlocked',
    ],
  ])('%s', async (...each) => {
    const [, text, both, expected] = each
    await arena.execute(`drop function if exists f(int); ${text}`)
    const result = await arena.run({ sql: 'select * from f(1)' })
    expect(result.some).toBe(true)
    expect(result.overlapping || result.inSequence).toBe(both)
    expect(says(summarized(text))).toBe(expected)
  })
})

describe('generated claims', () => {
  const seed = Number(process.env.TICK_AUDIT_SEED ?? 20260101)
  const count = Number(process.env.TICK_AUDIT_CLAIMS ?? 320)

  it(`never calls sound what two sessions both get (${count} claims, TICK_AUDIT_SEED=${seed})`, async () => {
    const random = randomFrom(seed)
    const wrong: string[] = []
    const missed: string[] = []
    let exclusive = 0
    for (let index = 0; index < count; index++) {
      const sql = generateClaim(random)
      const result = await arena.run({ sql })
      if (!result.some) continue
      const both = result.overlapping || result.inSequence
      const answer = described(sql)
      if (both && saysSound(answer)) wrong.push(`${says(answer)}: ${sql}`)
      if (both) continue
      exclusive++
      if (!saysSound(answer)) missed.push(`${says(answer)}: ${sql}`)
    }
    expect(wrong).toEqual([])
    expect(exclusive).toBeGreaterThan(count / 6)
    expect(missed.length / exclusive, missed.join('\n')).toBeLessThanOrEqual(0.1)
  }, 60_000)
})
