import { describe, expect, it } from 'vitest'
import { findRoutines, findTable, findTriggers } from '../../src/database/index.js'
import { migrate } from './run.js'

const keysOf = (...texts: string[]): string[] =>
  (findTable(migrate(...texts), 't')?.keys ?? []).map(
    (key) =>
      `${key.primary ? 'primary ' : ''}${key.columns.map((each) => each ?? '()').join(',')}${key.condition === null ? '' : ` where ${key.condition}`}`,
  )

describe('tables', () => {
  it('have columns and keys from every place where they are written', () => {
    expect(
      keysOf(
        `create table if not exists public.t (id uuid primary key, slug text unique, a int, b int, unique (a, b));
         create unique index concurrently if not exists t_ab on only "public"."t" using btree (lower(slug), a) where b > 0;
         create index on t (b);
         alter table only public.t add column c int unique, add constraint t_c unique (b, c);
         do $$ begin if not exists (select 1 from pg_constraint where conname = 'x') then alter table t add constraint x unique (a); end if; end $$;`,
      ),
    ).toEqual(['primary id', 'slug', 'a,b', '(),a where b > 0', 'c', 'b,c', 'a'])
  })

  it('lose what is dropped, and keep their name when it changes', () => {
    const made = `create table old (id int primary key, a int unique, b int unique); create unique index i on old (b);`
    expect(
      keysOf(
        `${made} alter table old rename to t; alter table t rename column b to c; drop index i; alter table t drop constraint old_a_key;`,
      ),
    ).toEqual(['primary id', 'c'])
    expect(findTable(migrate(`${made} alter table old drop column a`), 'old')?.columns).toEqual(['id', 'b'])
    expect(findTable(migrate(`${made} drop table old cascade`), 'old')).toBeNull()
  })

  it('know which columns a trigger moves at every update', () => {
    const touch = (body: string): string => `create table t (id int, updated_at timestamptz, version int, note text);
      create function touch() returns trigger language plpgsql as $$ begin ${body} return new; end $$;
      create trigger t_touch before insert or update on t for each row execute function touch();`
    const touchedOf = (text: string): readonly string[] => findTable(migrate(text), 't')!.touched
    expect(touchedOf(touch('new.updated_at := now(); NEW.version = OLD.version + 1; new.note := old.note;'))).toEqual([
      'updated_at',
      'version',
    ])
    expect(touchedOf(touch(`if new.note is null then new.updated_at = now(); end if;`))).toEqual([])
    expect(touchedOf(`${touch('new.updated_at := now();')} drop trigger t_touch on t;`)).toEqual([])
    expect(
      touchedOf(
        `create table t (m timestamptz); create trigger x before update on t for each row execute procedure moddatetime(m)`,
      ),
    ).toEqual(['m'])
  })

  it('know what a column is by default: a constant, an expression (null), or nothing', () => {
    const { defaults } = findTable(
      migrate(
        `create table t (id bigserial, n int generated always as identity, state text default 'new'::text, flag boolean not null default false, at timestamptz default now(), note text, kind text default 'a');
         alter table t alter column kind drop default, add column rank int default 1, alter column state set default 'old'; alter table t rename column flag to done;`,
      ),
      't',
    )!
    const literal = (value: unknown) => ({ kind: 'literal', value })
    expect([...defaults]).toEqual(
      expect.arrayContaining([
        ['id', null],
        ['n', null],
        ['state', literal('old')],
        ['at', null],
        ['rank', literal(1)],
        ['done', literal(false)],
      ]),
    )
    expect([...defaults.keys()]).not.toContain('note')
    expect([...defaults.keys()]).not.toContain('kind')
  })

  it('stand where they are made', () => {
    expect(findTable(migrate('', `\ncreate table t (id int,\n unique (id));`), 't')).toMatchObject({
      schema: 'public',
      location: { file: 'supabase/migrations/2_m.sql', startLine: 2, startColumn: 1 },
      keys: [{ location: { startLine: 3, startColumn: 2 } }],
    })
  })
})

describe('routines', () => {
  const signatures = (text: string): string[] =>
    findRoutines(migrate(text), 'f').map(
      (each) =>
        `${each.schema}(${each.parameters.map((one) => one.type).join(',')}) ${each.language} ${each.volatility}`,
    )

  it('are the last definition of each signature', () => {
    const text = `create function f(a int) returns int language sql immutable as 'select 1';
      create or replace function public.f(b integer) returns int language sql stable as 'select 2';
      create function f(text[], out x int) language plpgsql as $$ begin end $$;
      create function "util"."f"() returns int language sql as 'select 3';`
    expect(signatures(text)).toEqual([
      'public(int4) sql stable',
      'public(text[],int4) plpgsql volatile',
      'util() sql volatile',
    ])
    expect(signatures(`${text} drop function if exists f(int), util.f();`)).toEqual([
      'public(text[],int4) plpgsql volatile',
    ])
  })

  it('made by dynamic SQL in a DO block count too', () => {
    expect(
      signatures(`do $$ begin execute 'create function f() returns int language sql as ''select 1'''; end $$`),
    ).toEqual(['public() sql volatile'])
  })
})

describe('triggers', () => {
  it('are found with their function', () => {
    const text = `create table t (id int); create or replace trigger "T" after insert or delete on public.t for each row execute function app.g('x');`
    expect(findTriggers(migrate(text))).toMatchObject([
      {
        name: 'T',
        table: 't',
        routine: 'g',
        routineSchema: 'app',
        onInsert: true,
        onUpdate: false,
        onDelete: true,
        arguments: ['x'],
      },
    ])
  })
})
