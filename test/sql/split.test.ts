import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileText, locate, splitStatements } from '../../src/sql/index.js'

const split = (sql: string): string[] => splitStatements(fileText('a.sql', sql)).map((each) => each.text)

describe('splitStatements', () => {
  it.each<[string, string, string[]]>([
    ['plain statements', 'select 1; select 2', ['select 1', 'select 2']],
    ['nothing', ' ;; -- no\n /* no */ ', []],
    ['quotes', "select ';'; select E'\\';'; select \";\"", ["select ';'", "select E'\\';'", 'select ";"']],
    ['dollar quotes', 'do $$ a; b $$; do $x$ $$; $x$', ['do $$ a; b $$', 'do $x$ $$; $x$']],
    ['a dollar inside a name', 'select a$b$; select c$b$', ['select a$b$', 'select c$b$']],
    ['nested comments', 'select /* ; /* ; */ ; */ 1; select 2', ['select /* ; /* ; */ ; */ 1', 'select 2']],
    ['line comments', 'select 1 -- ;\n; select 2', ['select 1 -- ;', 'select 2']],
    [
      'BEGIN ATOMIC',
      'create function f() returns int begin atomic select case when true then 1 end; select 2; end; select 3',
      ['create function f() returns int begin atomic select case when true then 1 end; select 2; end', 'select 3'],
    ],
    ['BEGIN of a transaction', 'begin; select 1; end', ['begin', 'select 1', 'end']],
    [
      'rules',
      'create rule r as on insert to t do (select 1; select 2); select 3',
      ['create rule r as on insert to t do (select 1; select 2)', 'select 3'],
    ],
    ['an open parenthesis costs its own statement', 'select (1; select 2', ['select (1', 'select 2']],
    ['psql lines', '\\restrict abc\nselect 1;\n\\connect x\nselect 2', ['select 1', 'select 2']],
    ['COPY data', "copy t from stdin;\n1\tit's\n2\t;\n\\.\nselect 2", ['copy t from stdin', 'select 2']],
    ['placeholders', "select '{{URL}}'; select {{N}}; select 3", ["select '{{URL}}'", 'select {{N}}', 'select 3']],
    ['CRLF and a byte order mark', '\ufeffselect 1;\r\nselect 2;\r\n', ['select 1', 'select 2']],
    [
      'a quote that never closes',
      "select 'a;\ncreate table t (a int);\nselect 2;",
      ["select 'a", 'create table t (a int)', 'select 2'],
    ],
    ['a dollar quote that never closes', 'do $a$ b;\nselect 1;\n', ['do $a$ b', 'select 1']],
  ])('%s', (_, sql, statements) => expect(split(sql)).toEqual(statements))

  it('keeps where statements stand', () => {
    const [, second] = splitStatements(fileText('a.sql', 'select 1;\n\n  select 2;'))
    expect(locate(second!, 0)).toMatchObject({ startLine: 3, startColumn: 3 })
  })

  it('gives back any list of statements that was joined', () => {
    const statement = fc.constantFrom(
      "select 'a;b'",
      'select $q$ ; $q$',
      'insert into t values (1, $$it;s$$)',
      'do $$ begin perform 1; end $$',
      'update t set a = E\'\\\\\' where b = "c;d"',
      'select 1 /* ; */ + 2',
    )
    const gap = fc.constantFrom(';', ' ;\n', ';\r\n-- note; here\n', '; /* ; /* ; */ */ ')
    fc.assert(
      fc.property(fc.array(fc.tuple(statement, gap)), (parts) => {
        expect(split(parts.flat().join(''))).toEqual(parts.map(([text]) => text))
      }),
    )
  })

  it('never throws and never loses its way', () => {
    const pieces = [
      "'",
      '"',
      '$$',
      '$a$',
      '/*',
      '*/',
      '--',
      '\n',
      ';',
      '(',
      ')',
      '\\',
      'begin',
      'atomic',
      'end',
      'create',
      'E',
      ' ',
      '\0',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces)), (parts) => {
        for (const text of split(parts.join(''))) expect(text.trim()).not.toBe('')
      }),
      { numRuns: 500 },
    )
  })

  it.each(['/*', "'\n;\nselect ", '$$;\nselect 1', '(', '$a', "E'\\", ';\n'])('is linear in %j', (piece) => {
    const started = performance.now()
    split(piece.repeat(100_000))
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
