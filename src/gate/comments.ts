import type { Location } from '../model/index.js'

/** The word that a file must hold to be looked at. */
export const IGNORE_WORD = 'tick-audit-ignore'

/** A comment `tick-audit-ignore RULE, RULE: reason`, in TypeScript or SQL. */
export interface IgnoreComment {
  readonly location: Location
  /** As written, not checked; empty where none is named. */
  readonly rules: readonly string[]
  /** Empty where none is given. */
  readonly reason: string
  /** Lines (1-based) that it speaks of: its own, and, where it stands alone, the next line of code. */
  readonly lines: readonly number[]
}

/** What opens a comment, or a line within one: `//`, `--`, `/*`, ` *`. */
const DIRECTIVE = /(\/\/+|--+|\/\*+|^\s*\*+)\s*tick-audit-ignore(?![\w-])/g

/** A line that is nothing but a comment; the stacked comments above one line of code all speak of it. */
const COMMENT_ONLY = /^\s*(\/\/|--|\/\*|\*)/

/**
 * The ignore comments of a file, in order. The word has to open the comment, so that prose about it is not one. SQL inside
 * quotes (a routine's body, a job's command) has comments too; a TypeScript string has not.
 */
export function ignoreComments(file: string, text: string): readonly IgnoreComment[] {
  if (!text.includes(IGNORE_WORD)) return []
  const lines = text.split(/\r\n|\r|\n/)
  const isSql = /\.sql$/i.test(file)
  return lines.flatMap((line, index) => {
    if (!line.includes(IGNORE_WORD)) return []
    for (const match of line.matchAll(DIRECTIVE)) {
      const opener = match[1]!.trim()
      if (opener.startsWith('--') !== isSql && !/^\/?\*/.test(opener)) continue
      if (!isSql && inString(line, match.index)) continue
      return [commentAt(file, lines, index, match.index + match[0].search(/\S/), match.index + match[0].length, opener)]
    }
    return []
  })
}

function commentAt(
  file: string,
  lines: readonly string[],
  index: number,
  start: number,
  wordEnd: number,
  opener: string,
): IgnoreComment {
  const line = lines[index]!
  const isBlock = /^\/?\*/.test(opener)
  const close = isBlock ? line.indexOf('*/', wordEnd) : -1
  const end = close < 0 ? line.length : close + 2
  const said = line.slice(wordEnd, close < 0 ? line.length : close)
  const colon = said.indexOf(':')
  const named = (colon < 0 ? said : said.slice(0, colon)).split(/[\s,]+/).filter((name) => name !== '')
  const location = {
    file,
    startLine: index + 1,
    startColumn: start + 1,
    endLine: index + 1,
    endColumn: line.slice(0, end).trimEnd().length + 1,
  }
  const alone = line.slice(0, start).trim() === '' && line.slice(end).trim() === ''
  const next = alone ? nextCode(lines, index, isBlock && close < 0) : null
  return {
    location,
    rules: named,
    reason: colon < 0 ? '' : said.slice(colon + 1).trim(),
    lines: next === null ? [index + 1] : [index + 1, next],
  }
}

/** The line (1-based) below the comments that start at `index`; null where a blank line or the end comes first. */
function nextCode(lines: readonly string[], index: number, open: boolean): number | null {
  for (let at = index + 1; at < lines.length; at++) {
    const line = lines[at]!
    if (open) {
      if (line.includes('*/')) open = false
      continue
    }
    if (line.trim() === '') return null
    if (!COMMENT_ONLY.test(line)) return at + 1
    open = /^\s*\/\*/.test(line) && !line.includes('*/')
  }
  return null
}

/** Whether a quote that was opened on this line is still open at `end`. */
function inString(line: string, end: number): boolean {
  let quote: string | null = null
  for (let at = 0; at < end; at++) {
    const character = line[at]!
    if (character === '\\') at++
    else if (quote === null && (character === '"' || character === "'" || character === '`')) quote = character
    else if (character === quote) quote = null
  }
  return quote !== null
}
