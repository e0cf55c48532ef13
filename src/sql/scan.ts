/**
 * The lexical primitives of PostgreSQL (docs, 4.1): where a quote, a comment or a word ends.
 * All positions are UTF-16 offsets; every function is linear and never throws.
 */

/** Character classes of ASCII; everything above is a letter to PostgreSQL. */
export const OTHER = 0
export const SPACE = 1
export const LETTER = 2
export const DIGIT = 3

const CLASSES = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code)
  // Control bytes count as blanks: the parser gets blanks in their place.
  CLASSES[code] =
    code <= 32 || code === 127 ? SPACE : /[A-Za-z_]/.test(char) ? LETTER : /[0-9]/.test(char) ? DIGIT : OTHER
}

/** The class of a char code; a BOM is a blank. */
export function classOf(code: number): number {
  return code < 128 ? CLASSES[code]! : code === 0xfeff ? SPACE : LETTER
}

/** End of the word that starts at `pos` (letters, digits, `$`). */
export function endOfWord(text: string, pos: number): number {
  let end = pos + 1
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (classOf(code) < LETTER && code !== 36 /* $ */) break
  }
  return end
}

/** End of the '…' string whose quote stands at `pos`, or -1 where it never closes. `escapes`: an E'' string. */
export function endOfString(text: string, pos: number, escapes: boolean): number {
  let at = pos + 1
  for (;;) {
    const quote = text.indexOf("'", at)
    if (quote < 0) return -1
    if (escapes && oddBackslashes(text, quote, at)) at = quote + 1
    else if (text.charCodeAt(quote + 1) === 39 /* ' */) at = quote + 2
    else return quote + 1
  }
}

function oddBackslashes(text: string, quote: number, from: number): boolean {
  let count = 0
  while (quote - count - 1 >= from && text.charCodeAt(quote - count - 1) === 92 /* \ */) count++
  return count % 2 === 1
}

/** End of the "…" identifier whose quote stands at `pos`, or -1. */
export function endOfIdentifier(text: string, pos: number): number {
  let at = pos + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return -1
    if (text.charCodeAt(quote + 1) !== 34 /* " */) return quote + 1
    at = quote + 2
  }
}

/** The opening `$tag$` at `pos`, or null where the dollar opens no quote (`$1`, an operator). */
export function dollarTag(text: string, pos: number): string | null {
  let end = pos + 1
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === 36 /* $ */) return text.slice(pos, end + 1)
    const kind = classOf(code)
    if (kind !== LETTER && !(kind === DIGIT && end > pos + 1)) return null
  }
  return null
}

/** End of a block comment that opens at `pos` (they nest, docs 4.1.5), or -1. */
export function endOfComment(text: string, pos: number): number {
  const marks = /\/\*|\*\//g
  marks.lastIndex = pos
  let depth = 0
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    depth += mark[0] === '/*' ? 1 : -1
    if (depth === 0) return mark.index + 2
  }
  return -1
}

/** The offset of the line break that ends the line of `pos`, or the end of the text. */
export function endOfLine(text: string, pos: number): number {
  const end = text.indexOf('\n', pos)
  return end < 0 ? text.length : end
}
