import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Location } from '../../src/model/index.js'
import { frameDrawer } from '../../src/report/text/frame.js'
import { displayWidth } from '../../src/report/text/layout.js'
import { paletteOf } from '../../src/report/text/palette.js'

function place(startLine: number, startColumn: number, endLine: number, endColumn: number): Location {
  return { file: 'a.ts', startLine, startColumn, endLine, endColumn }
}

function frame(text: string | null, location: Location, width = 80): string[] {
  const palette = paletteOf(false)
  return frameDrawer(() => text)(location, { palette, width, mark: '^', markColor: palette.faint })
}

describe('a code frame', () => {
  it('shows the line before, the line and what is meant in it', () => {
    expect(frame('a\n  for (x) {\n    send(x)\n  }\n', place(3, 5, 3, 12))).toEqual([
      '2 │ for (x) {',
      '3 │   send(x)',
      '  │   ^^^^^^^',
    ])
  })

  it('shows a place of up to five lines whole, of a longer one the first three', () => {
    const text = 'await db\n  .from()\n\n  .select()\n  .limit()\n  .order()\n'
    expect(frame(text, place(1, 7, 5, 11))).toEqual([
      '1 │ await db',
      '  │       ^^',
      '2 │   .from()',
      '3 │',
      '4 │   .select()',
      '5 │   .limit()',
    ])
    expect(frame(text, place(1, 7, 6, 11))).toEqual(['1 │ await db', '  │       ^^', '2 │   .from()'])
  })

  it('is the same with CRLF, and shows no carriage return', () => {
    const text = 'one\ntwo three\nfour'
    expect(frame(text.replaceAll('\n', '\r\n'), place(2, 5, 2, 10))).toEqual(frame(text, place(2, 5, 2, 10)))
  })

  it('underlines behind tabs and wide characters where the text stands', () => {
    expect(frame('\t\tsend(x)', place(1, 3, 1, 7))).toEqual(['1 │ send(x)', '  │ ^^^^'])
    expect(frame("f('日本', send)", place(1, 9, 1, 13))).toEqual(["1 │ f('日本', send)", '  │           ^^^^'])
  })

  it('moves a place far to the right into view and cuts the rest', () => {
    const text = `${'x'.repeat(50)} send(y) ${'z'.repeat(500)}`
    const lines = frame(text, place(1, 52, 1, 59), 60)
    expect(lines[0]).toMatch(/^1 │ …x+ send\(y\) z+…$/)
    expect(lines[1]?.indexOf('^')).toBe(lines[0]?.indexOf('send'))
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(60)
  })

  it('looks at a part of a minified line only', () => {
    const text = `${'a;'.repeat(1_000_000)}send(y);${'b;'.repeat(1_000_000)}`
    const started = performance.now()
    const lines = frame(text, place(1, 2_000_001, 1, 2_000_008))
    expect(performance.now() - started).toBeLessThan(500)
    expect(lines[1]?.indexOf('^')).toBe(lines[0]?.indexOf('send(y)'))
  })

  it('is left out where the text or the place is not there', () => {
    expect(frame(null, place(1, 1, 1, 2))).toEqual([])
    expect(frame('one', place(7, 1, 7, 2))).toEqual([])
    expect(frame('one\n\n', place(2, 1, 2, 2))).toEqual([])
    expect(frame('', place(0, 0, 0, 0))).toEqual([])
  })

  it('marks at least one column, also for an empty place or one past the end', () => {
    expect(frame('one', place(1, 2, 1, 2))).toEqual(['1 │ one', '  │  ^'])
    expect(frame('one', place(1, 40, 1, 50))).toEqual(['1 │ one', '  │    ^'])
  })

  it('splits a file once, however many places it is asked for', () => {
    let reads = 0
    const palette = paletteOf(false)
    const draw = frameDrawer(() => {
      reads++
      return 'one\ntwo'
    })
    for (const line of [1, 2, 1])
      draw(place(line, 1, line, 2), { palette, width: 80, mark: '-', markColor: palette.faint })
    expect(reads).toBe(1)
  })

  it('never throws, keeps its width and prints no control character, whatever text and place', () => {
    const number = fc.integer({ min: -3, max: 400 })
    const text = fc
      .array(fc.string({ unit: 'binary', maxLength: 200 }), { maxLength: 8 })
      .map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(
        text,
        number,
        number,
        number,
        number,
        fc.integer({ min: 30, max: 100 }),
        (source, a, b, c, d, width) => {
          const lines = frame(source, place(a % 9, b, c % 9, d), width)
          for (const line of lines) {
            expect(displayWidth(line)).toBeLessThanOrEqual(width)
            // eslint-disable-next-line no-control-regex
            expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
          }
        },
      ),
    )
  })
})
