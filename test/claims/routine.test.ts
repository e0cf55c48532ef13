import { beforeAll, describe, expect, it } from 'vitest'
import { bindAnswer, summarizeRoutine } from '../../src/claims/index.js'
import type {
  Location,
  Operand,
  Routine,
  RoutineAnswer,
  RoutineParameter,
  RoutineSummary,
  Table,
} from '../../src/model/index.js'
import { loadParser } from '../../src/sql/index.js'

beforeAll(loadParser)

const location: Location = { file: 'a.sql', startLine: 11, startColumn: 3, endLine: 20, endColumn: 1 }
const jobs: Table = {
  schema: 'public',
  name: 'j',
  columns: ['id', 's', 't', 'n', 'owner'],
  keys: [{ columns: ['id'], primary: true, condition: null, location }],
  defaults: new Map(),
  touched: [],
  location,
}

/** `name(parameter, …) returns … [more]` with a PL/pgSQL body, or `language sql` in front of it. */
function routine(head: string, body: string): Routine {
  const [, name = '', list = ''] = /^(\w+)\(([^)]*)\)/.exec(head)!
  const parameters = list
    .split(',')
    .filter((each) => each.trim() !== '')
    .map((each): RoutineParameter => {
      const words = each.trim().split(' ')
      const mode = words[0] === 'out' ? 'out' : 'in'
      return { name: words[mode === 'out' ? 1 : 0]!, type: 'int', mode, hasDefault: false }
    })
  return {
    schema: 'public',
    name,
    parameters,
    language: 'plpgsql',
    volatility: /\bstable\b/.test(head) ? 'stable' : 'volatile',
    text: `create function ${head}${head.includes('language') ? '' : ' language plpgsql'} as $$\n${body}\n$$`,
    location,
  }
}

function summarize(head: string, body: string, others: readonly Routine[] = []): RoutineSummary {
  const table = (_: string | null, name: string): Table | null =>
    name === 'j' ? jobs : name === 'log' ? { ...jobs, name, columns: ['job', 'at'], keys: [] } : null
  return summarizeRoutine(routine(head, body), (_, name) => others.find((each) => each.name === name) ?? null, table)
}

const says = ({ answer }: { readonly answer: RoutineAnswer }): string =>
  answer.kind === 'rows' || answer.kind === 'flag' ? `${answer.kind} ${answer.taking.soundness}` : answer.kind

const CLAIM = "update j set s = 'b' where id = p and s = 'a'"

