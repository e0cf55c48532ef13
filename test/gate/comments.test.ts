import { describe, expect, it } from 'vitest'
import { ignoreComments } from '../../src/gate/index.js'

const read = (text: string, file = 'a.ts') =>
  ignoreComments(file, text).map(({ rules, reason, lines }) => ({ rules, reason, lines }))

describe('ignore comments', () => {
  it.each([
    ['a.ts', '// tick-audit-ignore no-claim: the provider refuses repeats'],
    ['a.ts', '/* tick-audit-ignore no-claim: the provider refuses repeats */'],
    ['a.ts', '/** tick-audit-ignore no-claim: the provider refuses repeats */'],
    ['a.sql', '-- tick-audit-ignore no-claim: the provider refuses repeats'],
    ['a.sql', '/* tick-audit-ignore no-claim: the provider refuses repeats */'],
    ['a.SQL', '  $$ -- tick-audit-ignore no-claim: the provider refuses repeats'],
  ])('%s: %s', (file, text) => {
    expect(ignoreComments(file, text)).toMatchObject([
      { rules: ['no-claim'], reason: 'the provider refuses repeats', location: { file, startLine: 1 } },
    ])
  })

  it('says where it stands', () => {
    expect(ignoreComments('a.ts', '\r\n  await send() /* tick-audit-ignore a: b */\r\n')[0]?.location).toEqual({
      file: 'a.ts',
      startLine: 2,
      startColumn: 16,
      endLine: 2,
      endColumn: 44,
    })
  })

  it('names several rules, and keeps colons of the reason', () => {
    expect(read('// tick-audit-ignore a, b ,c: see https://x.example/: there')).toMatchObject([
      { rules: ['a', 'b', 'c'], reason: 'see https://x.example/: there' },
    ])
  })

  it('may lack a rule or a reason', () => {
    expect(read('// tick-audit-ignore')).toMatchObject([{ rules: [], reason: '' }])
    expect(read('// tick-audit-ignore no-claim')).toMatchObject([{ rules: ['no-claim'], reason: '' }])
    expect(read('/* tick-audit-ignore no-claim: */')).toMatchObject([{ rules: ['no-claim'], reason: '' }])
  })

  it('speaks of its own line behind code, and of the next line of code where it stands alone', () => {
    expect(read('send() // tick-audit-ignore a: b\nmore()')[0]?.lines).toEqual([1])
    expect(read('// tick-audit-ignore a: b\nsend()')[0]?.lines).toEqual([1, 2])
    expect(read('// tick-audit-ignore a: b\n\nsend()')[0]?.lines).toEqual([1])
    expect(read('// tick-audit-ignore a: b\n// tick-audit-ignore c: d\n// more\nsend()').map((c) => c.lines)).toEqual([
      [1, 4],
      [2, 4],
    ])
    expect(read('/* tick-audit-ignore a: b\n   and more\n */\nsend()')[0]?.lines).toEqual([1, 4])
    expect(read('/*\n * tick-audit-ignore a: b\n */\nsend()')[0]?.lines).toEqual([2, 4])
    expect(read('// tick-audit-ignore a: b')[0]?.lines).toEqual([1])
  })

  it.each([
    ['a.ts', "const help = '// tick-audit-ignore a: b'"],
    ['a.ts', 'const help = `it\\`s // tick-audit-ignore a: b`'],
    ['a.ts', '// write tick-audit-ignore a: b above it'],
    ['a.ts', '// tick-audit-ignored a: b'],
    ['a.ts', 'x -- tick-audit-ignore a: b'],
    ['a.sql', 'x // tick-audit-ignore a: b'],
  ])('is none: %s %s', (file, text) => {
    expect(read(text, file)).toEqual([])
  })

  it('reads a long line and many lines in no time', () => {
    const text = `${'/'.repeat(100_000)}\n${'// tick-audit-ignore a: b\n'.repeat(5_000)}`
    const start = performance.now()
    expect(read(text)).toHaveLength(5_000)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
