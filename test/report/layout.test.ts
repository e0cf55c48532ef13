import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanBlock, cleanLine } from '../../src/report/clean.js'
import { cutLeft, cutRight, displayWidth, widthFor, wrap, wrapBehind } from '../../src/report/text/layout.js'

const anyText = fc.string({ unit: 'grapheme', maxLength: 120 })
const anyWidth = fc.integer({ min: 2, max: 100 })

describe('layout', () => {
  it('counts the columns of wide and of combining characters', () => {
    expect(displayWidth('abc')).toBe(3)
    expect(displayWidth('日本')).toBe(4)
    expect(displayWidth('e\u0301')).toBe(1)
    expect(displayWidth('🙂')).toBe(2)
  })

  it('takes the terminal’s width, within 50 and 100', () => {
    expect([20, 80, 300, Number.POSITIVE_INFINITY, 0].map(widthFor)).toEqual([50, 80, 100, 100, 100])
  })

  it('wraps at spaces, and breaks what has none', () => {
    expect(wrap('one two  three', 8)).toEqual(['one two', 'three'])
    expect(wrap('abcdefgh ij', 3)).toEqual(['abc', 'def', 'gh', 'ij'])
    expect(wrap(' ', 8)).toEqual([])
  })

  it('hangs wrapped lines behind their label', () => {
    expect(wrapBehind('1. ', 'one two three four five', 23)).toEqual(['1. one two three four', '   five'])
  })

  it('wraps any text within its width and loses nothing', () => {
    fc.assert(
      fc.property(anyText, anyWidth, (text, width) => {
        const lines = wrap(text, width)
        expect(Math.max(0, ...lines.map(displayWidth))).toBeLessThanOrEqual(width)
        expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
    )
  })

  it('cuts any text to its width and says so', () => {
    fc.assert(
      fc.property(anyText, anyWidth, (text, width) => {
        const cut = cutRight(text, width)
        expect(displayWidth(cut)).toBeLessThanOrEqual(width)
        expect(cut === text || cut.endsWith('…')).toBe(true)
      }),
    )
    expect(cutLeft('abcdef', 2)).toBe('…cdef')
    expect(cutLeft('abc', 0)).toBe('abc')
  })
})

describe('clean text', () => {
  it('shows controls as pictures, and other invisible characters as a replacement', () => {
    expect(cleanLine('a\u001b[31mb\u007fc\u009bd\u202ee\u200bf\ud800g')).toBe('a␛[31mb␡c\ufffdd\ufffde\ufffdf\ufffdg')
    expect(cleanLine('one\r\n\ttwo 🙂')).toBe('one two 🙂')
  })

  it('keeps the lines of a block', () => {
    expect(cleanBlock('a\r\n\tb\u0007')).toBe('a\n  b␇')
  })

  it('leaves clean text as it is, and leaves nothing unsafe', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const clean = cleanLine(text)
        expect(cleanLine(clean)).toBe(clean)
        // eslint-disable-next-line no-control-regex
        expect(clean).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
      }),
    )
  })
})