describe('summarizeRoutine', () => {
  it.each<[string, string, string, string]>([
    [
      'FOUND in a condition',
      'f(p int) returns boolean',
      `begin ${CLAIM}; if found then return true; end if; return false; end`,
      'flag sound',
    ],
    [
      'NOT FOUND leaves',
      'f(p int) returns boolean',
      `begin ${CLAIM}; if not found then return false; end if; return true; end`,
      'flag sound',
    ],
    [
      'words for an answer',
      'f(p int) returns text',
      `begin ${CLAIM}; if not found then return 'busy'; end if; return 'mine'; end`,
      'flag sound',
    ],
    [
      'a variable for FOUND',
      'f(p int) returns boolean',
      `declare ok boolean; begin ${CLAIM}; ok := found; return ok; end`,
      'flag sound',
    ],
    [
      'a flag set in a branch',
      'f(p int) returns boolean',
      `declare ok boolean := false; begin ${CLAIM}; if found then ok := true; end if; return ok; end`,
      'flag sound',
    ],
    ['nobody looks', 'f(p int) returns boolean', `begin ${CLAIM}; return true; end`, 'flag unconditional-claim'],
    [
      'json says which way',
      'f(p int) returns jsonb',
      `begin ${CLAIM}; if not found then return jsonb_build_object('ok', false); end if; return jsonb_build_object('ok', true); end`,
      'flag sound',
    ],
    [
      'RETURNING INTO a record',
      'f(p int) returns j',
      `declare r j; begin ${CLAIM} returning * into r; return r; end`,
      'rows sound',
    ],
    ['an OUT parameter', 'f(p int, out v int)', `begin ${CLAIM} returning id into v; end`, 'rows sound'],
    ['RETURN QUERY', 'f(p int) returns setof j', `begin return query ${CLAIM} returning *; end`, 'rows sound'],
    [
      'a loop over what was taken',
      'f() returns setof j',
      `declare r j; begin for r in update j set s = 'b' where s = 'a' returning * loop return next r; end loop; end`,
      'rows sound',
    ],
    [
      'an own row updated again',
      'f(p int) returns boolean',
      `begin ${CLAIM}; if not found then return false; end if; update j set n = n + 1 where id = p; return true; end`,
      'flag sound',
    ],
    [
      'a weak path wins',
      'f(p int) returns setof j',
      `begin if p > 1 then return query select * from j where s = 'a'; else return query ${CLAIM} returning *; end if; end`,
      'read',
    ],
    [
      'an unsound path wins',
      'f(p int) returns setof j',
      `begin if p > 1 then return query update j set s = 'b' where id = p returning *; else return query ${CLAIM} returning *; end if; end`,
      'rows unconditional-claim',
    ],
    [
      'a check in EXISTS',
      'f(p int) returns boolean',
      `begin if exists (select 1 from j where id = p and s = 'a') then update j set s = 'b' where id = p; return true; end if; return false; end`,
      'flag claim-subselect-unlocked',
    ],
    [
      'a state in a variable',
      'f(p int) returns boolean',
      `declare v text; begin select s into v from j where id = p for update; if v <> 'a' then return false; end if; update j set s = 'b' where id = p; return true; end`,
      'flag sound',
    ],
    [
      'the same without a lock',
      'f(p int) returns boolean',
      `declare v text; begin select s into v from j where id = p; if v <> 'a' then return false; end if; update j set s = 'b' where id = p; return true; end`,
      'flag claim-subselect-unlocked',
    ],
    [
      'a lock, but the state stays',
      'f() returns setof int',
      `declare v int; begin select id into v from j where n < 3 limit 1 for update skip locked; return query update j set n = n + 1 where id = v returning id; end`,
      'rows claim-not-self-falsifying',
    ],
    [
      'the state is asked again, and the result is',
      'f() returns int',
      `declare v int; begin select id into v from j where s = 'a' limit 1; update j set s = 'b' where id = v and s = 'a'; if not found then return null; end if; return v; end`,
      'rows sound',
    ],
    [
      'the state is asked again, the result is not',
      'f() returns int',
      `declare v int; begin select id into v from j where s = 'a' limit 1; update j set s = 'b' where id = v and s = 'a'; return v; end`,
      'rows claim-subselect-unlocked',
    ],
    [
      'a scalar sub-query',
      'f() returns setof int',
      `declare v int := (select id from j where s = 'a' limit 1 for update skip locked); begin return query update j set s = 'b' where id = v returning id; end`,
      'rows sound',
    ],
    [
      'an own token read back',
      'f(p text) returns setof j',
      `declare k uuid := gen_random_uuid(); begin update j set owner = k where owner is null; return query select * from j where owner = k; end`,
      'rows sound',
    ],
    ['a session lock', 'f() returns boolean', `begin return pg_try_advisory_lock(1); end`, 'lock'],
    [
      'a session lock is none for the transaction',
      'f() returns setof int',
      `declare v int; begin perform pg_advisory_lock(1); select id into v from j where s = 'a' limit 1; return query update j set s = 'b' where id = v returning id; end`,
      'rows claim-subselect-unlocked',
    ],
    [
      'a fixed text executed',
      'f() returns setof int',
      `begin return query execute 'update j set s = ''b'' where s = ''a'' returning id'; end`,
      'rows sound',
    ],
    [
      'a text made at run time',
      'f(p text) returns setof int',
      `begin return query execute format('update %I set s = 1', p); end`,
      'unknown',
    ],
    ['nothing returned', 'f(p int) returns void', `begin ${CLAIM}; end`, 'other'],
    [
      'COMMIT lets go of the lock',
      'f(p int) returns int',
      `declare v int; begin select id into v from j where s = 'a' limit 1 for update; commit; update j set s = 'b' where id = v; return v; end`,
      'rows claim-subselect-unlocked',
    ],
    [
      'repeatable read',
      "f() returns setof int set default_transaction_isolation = 'repeatable read'",
      `declare v int; begin select id into v from j where s = 'a' limit 1; return query update j set s = 'b' where id = v returning id; end`,
      'rows sound',
    ],
    ['SQL', 'f() returns setof j language sql', "update j set s = 'b' where s = 'a' returning *", 'rows sound'],
    [
      'SQL with a lock first',
      'f() returns setof j language sql',
      "select pg_advisory_xact_lock(1); update j set s = 'b' where id in (select id from j where s = 'a') returning *",
      'rows sound',
    ],
    [
      'SQL without one',
      'f() returns setof j language sql',
      "select 1; update j set s = 'b' where id in (select id from j where s = 'a') returning *",
      'rows claim-subselect-unlocked',
    ],
    [
      'a batch in a cursor',
      'f() returns setof int',
      `declare c cursor for select id from j where s = 'a' for update skip locked; v int; begin open c; loop fetch c into v; exit when not found; update j set s = 'b' where id = v; return next v; end loop; end`,
      'rows sound',
    ],
    [
      'stable',
      'f() returns setof j stable',
      "begin return query update j set s = 'b' where s = 'a' returning *; end",
      'unknown',
    ],
  ])('%s', (_, head, body, expected) => expect(says(summarize(head, body))).toBe(expected))

  it('keeps where statements stand in the file', () => {
    const { answer } = summarize('f(p int) returns boolean', `begin\n  ${CLAIM};\n  return found;\nend`)
    expect(answer).toMatchObject({
      taking: { location: { file: 'a.sql', startLine: 13, startColumn: 3 }, keys: [{ column: 'id', parameter: 'p' }] },
    })
  })

  it('lists the other writes, and requests', () => {
    const summary = summarize(
      'f(p int) returns boolean',
      `begin ${CLAIM}; if not found then return false; end if; insert into log (job, at) values (p, now()); delete from k where id = p;
        perform net.http_post(url := 'x'); return true; end`,
    )
    expect(summary.writes.map((each) => `${each.kind} ${each.table}`)).toEqual(['insert log', 'delete k'])
    expect(summary.sends).toBe(true)
    expect(summarize('f() returns int', 'begin return 1; end')).toMatchObject({ writes: [], sends: false })
  })

  it('follows routines that call routines, and stops at cycles', () => {
    const inner = routine(
      'take(p_id int, p_from text) returns setof j',
      "begin return query update j set s = 'b' where id = p_id and s = p_from returning *; end",
    )
    const outer = summarize('f(p int) returns setof j', "begin return query select * from take(p, 'a'); end", [inner])
    expect(says(outer)).toBe('rows sound')
    expect(outer.answer).toMatchObject({ taking: { keys: [{ column: 'id', parameter: 'p' }] } })
    const one = routine('one() returns int', 'begin return two(); end')
    const two = routine('two() returns int', 'begin return one(); end')
    expect(says(summarize('f() returns int', 'begin return one(); end', [one, two]))).toBe('unknown')
  })

  it('says why it does not know', () => {
    const python = {
      ...routine('f() returns int', ''),
      text: "create function f() returns int language plpython3u as 'return 1'",
    }
    expect(
      summarizeRoutine(
        python,
        () => null,
        () => null,
      ).answer,
    ).toMatchObject({ kind: 'unknown', reason: /plpython3u/ })
    const broken = { ...routine('g() returns int', ''), text: 'create function g( returns' }
    expect(
      summarizeRoutine(
        broken,
        () => null,
        () => null,
      ).answer,
    ).toMatchObject({ kind: 'unknown', location })
    expect(summarize('f() returns setof j', 'begin return query selekt 1; end').answer).toMatchObject({
      kind: 'unknown',
      location: { startLine: 12 },
    })
  })
})

