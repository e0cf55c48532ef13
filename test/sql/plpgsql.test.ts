import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  as,
  doBody,
  fileText,
  loadParser,
  locate,
  parsePlpgsql,
  parseStatements,
  routineBody,
  type PlStatement,
  type RoutineBody,
} from '../../src/sql/index.js'

beforeAll(loadParser)

const body = (sql: string): readonly PlStatement[] => parsePlpgsql(fileText('a.sql', `begin ${sql} end`)).body
const only = (sql: string): PlStatement => body(sql)[0]!

describe('parsePlpgsql', () => {
  it.each<[string, object]>([
    ['v := 1 + 2;', { kind: 'assign', target: 'v', value: { text: '1 + 2' } }],
    ['v.a[1] = x;', { kind: 'assign', target: 'v.a[1]', value: { text: 'x' } }],
    ['perform f(1);', { kind: 'perform', query: { text: 'SELECT  f(1)' } }],
    ['update t set a = 1;', { kind: 'sql', into: null, query: { text: 'update t set a = 1' } }],
    ['insert into t values (1);', { kind: 'sql', into: null }],
    ['select a, b into strict x, y.z from t;', { kind: 'sql', into: { targets: ['x', 'y.z'], strict: true } }],
    ['update t set a = 1 returning id into v;', { kind: 'sql', into: { targets: ['v'], strict: false } }],
    ['return;', { kind: 'return', value: null }],
    ['return a or b;', { kind: 'return', value: { text: 'a or b' } }],
    ['return next r;', { kind: 'return-next', value: { text: 'r' } }],
    ['return query select 1;', { kind: 'return-query', query: { text: 'select 1' } }],
    ["return query execute 'x' using a, b;", { kind: 'return-dynamic', query: { text: "'x'" } }],
    ["execute format('%I', t) into v using 1;", { kind: 'execute', into: { targets: ['v'] } }],
    ['get diagnostics n = row_count;', { kind: 'get-diagnostics', items: [{ target: 'n', item: 'row_count' }] }],
    ["raise notice 'x %', a;", { kind: 'raise', level: 'notice' }],
    ["raise 'x';", { kind: 'raise', level: 'exception' }],
    ['exit outer when not found;', { kind: 'exit', label: 'outer', when: { text: 'not found' } }],
    ['continue;', { kind: 'continue', label: null, when: null }],
    [
      'for i in reverse 1..10 by 2 loop null; end loop;',
      { kind: 'for-integer', variable: 'i', from: { text: '1' }, to: { text: '10' } },
    ],
    [
      'for a, b in select 1, 2 loop null; end loop;',
      { kind: 'for-query', variables: ['a', 'b'], query: { text: 'select 1, 2' } },
    ],
    ['for r in execute q using 1 loop null; end loop;', { kind: 'for-dynamic', query: { text: 'q' } }],
    ['foreach x in array xs loop null; end loop;', { kind: 'foreach', array: { text: 'xs' } }],
    ['while n > 0 loop n := n - 1; end loop;', { kind: 'while', condition: { text: 'n > 0' } }],
    ['<<again>> loop exit; end loop again;', { kind: 'loop', label: 'again' }],
    ['open c for select 1;', { kind: 'open', cursor: 'c', query: { text: 'select 1' }, dynamic: false }],
    ['fetch next from c into r;', { kind: 'fetch', cursor: 'c', into: { targets: ['r'] } }],
    ['commit;', { kind: 'commit' }],
    ['null;', { kind: 'null' }],
  ])('%s', (sql, expected) => expect(only(sql)).toMatchObject(expected))

  it('reads branches, with CASE expressions in their conditions', () => {
    const statement = only('if case when a then b end then x := 1; elsif c then null; else y := 2; end if;')
    expect(statement).toMatchObject({
      kind: 'if',
      branches: [
        { condition: { text: 'case when a then b end' }, body: [{ target: 'x' }] },
        { condition: { text: 'c' } },
      ],
      otherwise: [{ target: 'y' }],
    })
    expect(only('case a when 1, 2 then null; else null; end case;')).toMatchObject({
      kind: 'case',
      subject: { text: 'a' },
      branches: [{ condition: { text: '1, 2' } }],
      otherwise: [{ kind: 'null' }],
    })
  })

  it('reads declarations, cursors and handlers', () => {
    const block = parsePlpgsql(
      fileText(
        'a.sql',
        `#variable_conflict use_column
        <<top>> declare
          a constant int not null default 1; b t.c%type; c alias for $1; d cursor (x int) for select x;
        begin
          for r in d loop null; end loop;
        exception when unique_violation or sqlstate '23503' then return; when others then null;
        end top;`,
      ),
    )
    expect(block.label).toBe('top')
    expect(block.declarations).toMatchObject([
      { name: 'a', constant: true, value: { text: '1' } },
      { name: 'b', type: 't.c%type', value: null },
      { name: 'c', alias: '$1' },
      { name: 'd', cursor: { text: 'select x' } },
    ])
    expect(block.body).toMatchObject([{ kind: 'for-query', query: { text: 'select x' } }])
    expect(block.handlers.map((each) => each.conditions)).toEqual([
      ['unique_violation', "sqlstate '23503'"],
      ['others'],
    ])
  })

  it('loses one statement where one is wrong', () => {
    expect(body('a := 1; exit when; loop; b := 2;').map((each) => each.kind)).toContain('assign')
    expect(body('x := (1; y := 2;')).toMatchObject([{ kind: 'assign' }, { kind: 'assign', target: 'y' }])
    expect(parsePlpgsql(fileText('a.sql', 'select 1')).body).toMatchObject([{ kind: 'unknown' }])
  })

  it('never throws and always ends', () => {
    const words = [
      'begin',
      'end',
      'if',
      'then',
      'else',
      'loop',
      ';',
      'case',
      'when',
      '(',
      ')',
      'a',
      ':=',
      "'x'",
      'into',
      'for',
      'in',
      'declare',
      '<<',
      'exception',
      'return',
      'query',
      '.',
      '[',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words)), (parts) => {
        expect(parsePlpgsql(fileText('a.sql', parts.join(' '))).kind).toBe('block')
      }),
      { numRuns: 500 },
    )
    expect(parsePlpgsql(fileText('a.sql', 'begin '.repeat(50_000))).kind).toBe('block')
  })
})

