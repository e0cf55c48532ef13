import { beforeAll, describe, expect, it } from 'vitest'
import {
  describeStatement,
  EMPTY_ENV,
  showChange,
  showPredicate,
  type SqlEnv,
  type StatementFacts,
} from '../../src/claims/index.js'
import type { RoutineAnswer, SqlTaking } from '../../src/model/index.js'
import { fileText, loadParser, parseStatement } from '../../src/sql/index.js'

beforeAll(loadParser)

const facts = (sql: string, env: Partial<SqlEnv> = {}): StatementFacts => {
  const source = fileText('a.sql', sql)
  const statement = parseStatement(source)
  if (!statement.ok) throw new Error(statement.message)
  return describeStatement(statement.tree, source, { ...EMPTY_ENV, ...env })
}
const takingIn = (answer: RoutineAnswer): SqlTaking => {
  if (answer.kind !== 'rows' && answer.kind !== 'flag') throw new Error(answer.kind)
  return answer.taking
}
const taking = (sql: string, env: Partial<SqlEnv> = {}): SqlTaking => takingIn(facts(sql, env).count)
const where = (sql: string): string => showPredicate(taking(`update j set x = 1 where ${sql}`).where)
const change = (sql: string): string => showChange(taking(`update j set ${sql} where a = 1`).change!)

describe('conditions', () => {
  it.each([
    ["a = 'x' and b <> 2", "a = 'x' and b <> 2"],
    ['a is null or not b', 'a is null or not (b = true)'],
    ['a in (1, 2) and b not in (3)', 'a in (1, 2) and b not in (3)'],
    ["a = any('{x, y}'::text[]) and b <> all(array[1, 2])", "a in ('x', 'y') and b not in (1, 2)"],
    ['3 > a', 'a < 3'],
    ['a between 1 and 2', 'a >= 1 and a <= 2'],
    ['a is distinct from 1 and b is not distinct from 2', 'a is distinct from 1 and b is not distinct from 2'],
    ['a is true and b is not false and c is unknown', 'a = true and b is distinct from false and c is null'],
    ["a < now() - interval '5 minutes'", "a < now() - interval '5 minutes'"],
    ["a + interval '1 hour' < current_timestamp", "a < now() - interval '1 hour'"],
    ["now() - a > interval '90 seconds'", "a < now() - interval '90 seconds'"],
    ["a < (now() at time zone 'utc') - make_interval(mins => 2)", "a < now() - interval '2 minutes'"],
    ["a < now() - 3 * interval '1 minute'", "a < now() - interval '3 minutes'"],
    ["a < now() - ($1 || ' minutes')::interval", 'a < now() - …'],
    ['coalesce(a, 0) < 3', 'a < 3 or a is null'],
    ['coalesce(a, b) < 3', 'a < 3 or a is null and b < 3'],
    ['a < b and a = b + 1', 'a < b and a = b + 1'],
    ['j.a = 1', 'a = 1'],
    ["a->>'k' is null", "a->>'k' is null"],
    ['a = $1', 'a = $1'],
    ['(lower(a) like $1 or f(a)) and b = 1', 'lower(a) like $1 or f(a)'],
    ['exists (select 1 from k where k.j = j.id) and b = 1', 'exists (select 1 from k where k.j = j.id) and b = 1'],
  ])('%s', (sql, shown) => expect(where(sql)).toContain(shown))
})

describe('changes', () => {
  it.each([
    ["s = 'x', n = n + 1, t = now()", "s = 'x', n = n + 1, t = now()"],
    ['n = coalesce(n, 0) + 1', 'n = n + 1'],
    ["t = t + interval '1 day'", "t = t + interval '1 day'"],
    ['t = now() + $1', 't = now() + …'],
    ['k = gen_random_uuid()', 'k = gen_random_uuid()'],
    ['(s, n) = (1, 2)', 's = 1, n = 2'],
    ["m = m || '{}'", 'm = f(m)'],
  ])('%s', (sql, shown) => expect(change(sql)).toBe(shown))
})

