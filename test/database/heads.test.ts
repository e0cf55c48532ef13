import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bareName, headOf } from '../../src/database/heads.js'

const said = (statement: string): string => {
  const head = headOf(statement)
  return head === null ? 'nothing' : [head.kind, ...head.names].join(' | ')
}

describe('the head of a statement', () => {
  it.each([
    ['create table jobs (id int)', 'create table | jobs'],
    ['CREATE TABLE IF NOT EXISTS public."My Jobs"(id int)', 'create table | My Jobs'],
    ['create unlogged table jobs()', 'create table | jobs'],
    ['create local temporary table jobs()', 'create table | jobs'],
    ['create foreign table f () server s', 'create table | f'],
    ['create or replace function Public.Claim(n int) returns int', 'create routine | claim'],
    ['create procedure p() as $$ $$', 'create routine | p'],
    ['create constraint trigger t after insert on public.jobs', 'create trigger | jobs'],
    ['create trigger t after update of "on", b on only jobs', 'create trigger | jobs'],
    ['create unique index on jobs (a)', 'create index | jobs'],
    ['create unique index concurrently if not exists i on only a.jobs (a)', 'create index | jobs'],
    ['alter table if exists only db.public.jobs add x int', 'alter table | jobs'],
    ['drop table if exists a, b.c , "D" cascade', 'drop table | a | c | D'],
    ['drop function f(int, text), g(vector(3), int)', 'drop routine | f | g'],
    ['drop routine r', 'drop routine | r'],
    ['drop index concurrently if exists i', 'drop index | i'],
    ['drop trigger if exists t on public.jobs', 'drop trigger | jobs'],
    ['insert into jobs values (1)', 'insert | jobs'],
    ['update only jobs set a = 1', 'update | jobs'],
    ['delete from only jobs', 'delete | jobs'],
    ['select 1', 'run'],
    ['(select 1)', 'run'],
    ['do $$ begin end $$', 'run'],
    ['alter database postgres set app.key = 1', 'run'],
    ['create /* a /* nested */ one */ table -- and\n jobs()', 'create table | jobs'],
    ['create table überläufe ()', 'create table | überläufe'],
  ])('%s', (statement, expected) => {
    expect(said(statement)).toBe(expected)
  })

  it.each([
    'create index i on jobs (a)',
    'create policy p on jobs',
    'create or replace view v as select 1',
    'create table',
    'create or replace table jobs()',
    'alter policy p on jobs',
    'alter role r set work_mem = 1',
    'drop view v',
    'grant all on jobs to anon',
    'comment on table jobs is $$create table x$$',
    'insert jobs values (1)',
    '',
    '"create" table x',
  ])('%s: says nothing of what matters here', (statement) => {
    expect(said(statement)).toBe('nothing')
  })

  it('is found behind a long comment, and a name is never cut', () => {
    const comment = (length: number) => `/*${'x'.repeat(length)}*/`
    expect(said(`create ${comment(400)} table jobs ()`)).toBe('create table | jobs')
    for (let length = 220; length < 250; length++)
      expect(said(`create ${comment(length)} table a_name_of_twenty_six_lett ()`)).toBe(
        'create table | a_name_of_twenty_six_lett',
      )
    expect(said(`create ${comment(2000)} table jobs ()`)).toBe('nothing')
  })

  it('never throws, and takes no longer for hostile text', () => {
    const pieces = [
      'create ',
      'table ',
      'trigger ',
      'on ',
      'drop ',
      '"',
      "'",
      '$$',
      '/*',
      '--',
      '(',
      ',',
      '.',
      'a',
      '\0',
      '\ud800',
      'ü',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (all) => {
        headOf(all.join(''))
      }),
      { numRuns: 2000 },
    )
    const began = performance.now()
    headOf(`drop table ${'a,'.repeat(200_000)}b`)
    headOf(`create trigger ${'on '.repeat(200_000)}`)
    headOf('create '.repeat(200_000))
    expect(performance.now() - began).toBeLessThan(2000)
  })
})

it('a bare name is the last part of a name', () => {
  expect(['Jobs', 'public.jobs', '"Public"."My ""Jobs"""', 'a . b', ''].map(bareName)).toEqual([
    'jobs',
    'jobs',
    'My "Jobs"',
    'b',
    '',
  ])
})
