import {
  classOf,
  DIGIT,
  dollarTag,
  endOfComment,
  endOfIdentifier,
  endOfLine,
  endOfString,
  endOfWord,
  LETTER,
  SPACE,
} from './scan.js'

/** A lexeme of SQL or PL/pgSQL; comments and blanks are left out. */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'parameter' | 'symbol'
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** Words in lower case, quoted identifiers without quotes, symbols and numbers as written; empty for strings. */
  readonly value: string
}

/** A span of the text: end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

const LONG_SYMBOLS = [':=', '=>', '::', '..', '<<', '>>', '<=', '>=', '<>', '!=']

/** All lexemes of a text. Quotes and comments that never close reach to the end. Never throws. */
export function tokenize(text: string): Token[] {
  return lex(text).tokens
}

/** The comments of a text, in order. */
export function commentsOf(text: string): Span[] {
  return lex(text).comments
}

function lex(text: string): { tokens: Token[]; comments: Span[] } {
  const tokens: Token[] = []
  const comments: Span[] = []
  const length = text.length
  let pos = 0
  const closed = (end: number): number => (end < 0 ? length : end)
  while (pos < length) {
    const start = pos
    const code = text.charCodeAt(pos)
    const kind = classOf(code)
    if (kind === SPACE) {
      pos++
      continue
    }
    const two = text.charCodeAt(pos + 1)
    if (code === 45 /* - */ && two === 45) {
      pos = endOfLine(text, pos)
      comments.push({ start, end: pos })
      continue
    }
    if (code === 47 /* / */ && two === 42 /* * */) {
      pos = closed(endOfComment(text, pos))
      comments.push({ start, end: pos })
      continue
    }
    if (kind === LETTER) {
      pos = endOfWord(text, pos)
      if (text.charCodeAt(pos) === 39 /* ' */ && pos - start === 1 && /[ebxn]/i.test(text[start]!)) {
        pos = closed(endOfString(text, pos, code === 69 || code === 101))
        tokens.push({ kind: 'string', start, end: pos, value: '' })
      } else if (/^u$/i.test(text.slice(start, pos)) && /^&['"]/.test(text.slice(pos, pos + 2))) {
        const string = text[pos + 1] === "'"
        pos = closed(string ? endOfString(text, pos + 1, false) : endOfIdentifier(text, pos + 1))
        tokens.push({ kind: string ? 'string' : 'quoted', start, end: pos, value: '' })
      } else {
        tokens.push({ kind: 'word', start, end: pos, value: text.slice(start, pos).toLowerCase() })
      }
      continue
    }
    if (kind === DIGIT) {
      // `1..10` is a range, so a number does not swallow a second dot.
      pos = start + /^\d[\d_]*(\.(?!\.)\d*)?([eE][+-]?\d+)?/.exec(text.slice(start, start + 400))![0].length
      tokens.push({ kind: 'number', start, end: pos, value: text.slice(start, pos) })
      continue
    }
    if (code === 39 /* ' */) {
      pos = closed(endOfString(text, pos, false))
      tokens.push({ kind: 'string', start, end: pos, value: '' })
      continue
    }
    if (code === 34 /* " */) {
      pos = closed(endOfIdentifier(text, pos))
      const inner = text.slice(start + 1, Math.max(start + 1, pos - 1))
      tokens.push({ kind: 'quoted', start, end: pos, value: inner.replaceAll('""', '"') })
      continue
    }
    if (code === 36 /* $ */) {
      const tag = dollarTag(text, pos)
      if (tag !== null) {
        const close = text.indexOf(tag, pos + tag.length)
        pos = close < 0 ? length : close + tag.length
        tokens.push({ kind: 'string', start, end: pos, value: '' })
        continue
      }
      if (classOf(two) === DIGIT) {
        pos = endOfWord(text, pos)
        tokens.push({ kind: 'parameter', start, end: pos, value: text.slice(start, pos) })
        continue
      }
    }
    const pair = text.slice(pos, pos + 2)
    pos += LONG_SYMBOLS.includes(pair) ? 2 : 1
    tokens.push({ kind: 'symbol', start, end: pos, value: text.slice(start, pos) })
  }
  return { tokens, comments }
}
