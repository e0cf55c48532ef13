import {
  classOf,
  dollarTag,
  endOfComment,
  endOfIdentifier,
  endOfLine,
  endOfString,
  endOfWord,
  LETTER,
  SPACE,
} from './scan.js'
import { slice, type SqlText } from './source.js'

/** After this many quotes that never close, the rest of a text is one statement: looking on would be quadratic. */
const MAX_RECOVERIES = 20

/** Where a statement probably starts anew after a quote that never closes. */
const FRESH_START =
  /;[^\S\n]*(?:--[^\n]*)?\r?\n\s*(?=(?:create|alter|drop|select|insert|update|delete|do|grant|revoke|comment|set|begin|commit|with)\b)/gi

/**
 * Splits a text into its statements, without their semicolons; comments before a statement belong to none.
 * Agrees with PostgreSQL on valid input. Tolerant: psql's `\meta` lines and the data of `COPY … FROM stdin` are skipped, an
 * unbalanced parenthesis or an open quote costs its own statement, not the file. Linear; never throws.
 */
export function splitStatements(source: SqlText): SqlText[] {
  const { text } = source
  const statements: SqlText[] = []
  let start = -1
  let pos = 0
  let depth = 0
  let atomic = 0
  let words: string[] = []
  let recoveries = 0

  const finish = (end: number): void => {
    if (start >= 0) {
      let last = end
      while (last > start && classOf(text.charCodeAt(last - 1)) === SPACE) last--
      if (last > start) statements.push(slice(source, start, last))
    }
    start = -1
    depth = 0
    atomic = 0
    words = []
  }

  /** The end of a quote, or a place to go on from where it never closes. */
  const past = (end: number, from: number): number => {
    if (end >= 0) return end
    if (recoveries++ >= MAX_RECOVERIES) return text.length
    FRESH_START.lastIndex = from
    const fresh = FRESH_START.exec(text)
    // The semicolon itself is left to end the statement; parentheses opened before do not matter any more.
    depth = 0
    return fresh ? fresh.index : text.length
  }

  while (pos < text.length) {
    const code = text.charCodeAt(pos)
    const kind = classOf(code)
    if (kind === SPACE) {
      pos++
      continue
    }
    const next = text.charCodeAt(pos + 1)
    if (code === 45 /* - */ && next === 45) {
      pos = endOfLine(text, pos)
      continue
    }
    if (code === 47 /* / */ && next === 42 /* * */) {
      pos = past(endOfComment(text, pos), pos)
      continue
    }
    if (code === 59 /* ; */) {
      const inside = atomic > 0 || (depth > 0 && isRule(words))
      pos++
      if (inside) continue
      const copies = words[0] === 'copy' && words.includes('stdin')
      finish(pos - 1)
      if (copies) pos = endOfCopyData(text, pos)
      continue
    }
    if (code === 92 /* \ */) {
      finish(pos)
      pos = endOfLine(text, pos)
      continue
    }
    if (start < 0) start = pos
    if (kind === LETTER) {
      const end = endOfWord(text, pos)
      if (text.charCodeAt(end) === 39 /* ' */ && end - pos === 1 && (code === 69 || code === 101) /* E'' */) {
        pos = past(endOfString(text, end, true), end)
        continue
      }
      if (end - pos <= 12) {
        const word = text.slice(pos, end).toLowerCase()
        if (word === 'atomic' && words.at(-1) === 'begin' && words[0] === 'create') atomic = 1
        else if (atomic > 0 && word === 'case') atomic++
        else if (atomic > 0 && word === 'end') atomic--
        // The first words say what the statement is; the last one is needed for BEGIN ATOMIC.
        if (words.length < 12) words.push(word)
        else words[words.length - 1] = word
      }
      pos = end
    } else if (code === 39 /* ' */) pos = past(endOfString(text, pos, false), pos)
    else if (code === 34 /* " */) pos = past(endOfIdentifier(text, pos), pos)
    else if (code === 36 /* $ */) {
      const tag = dollarTag(text, pos)
      if (tag === null) pos++
      else {
        const close = text.indexOf(tag, pos + tag.length)
        pos = past(close < 0 ? -1 : close + tag.length, pos + tag.length)
      }
    } else {
      if (code === 40 /* ( */) depth++
      else if (code === 41 /* ) */ && depth > 0) depth--
      pos++
    }
  }
  finish(text.length)
  return statements
}

/** Only CREATE RULE holds semicolons in parentheses. */
function isRule(words: readonly string[]): boolean {
  return words[0] === 'create' && words.slice(1, 4).includes('rule')
}

/** The data of COPY … FROM stdin ends with a line `\.`. */
function endOfCopyData(text: string, pos: number): number {
  const end = /^\\\.[^\S\n]*$/gm
  end.lastIndex = pos
  const mark = end.exec(text)
  return mark ? mark.index + mark[0].length : text.length
}
