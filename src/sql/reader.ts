import { tokenize, type Token } from './lexer.js'
import { slice, type SqlText } from './source.js'

/** A place where a parser cannot go on; caught where the statement starts. */
export class Stuck extends Error {}

/** A cursor over the lexemes of a text, for recursive descent. */
export interface Reader {
  readonly source: SqlText
  readonly tokens: readonly Token[]
  /** Index of the token at hand. */
  index: number
}

/** A reader over a text of PL/pgSQL; `#option` lines in front (docs 43.11.1) are left out. */
export function readerOf(source: SqlText): Reader {
  const options = /^(\s*#[^\n]*(\n|$))+/.exec(source.text)?.[0].length ?? 0
  return { source, tokens: tokenize(' '.repeat(options) + source.text.slice(options)), index: 0 }
}

export function tokenOf(reader: Reader): Token | undefined {
  return reader.tokens[reader.index]
}

/** Where the token at hand starts; the end of the text where there is none. */
export function startOf(reader: Reader): number {
  return tokenOf(reader)?.start ?? reader.source.text.length
}

/** The end of the last token taken. */
export function endOf(reader: Reader): number {
  return reader.tokens[reader.index - 1]?.end ?? 0
}

/** Is the token at hand (or one further on) this word or symbol? Quoted names are not words. */
export function is(reader: Reader, value: string, ahead = 0): boolean {
  const token = reader.tokens[reader.index + ahead]
  return token !== undefined && token.value === value && (token.kind === 'word' || token.kind === 'symbol')
}

export function isOneOf(reader: Reader, ...values: readonly string[]): boolean {
  return values.some((value) => is(reader, value))
}

/** Moves past the token if it is this one. */
export function take(reader: Reader, value: string): boolean {
  if (!is(reader, value)) return false
  reader.index++
  return true
}

/** Moves past this token. @throws Stuck where another stands */
export function expect(reader: Reader, value: string): void {
  if (!take(reader, value)) throw new Stuck(`${value} expected`)
}

/** Moves past a name and gives it, folded. @throws Stuck */
export function name(reader: Reader): string {
  const token = tokenOf(reader)
  if (token?.kind !== 'word' && token?.kind !== 'quoted') throw new Stuck('name expected')
  reader.index++
  return token.value
}

/** The text from `start` to the end of the last token taken. */
export function since(reader: Reader, start: number): SqlText {
  return slice(reader.source, start, Math.max(start, endOf(reader)))
}

/**
 * Moves on to the first of these tokens outside parentheses and CASE … END, and gives the text before it; the token stays.
 * @throws Stuck at a semicolon: it ends every statement, and so bounds what an unbalanced parenthesis can cost
 */
export function until(reader: Reader, ...ends: readonly string[]): SqlText {
  const start = startOf(reader)
  let depth = 0
  let cases = 0
  for (let token = tokenOf(reader); token; token = reader.tokens[++reader.index]) {
    const { kind, value } = token
    if (kind !== 'word' && kind !== 'symbol') continue
    // Parentheses and a CASE that do not close cost their own statement only.
    if (ends.includes(value) && ((depth === 0 && cases === 0) || value === ';')) return since(reader, start)
    if (value === ';') break
    if (value === '(' || value === '[') depth++
    else if (value === ')' || value === ']') depth--
    else if (value === 'case') cases++
    else if (value === 'end' && cases > 0) cases--
  }
  throw new Stuck(`${ends.join(' or ')} expected`)
}

/** Comma-separated texts up to one of `ends`, which stays. @throws Stuck */
export function list(reader: Reader, ...ends: readonly string[]): SqlText[] {
  const items: SqlText[] = []
  do items.push(until(reader, ',', ...ends))
  while (take(reader, ','))
  return items
}

/** Past the next semicolon: the way on from a statement that is not understood. */
export function skipStatement(reader: Reader): void {
  while (tokenOf(reader) && !is(reader, ';')) reader.index++
  reader.index++
}