describe('what values tell', () => {
  it('takes what a routine gives, not what it is given', () => {
    const inner = routine(
      'take(p_id int) returns boolean',
      "begin update j set s = 'b' where id = p_id and s = 'a'; return found; end",
    )
    const body = `declare r j; begin
      select * into r from j where s = 'a' limit 1 for update skip locked;
      if r.id is null then return false; end if;
      return take(r.id);
    end`
    expect(says(summarize('f() returns boolean', body, [inner]))).toBe('flag sound')
  })

  it('knows values that were computed before the row was taken', () => {
    const body = `declare r j; next int; begin
      for r in select * from j where s = 'a' for update skip locked loop
        next := r.n + 1;
        update j set s = 'b', n = next where id = r.id;
        n := next; id := r.id;
        return next;
      end loop;
    end`
    expect(says(summarize('f(out id int, out n int) returns setof record', body))).toBe('rows sound')
  })

  it('does not guess whose key it is', () => {
    const body = `declare v int; begin
      select id into v from j where owner = p for update;
      if v is null then insert into j (owner) values (p) returning id into v; end if;
      update j set s = 'b' where id = v;
      return v;
    end`
    expect(says(summarize('f(p text) returns int', body))).toBe('rows unproven')
  })

  it('reads RETURN QUERY SELECT true like RETURN true', () => {
    const body = `begin ${CLAIM}; if not found then return query select false; return; end if; return query select true; end`
    expect(says(summarize('f(p int) returns table (ok boolean)', body))).toBe('flag sound')
  })
})

describe('bindAnswer', () => {
  it('puts values in, and proves what they make provable', () => {
    const { answer } = summarize(
      'f(p int, p_from text, p_to text) returns setof j',
      'begin return query update j set s = p_to where id = p and s = p_from returning *; end',
    )
    expect(says({ answer })).toBe('rows unproven')
    const bound = (from: string, to: string): string => {
      const values = new Map<string, Operand>([
        ['p_from', { kind: 'literal', value: from }],
        ['p_to', { kind: 'literal', value: to }],
      ])
      return says({ answer: bindAnswer(answer, values) })
    }
    expect(bound('a', 'b')).toBe('rows sound')
    expect(bound('a', 'a')).toBe('rows unproven')
  })
})
