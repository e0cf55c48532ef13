import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { known } from '../../src/database/contents.js'
import { text } from '../../src/database/value.js'
import { format, quoteIdent, quoteLiteral, replace, trim } from '../../src/database/template.js'
import { valueOf } from './run.js'

describe('expressions', () => {
  it.each([
    [`'a' || 'b' || 3`, 'ab3'],
    [`concat('a', null, 1, true)`, 'a1true'],
    [`concat_ws('/', 'a', null, 'b')`, 'a/b'],
    [`format('%s-%I-%L-%%', 'a', 'B c', 'it''s')`, `a-"B c"-'it''s'-%`],
    [`format('%2$s%1$s%s', 'x', 'y')`, 'yxy'],
    [`format($f$a %s$f$, $q$b$q$)`, 'a b'],
    [`replace('a/b/c', '/', '')`, 'abc'],
    [`rtrim('x//', '/') || ltrim('  y') || btrim('(z)', '()')`, 'xyz'],
    [`trim(both ' ' from ' a ') || trim(trailing '/' from 'b//')`, 'ab'],
    [`upper('a') || lower('B')`, 'Ab'],
    [`left('abcd', 2) || right('abcd', -3) || substr('abcd', 2, 2) || substring('abcd' from 4)`, 'abdbcd'],
    [`split_part('a.b.c', '.', 2) || split_part('a.b.c', '.', -1)`, 'bc'],
    [`coalesce(null, nullif('', ''), 'c')`, 'c'],
    [`case 2 when 1 then 'a' when 2 then 'b' end`, 'b'],
    [`case when 1 > 2 then 'a' else 'b' end`, 'b'],
    [`(7 * 4)::text || (10 / 4) || (-3)`, '282-3'],
    [`regexp_replace('job-12-x', '\\d+', 'N') || regexp_replace('aa', 'a', 'b', 'g')`, 'job-N-xbb'],
    [`jsonb_build_object('a', 1, 'b', jsonb_build_array('x', null))`, '{"a": 1, "b": ["x", null]}'],
    [`('{"a": {"b": [1, 2]}}'::jsonb -> 'a' -> 'b' ->> 1)`, '2'],
    [`('{"a": {"b": "c"}}'::jsonb #>> '{a,b}')`, 'c'],
    [`('{"a": 1}'::jsonb || '{"b": 2}' || jsonb_build_object('a', 3))`, '{"a": 3, "b": 2}'],
    [`(array['a', 'b'])[2] || array_length(array[1, 2, 3], 1)`, 'b3'],
    [`array_to_string(array['a', 'b'] || 'c', '+')`, 'a+b+c'],
    [`(string_to_array('a,b', ','))[1]`, 'a'],
    [`(select string_agg(v, '-') from unnest(array['a', 'b']) v)`, 'a-b'],
    [`(select max(n) from (values (1), (3), (2)) as t(n))`, '3'],
    [`(select count(*) from generate_series(1, 4))`, '4'],
    [`exists (select 1 from (values (1)) t(a) where a = 2)`, 'false'],
    [`'b' in ('a', 'b') and not ('c' = any ('{a,b}'::text[]))`, 'true'],
    [`'abc' like 'a%' and 'ABC' ilike '_b_' and 'a.c' ~ '^a\\.' and 'x' !~ 'y'`, 'true'],
    [`3 between 1 and 5 and null is null and 1 is distinct from null`, 'true'],
    [`greatest(1, 3, 2) || least('b', 'a')`, '3a'],
    [`E'tab\\there' || U&'x'`, 'tab\therex'],
    [`(select n from (select 'in' as n union all select 'out') u order by n desc limit 1)`, 'out'],
    [`(with recursive r as (select 1 as n), s as (select n + 1 as n from r) select n from s)`, '2'],
    [`(select x.b from (values (1, 'p'), (2, 'q')) as x(a, b) join (values (2)) as y(a) on x.a = y.a)`, 'q'],
    [`quote_literal('a''b') || quote_ident('Plain')`, `'a''b'"Plain"`],
    [`current_setting('app.base') || '/x'`, '…/x'],
    [`(select decrypted_secret from vault.decrypted_secrets where name = 'k') || '/' || now()`, '…/…'],
  ])('%s', (expression, expected) => expect(valueOf(expression)).toBe(expected))

  it('read what a migration wrote into a configuration table, also by update and upsert', () => {
    const before = `create table cfg (key text primary key, value text);
      insert into cfg (key, value) values ('a', 'old'), ('b', 'x') on conflict do nothing;
      insert into cfg values ('a', 'new') on conflict (key) do update set value = excluded.value;
      update cfg set value = value || '!' where key = 'a';
      delete from cfg where key = 'b'`
    expect(valueOf(`(select value from cfg where key = 'a')`, before)).toBe('new!')
    expect(valueOf(`(select value from cfg where key = 'b') || '?'`, before)).toBe('…?')
  })

  it('read a secret that a migration makes', () => {
    expect(
      valueOf(
        `(select decrypted_secret from vault.decrypted_secrets where name = 'u')`,
        `select vault.create_secret('https://h', 'u')`,
      ),
    ).toBe('https://h')
  })

  it('call functions of the project for a value', () => {
    const before = `create function base(p text default 'h') returns text language sql stable as $$ select 'https://' || p $$;
      create function whole() returns text language plpgsql as $$ declare r text; begin
        select base('x') into strict r; if r is null then return null; end if; return r || '/y'; end $$`
    expect(valueOf('base() || whole()', before)).toBe('https://hhttps://x/y')
  })
})

const anyText = fc.string({ unit: 'grapheme', maxLength: 30 })
const plain = (value: ReturnType<typeof text>): string => known(value)!

describe('templates', () => {
  it('do to known texts what the functions of strings do', () => {
    fc.assert(
      fc.property(anyText, fc.string({ minLength: 1, maxLength: 3 }), anyText, (content, from, to) => {
        expect(plain(replace(text(content), from, text(to)))).toBe(content.split(from).join(to))
        expect(plain(quoteLiteral(text(content)))).toBe(`'${content.replaceAll("'", "''")}'`)
        expect(plain(trim(text(` ${content}x `), ' ', 'both'))).toBe(`${content}x`.replace(/^ +/, ''))
        expect(known(format(text('<%s>'), [text(content)]))).toBe(`<${content}>`)
      }),
    )
  })

  it('quote identifiers only where they need it', () => {
    expect(plain(quoteIdent(text('plain_1')))).toBe('plain_1')
    expect(plain(quoteIdent(text('a"b')))).toBe('"a""b"')
  })
})
