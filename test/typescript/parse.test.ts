import fc from 'fast-check'
import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { locate, parseModule } from '../../src/typescript/parse.js'

const said = (text: string) => {
  const { error, file } = parseModule('a.ts', text)
  return { error: error?.message ?? null, line: error?.location?.startLine ?? null, statements: file.statements.length }
}

describe('a module', () => {
  it('that parses has no error', () => {
    expect(said('const a = 1\nexport { a }')).toEqual({ error: null, line: null, statements: 2 })
  })

  it('that does not has the first, with its place, and what could be read', () => {
    expect(said('const a = 1\nconst = 2\nlet b')).toMatchObject({
      error: expect.stringContaining('does not parse'),
      line: 2,
    })
    expect(said('const a = 1\nconst = 2\nlet b').statements).toBeGreaterThan(1)
  })

  it('may have some modifiers in a row, as broken code has', () => {
    expect(said(`declare ${'readonly '.repeat(500)} let a: number`)).toEqual({ error: null, line: null, statements: 1 })
    expect(said(`let a = "${'async '.repeat(500)}"`).error).toBeNull()
  })

  it('with thousands of them is read without them, and says so', () => {
    expect(said(`let a\n  ${'async '.repeat(20_000)}\nlet b`)).toEqual({
      error: 'does not parse: a thousand modifiers in a row',
      line: 2,
      statements: 2,
    })
  })

  it('has its places where the compiler says, whatever ends its lines', () => {
    const text = fc.array(fc.constantFrom('a', ' ', '\n', '\r', '\r\n', '\u2028', '\u2029', '💥'), { maxLength: 30 })
    fc.assert(
      fc.property(text, fc.nat(30), (parts, at) => {
        const code = parts.join('')
        const start = Math.min(at, code.length)
        const { line, character } = ts.createSourceFile('a.ts', code, 99).getLineAndCharacterOfPosition(start)
        const place = locate('a.ts', parseModule('a.ts', code).file, start, start)
        expect([place.startLine, place.startColumn]).toEqual([line + 1, character + 1])
      }),
      { numRuns: 500 },
    )
  })
})