describe('bodies', () => {
  const read = (sql: string): RoutineBody => {
    const [statement] = parseStatements(fileText('a.sql', sql))
    if (!statement?.ok) throw new Error('not parsed')
    const create = as(statement.tree, 'CreateFunctionStmt')
    return create ? routineBody(create, statement.source) : doBody(as(statement.tree, 'DoStmt')!, statement.source)
  }

  it('keeps where statements stand, through quotes', () => {
    const sql = "create function f() returns void as '\nbegin\n  perform g(''x'');\nend' language plpgsql"
    const found = read(sql)
    if (found.language !== 'plpgsql') throw new Error(found.language)
    const statement = found.block.body[0]!
    expect(statement.at.text).toBe("perform g('x');")
    expect(locate(statement.at, 0)).toMatchObject({ startLine: 3, startColumn: 3 })
  })

  it('reads SQL bodies in strings, BEGIN ATOMIC and RETURN', () => {
    const statements = (sql: string): number => {
      const found = read(sql)
      return found.language === 'sql' ? found.statements.filter((each) => each.ok).length : -1
    }
    expect(statements('create function f() returns int language sql as $$ select 1; select 2 $$')).toBe(2)
    expect(statements('create function f() returns int language sql begin atomic select 1; select 2; end')).toBe(2)
    expect(statements('create function f() returns int language sql return 1 + 1')).toBe(1)
  })

  it('reads DO blocks, and says which language it cannot read', () => {
    expect(read('do language plpgsql $$ begin null; end $$')).toMatchObject({ language: 'plpgsql' })
    expect(read("do 'begin null; end'")).toMatchObject({ language: 'plpgsql' })
    expect(read("create function f() returns int language plv8 as 'return 1'")).toMatchObject({
      language: 'unknown',
      reason: /plv8/,
    })
  })
})
