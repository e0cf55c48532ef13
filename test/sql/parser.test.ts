import { beforeAll, describe, expect, it } from 'vitest'
import {
  as,
  argument,
  constantOf,
  fileText,
  findAll,
  functionName,
  keywordBefore,
  loadParser,
  locate,
  parseExpression,
  parseStatement,
  parseStatements,
  stringText,
  type Statement,
} from '../../src/sql/index.js'

beforeAll(loadParser)

const parse = (sql: string): Statement => {
  const [first] = parseStatements(fileText('a.sql', sql))
  if (!first?.ok) throw new Error(first?.message ?? 'nothing')
  return first
}

describe('parseStatements', () => {
  it('costs one statement where one is wrong, and says where', () => {
    const all = parseStatements(fileText('a.sql', 'select 1;\nselect * form t;\nselect 3'))
    expect(all.map((each) => each.ok)).toEqual([true, false, true])
    const failure = all[1]!
    expect(!failure.ok && failure.location).toMatchObject({ startLine: 2, startColumn: 10 })
  })

  it('gives one tree for one text', () => {
    const text = fileText('a.sql', 'select 1')
    expect(parseStatement(text)).toBe(parseStatement(text))
  })

  it('counts in UTF-16 units, not in bytes', () => {
    const sql = "select 'é😀', f('x') /* ü */ , g('y')"
    const { tree, source } = parse(sql)
    const calls = findAll(tree, 'FuncCall')
    expect(calls.map((call) => sql.slice(call.location, (call.location ?? 0) + 1))).toEqual(['f', 'g'])
    expect(locate(source, calls[1]!.location!).startColumn).toBe(sql.indexOf('g(') + 1)
  })

  it('reads past control bytes, byte order marks and lone surrogates', () => {
    const { tree } = parse("\ufeffselect\0 1,\u0001 '\ud800', f()")
    expect(findAll(tree, 'FuncCall')).toHaveLength(1)
  })

  it('takes placeholders and psql variables for values that are not known', () => {
    const { tree, source } = parse("select f({{URL}}, :'key', :n, ':text', '{{X}}', a::int)")
    expect(findAll(tree, 'ParamRef')).toHaveLength(3)
    const [last] = findAll(tree, 'ColumnRef')
    expect(source.text.slice(last!.location)).toBe('a::int)')
  })

  it.each([
    ['parentheses', `select ${'('.repeat(100_000)}1${')'.repeat(100_000)}`],
    ['a sum', `select 1${'+1'.repeat(100_000)}`],
    ['nested comments', `select ${'/*'.repeat(50_000)}${'*/'.repeat(50_000)} 1`],
    ['a long literal', `select '${'x'.repeat(2_000_001)}'`],
  ])('survives %s', (_, sql) => {
    const started = performance.now()
    expect(parseStatements(fileText('a.sql', sql))).toHaveLength(1)
    expect(performance.now() - started).toBeLessThan(5000)
    expect(parse('select 1').ok).toBe(true)
  })
})

describe('expressions', () => {
  it('reads calls, names and constants', () => {
    const { tree } = parse("select net.http_post(url := 'https://x'::text, body => '{}')")
    const [call] = findAll(tree, 'FuncCall')
    expect(functionName(call!)).toBe('net.http_post')
    expect(constantOf(argument(call!, 'url', 0))).toBe('https://x')
    expect(constantOf(argument(call!, 'body', 1))).toBe('{}')
    expect(argument(call!, 'headers', 0)).toBeUndefined()
  })

  it('makes a text of a string, in place', () => {
    const sql = "select f('a', $c$\n select 'it''s' $c$)"
    const { tree, source } = parse(sql)
    const command = stringText(source, findAll(tree, 'FuncCall')[0]!.args![1])!
    expect(command.text).toBe("\n select 'it''s' ")
    expect(locate(command, 2)).toMatchObject({ startLine: 2, startColumn: 2 })
    const unicode = parse("select U&'\\0041'")
    expect(
      stringText(
        unicode.source,
        as(findAll(unicode.tree, 'ResTarget')[0]!.val, 'A_Const') && findAll(unicode.tree, 'ResTarget')[0]!.val,
      )?.text,
    ).toBe('A')
  })

  it('finds the keyword before a place', () => {
    const { tree, source } = parse("with c as (select 'update' as a) update /* update */ only t set a = 1")
    const keyword = keywordBefore(source, findAll(tree, 'UpdateStmt')[0]!.relation!.location!, 'update')
    expect(source.text.slice(keyword!.start)).toMatch(/^update \/\*/)
  })

  it('parses single expressions, queries in place of them, and says what is wrong', () => {
    const sum = parseExpression(fileText('a.sql', 'a + 1'))
    expect(sum.ok && as(sum.node, 'A_Expr')).toBeTruthy()
    const query = parseExpression(fileText('a.sql', 'count(*) from t'))
    expect(query.ok && as(query.node, 'SubLink')).toBeTruthy()
    const wrong = parseExpression(fileText('a.sql', 'a +'))
    expect(wrong.ok).toBe(false)
  })
})