describe('describeStatement', () => {
  it('points at the keyword that takes', () => {
    const sql =
      "with c as (\n  select id from j where s = 'a' limit 5\n)\nupdate j t set s = 'b' from c where t.id = c.id returning t.id"
    expect(taking(sql)).toMatchObject({
      soundness: 'claim-subselect-unlocked',
      location: { startLine: 4, startColumn: 1, endColumn: 7 },
      limit: { kind: 'literal', value: 5 },
      table: 'j',
    })
    expect(taking("  select * from j where s = 'a' for update")).toMatchObject({
      soundness: 'lock-only-claim',
      location: { startLine: 1, startColumn: 3 },
    })
  })

  it('knows keys, by what the parameters of the routine pin', () => {
    const parameters = new Set(['p_id', 'p_ids'])
    const variable: SqlEnv['variable'] = ([name]) =>
      name && parameters.has(name) ? { kind: 'opaque', id: name, nonNull: false } : null
    const keys = (sql: string): unknown => taking(sql, { parameters, variable }).keys
    expect(keys("update j set s = 'b' where id = p_id and s = 'a'")).toEqual([{ column: 'id', parameter: 'p_id' }])
    expect(keys("update j set s = 'b' where id = any(p_ids) and s = 'a'")).toEqual([
      { column: 'id', parameter: 'p_ids' },
    ])
  })

  it('hands on what a WITH query took, also through aggregates', () => {
    for (const list of ['*', 'jsonb_agg(c)', 'count(*)', "net.http_post(url := 'x', body := to_jsonb(c))"]) {
      const found = facts(`with c as (update j set s = 'b' where s = 'a' returning *) select ${list} from c`)
      expect(takingIn(found.answer)).toMatchObject({ soundness: 'sound', table: 'j' })
      expect(found.sends).toBe(list.startsWith('net.'))
      expect(found.writes).toHaveLength(1)
    }
    const value = facts(
      "with c as (update j set s = 'b' where s = 'a' returning *) select (select jsonb_agg(c) from c)",
    )
    expect(takingIn(value.answer).soundness).toBe('sound')
    const copied = facts(
      "with c as (delete from j where s = 'a' returning *) insert into k select * from c returning id",
    )
    expect(takingIn(copied.answer)).toMatchObject({ table: 'j', change: { kind: 'delete' } })
  })

  it('tells reads from takings', () => {
    expect(facts("select * from j where s = 'a' limit $1").answer).toMatchObject({
      kind: 'read',
      pick: { table: 'j', limit: { kind: 'opaque', id: '$1' } },
    })
    expect(facts('select exists (select 1 from j where a = 1)').answer).toMatchObject({ kind: 'read' })
    expect(facts('select 1').answer).toEqual({ kind: 'other' })
    // Locked in the part that finds the rows; FOR SHARE and FOR KEY SHARE do not keep others away from a mere read.
    expect(facts('select * from j for key share').answer.kind).toBe('read')
    expect(facts('select j.id from j join k on k.id = j.k for update of k').answer.kind).toBe('read')
  })

  it('says what an UPDATE without RETURNING tells by its count', () => {
    const found = facts("update j set s = 'b' where id = $1 and s = 'a'")
    expect(found.answer).toEqual({ kind: 'other' })
    expect(found.count).toMatchObject({ kind: 'flag', taking: { soundness: 'sound' } })
  })

  it('knows inserts and upserts', () => {
    expect(facts('insert into l (a, b) values (1, 2) on conflict do nothing returning a').answer).toMatchObject({
      kind: 'insert',
      insert: { table: 'l', columns: ['a', 'b'], onConflict: 'nothing' },
    })
    const lease =
      "insert into l (k, t) values ($1, now() + interval '5 minutes') on conflict (k) do update set t = excluded.t"
    expect(taking(lease).soundness).toBe('upsert-as-claim')
    expect(taking(`${lease} where l.t < now()`).soundness).toBe('sound')
    // The row that the first one inserts must not satisfy the condition either.
    expect(
      taking('insert into l as x (k, n) values (1, 0) on conflict (k) do update set n = 5 where x.n < 3').soundness,
    ).toBe('upsert-as-claim')
  })

  it('knows pgmq', () => {
    expect(taking("select * from pgmq.read('mails', 30, 10)")).toMatchObject({
      soundness: 'sound',
      table: 'q_mails',
      limit: { value: 10 },
      change: { assignments: [{ column: 'vt', operand: { kind: 'now', offset: 30_000 } }] },
    })
    expect(taking("select msg_id from pgmq.pop('mails')")).toMatchObject({ change: { kind: 'delete' } })
    expect(taking("select * from pgmq_public.read(queue_name => 'mails', sleep_seconds => 5, n => $1)")).toMatchObject({
      limit: { id: '$1' },
    })
  })

  it('knows advisory locks', () => {
    expect(facts('select pg_try_advisory_lock(1)').answer).toMatchObject({ kind: 'lock', scope: 'session' })
    expect(facts('select pg_try_advisory_xact_lock(1, 2) as got').answer).toMatchObject({
      kind: 'lock',
      scope: 'transaction',
    })
    expect(facts('select pg_advisory_xact_lock(1)').locks).toMatchObject([{ scope: 'transaction', tries: false }])
    expect(facts('select pg_advisory_xact_lock_shared(1)').locks).toEqual([])
  })

  it('asks about routines, and passes on what it gives them', () => {
    const location = { file: 'a.sql', startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 }
    const inner: SqlTaking = {
      table: 'j',
      where: { kind: 'compare', column: 's', op: '=', operand: { kind: 'opaque', id: 'p_from', nonNull: false } },
      change: { kind: 'set', assignments: [{ column: 's', operand: { kind: 'literal', value: 'b' } }] },
      soundness: 'unproven',
      reason: 'open',
      location,
      limit: { kind: 'opaque', id: 'p_limit', nonNull: false },
      keys: [],
    }
    const routine: SqlEnv['routine'] = (_, name) =>
      name === 'take'
        ? {
            summary: { answer: { kind: 'rows', taking: inner }, writes: [], sends: false },
            parameters: ['p_from', 'p_limit'],
          }
        : null
    expect(taking("select * from take('a', 7)", { routine })).toMatchObject({ soundness: 'sound', limit: { value: 7 } })
    expect(taking("select * from take(p_limit => 7, p_from => 'b')", { routine }).soundness).toBe('unproven')
    expect(facts('select * from unheard_of()').answer).toMatchObject({ kind: 'unknown', reason: /unheard_of/ })
    expect(facts('select * from jsonb_array_elements($1)').answer.kind).toBe('other')
  })

  it('follows rows that a queue in the same statement handed out', () => {
    const found = facts(
      "with m as (select * from pgmq.read('q', 30, 5)) update j set n = n + 1 from m where j.id = m.msg_id returning j.id",
    )
    expect(takingIn(found.answer).table).toBe('q_q')
  })

  it('takes the weakest of the values that a CASE may give', () => {
    const set = (last: string): string => `update j set s = case when n > 3 then 'dead' else ${last} end where s = 'a'`
    expect(taking(set("'b'")).soundness).toBe('sound')
    expect(taking(set("'a'")).soundness).toBe('claim-not-self-falsifying')
    expect(taking(set('s')).soundness).toBe('claim-not-self-falsifying')
  })

  it('counts a column that a trigger stamps', () => {
    const location = { file: 'a.sql', startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 }
    const table: SqlEnv['table'] = () => ({
      schema: 'public',
      name: 'j',
      columns: ['id', 's', 't'],
      keys: [],
      defaults: new Map(),
      touched: ['t'],
      location,
    })
    const sql = "update j set s = 'b' where id = $1 and t < now() - interval '1 minute'"
    expect(taking(sql, { table }).soundness).toBe('sound')
    expect(taking(sql).soundness).toBe('claim-not-self-falsifying')
  })
})
