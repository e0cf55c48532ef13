import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  computedText,
  fileText,
  joinedText,
  literalText,
  locate,
  locateAll,
  prefixed,
  slice,
  type SqlText,
} from '../../src/sql/index.js'

const at = (text: SqlText, offset: number): string => {
  const { startLine, startColumn } = locate(text, offset)
  return `${startLine}:${startColumn}`
}

describe('locate', () => {
  it('counts lines and columns from 1, in UTF-16 units, ends exclusive', () => {
    const text = fileText('a.sql', 'select 1;\n  select 😀x;')
    expect(locate(text, 12, 18)).toEqual({ file: 'a.sql', startLine: 2, startColumn: 3, endLine: 2, endColumn: 9 })
    expect(at(text, text.text.indexOf('x'))).toBe('2:12')
  })

  it('does not count a byte order mark', () => {
    expect(at(fileText('a.sql', '\ufeffselect 1'), 1)).toBe('1:1')
  })

  it('knows slices and what stands in front of nothing', () => {
    const part = slice(fileText('a.sql', 'a\nbcd\ne'), 2, 5)
    expect(part.text).toBe('bcd')
    expect(at(part, 1)).toBe('2:2')
    const expression = prefixed('SELECT ', part)
    expect(at(expression, 7)).toBe('2:1')
    expect(at(slice(expression, 8, 10), 0)).toBe('2:2')
  })

  it('puts everything of a computed text at the expression that made it', () => {
    const location = locate(fileText('a.sql', 'format(x)'), 0, 6)
    expect(locateAll(computedText('select 1', location))).toEqual(location)
  })

  it('maps the pieces of a template', () => {
    const file = { path: 'a.ts', text: 'sql`select ${id} from t`' }
    const text = joinedText(file, [
      { text: 'select ', offset: 4 },
      { text: '$1', offset: 13 },
      { text: ' from t', offset: 16 },
    ])
    expect(text.text).toBe('select $1 from t')
    expect(at(text, 7)).toBe('1:14')
    expect(at(text, text.text.indexOf('t', 10))).toBe('1:23')
  })
})

describe('literalText', () => {
  const read = (sql: string, offset = 0): SqlText => literalText(fileText('a.sql', sql), offset)!.content

  it.each([
    ["'it''s'", "it's"],
    ["E'a\\nb\\x41\\u0042\\'c'''", "a\nbAB'c'"],
    ['$$a$$', 'a'],
    ['$x$a $$ b$x$', 'a $$ b'],
    ["N'a'", 'a'],
    ["'a'\n  'b'", 'ab'],
    ["''", ''],
  ])('reads %s', (sql, content) => expect(read(sql).text).toBe(content))

  it('is null where no literal stands', () => {
    expect(literalText(fileText('a.sql', 'select $1'), 0)).toBeNull()
    expect(literalText(fileText('a.sql', 'select $1'), 7)).toBeNull()
  })

  it('keeps places through every depth of quoting', () => {
    const sql = "select 'do ''begin perform E''''x\\ny'''' end'';'"
    const outer = read(sql, 7)
    expect(outer.text).toBe("do 'begin perform E''x\\ny'' end';")
    const middle = literalText(outer, 3)!.content
    expect(middle.text).toBe("begin perform E'x\\ny' end")
    const inner = literalText(middle, middle.text.indexOf("E'"))!.content
    expect(inner.text).toBe('x\ny')
    expect(at(inner, 2)).toBe(`1:${sql.indexOf('ny') + 2}`)
  })

  it('maps each character of a quoted text to where it stands', () => {
    const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', "'", '\n', 'é', '😀') }), fc.nat(3), (text, depth) => {
        let sql = text
        for (let level = 0; level <= depth; level++) sql = quote(sql)
        let current = fileText('a.sql', sql)
        for (let level = 0; level <= depth; level++) current = literalText(current, 0)!.content
        expect(current.text).toBe(text)
        const lines = sql.split('\n')
        for (let offset = 0; offset < text.length; offset++) {
          const { startLine, startColumn } = locate(current, offset)
          expect((lines[startLine - 1] + '\n')[startColumn - 1]).toBe(text[offset])
        }
      }),
    )
  })
})
