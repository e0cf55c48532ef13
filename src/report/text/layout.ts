/** The text report never uses more columns than this, however wide the terminal is; lines of prose get hard to read. */
export const MAX_WIDTH = 100
const MIN_WIDTH = 50

/** The columns to write in, for a terminal of `columns`. */
export function widthFor(columns: number): number {
  return Number.isFinite(columns) && columns > 0
    ? Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.floor(columns)))
    : MAX_WIDTH
}

const ZERO_WIDTH = /^[\p{Mn}\p{Me}]$/u
// Unicode TR11, the blocks in which nearly every character is wide.
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]$/u

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x300) return 1
  if (ZERO_WIDTH.test(character)) return 0
  return WIDE.test(character) || (code >= 0x20000 && code <= 0x3fffd) ? 2 : 1
}

/** Columns that plain text (no colours) takes in a terminal. */
export function displayWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

/** Plain text in at most `width` columns; what is cut off becomes one "…". */
export function cutRight(text: string, width: number): string {
  let used = 0
  let kept = ''
  for (const character of text) {
    const next = used + characterWidth(character)
    if (next > width) return `${dropToFit(kept, width - 1)}…`
    kept += character
    used = next
  }
  return text
}

function dropToFit(text: string, width: number): string {
  const characters = [...text]
  while (characters.length > 0 && displayWidth(characters.join('')) > width) characters.pop()
  return characters.join('')
}

/** Plain text without its first `columns` columns, which become one "…". */
export function cutLeft(text: string, columns: number): string {
  if (columns <= 0) return text
  let used = 0
  let index = 0
  for (const character of text) {
    if (used >= columns) break
    used += characterWidth(character)
    index += character.length
  }
  return `…${text.slice(index)}`
}

export function padRight(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** Breaks prose at spaces into lines of at most `width` columns; a longer word is broken where it must be. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (displayWidth(joined) <= width) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = breakWord(word, width)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ''
  }
  return line === '' ? lines : [...lines, line]
}

function breakWord(word: string, width: number): string[] {
  const pieces = ['']
  let used = 0
  for (const character of word) {
    used += characterWidth(character)
    if (used > width) {
      pieces.push('')
      used = characterWidth(character)
    }
    pieces[pieces.length - 1] += character
  }
  return pieces
}

/** Wraps prose behind a first prefix (a number, a label); the lines that follow are indented as far. */
export function wrapBehind(prefix: string, text: string, width: number): string[] {
  const margin = displayWidth(prefix)
  const lines = wrap(text, Math.max(20, width - margin))
  return (lines.length === 0 ? [''] : lines).map((line, index) =>
    `${index === 0 ? prefix : ' '.repeat(margin)}${line}`.trimEnd(),
  )
}

export function indent(lines: readonly string[], columns: number): string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(columns) + line))
}
