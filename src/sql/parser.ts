import type { Node, ParseResult } from '@pgsql/types'
import { setFlagsFromString } from 'node:v8'
import type { Location } from '../model/index.js'
import { commentsOf, tokenize } from './lexer.js'
import { locate, type SqlText } from './source.js'
import { splitStatements } from './split.js'

/** A statement and its tree. Every location in the tree is a UTF-16 offset into `source.text`. */
export interface Statement {
  readonly ok: true
  readonly source: SqlText
  readonly tree: Node
}

/** A statement that PostgreSQL's own parser refuses, or that is too big for it. */
export interface ParseFailure {
  readonly ok: false
  readonly source: SqlText
  readonly message: string
  readonly location: Location
}

export type Parsed = Statement | ParseFailure

/** Longer statements are data, not code; the parser would take seconds and hundreds of megabytes. */
const MAX_STATEMENT = 2_000_000

/**
 * Each time that the parser runs out of stack it leaves some of its own stack behind; after some two dozen it overwrites its
 * own memory and gives wrong trees (measured, libpg-query 18.1.5). After so many, what may be as deep is not parsed.
 */
const MOST_OVERFLOWS = 8
let overflows = 0
let shortestOverflow = Number.POSITIVE_INFINITY

let parseSync: ((query: string) => ParseResult) | null = null

/**
 * Loads PostgreSQL's parser (libpg_query 18 as WebAssembly); the other functions of this file need it.
 * Nothing is loaded before the first call.
 */
export async function loadParser(): Promise<void> {
  if (parseSync) return
  // Optimising the grammar's one huge function costs more than it gains; node waits for it at exit (measured).
  setFlagsFromString('--liftoff-only')
  const module = await import('libpg-query')
  await module.loadModule()
  parseSync = module.parseSync
}

const parsed = new WeakMap<SqlText, Parsed>()

/** The statements of a text, each with its tree or the reason why it has none. */
export function parseStatements(source: SqlText): Parsed[] {
  return splitStatements(source).map(parseStatement)
}

/**
 * Parses one statement (a piece that `splitStatements` made); a second call gives the same tree.
 * Throws only if `loadParser` was not awaited.
 */
export function parseStatement(source: SqlText): Parsed {
  const known = parsed.get(source)
  if (known) return known
  const result = parseAnew(source)
  parsed.set(source, result)
  return result
}

function parseAnew(source: SqlText): Parsed {
  if (!parseSync) throw new Error('loadParser() has not been awaited')
  const failure = (message: string, offset: number): ParseFailure => ({
    ok: false,
    source,
    message,
    location: locate(source, offset),
  })
  if (source.text.length > MAX_STATEMENT) return failure('the statement is too long to be parsed', 0)
  const text = cleaned(source.text)
  let result = attempt(parseSync, text)
  if (!result.ok) {
    const substituted = withoutPlaceholders(text)
    if (substituted !== text) {
      const second = attempt(parseSync, substituted)
      if (second.ok) result = second
    }
  }
  if (!result.ok) return failure(result.message, result.offset)
  const tree = result.tree
  // eslint-disable-next-line no-control-regex
  if (tree && !/^[\x00-\x7f]*$/.test(text)) toUtf16(tree, offsetTable(text))
  return tree ? { ok: true, source, tree } : failure('the statement is empty', 0)
}

type Attempt =
  | { readonly ok: true; readonly tree: Node | undefined }
  | { readonly ok: false; readonly message: string; readonly offset: number }

function attempt(parse: (query: string) => ParseResult, text: string): Attempt {
  if (text.trim() === '') return { ok: true, tree: undefined }
  if (overflows >= MOST_OVERFLOWS && text.length >= shortestOverflow / 2)
    return { ok: false, message: 'not parsed: it is long, and too many statements were nested too deeply', offset: 0 }
  try {
    return { ok: true, tree: parse(text).stmts?.[0]?.stmt }
  } catch (error) {
    if (error instanceof RangeError) {
      overflows++
      shortestOverflow = Math.min(shortestOverflow, text.length)
      return { ok: false, message: 'the statement is nested too deeply', offset: 0 }
    }
    const details = (error as { sqlDetails?: { cursorPosition?: number } }).sqlDetails
    // Error positions count code points (measured), not bytes.
    const offset = codePointOffset(text, details?.cursorPosition ?? 0)
    return { ok: false, message: error instanceof Error ? error.message : String(error), offset }
  }
}

/** What the parser cannot take, as blanks of the same length. NUL would silently cut the text; nested comments are quadratic. */
function cleaned(text: string): string {
  // eslint-disable-next-line no-control-regex
  let clean = text.replace(/[\x00-\x08\x0e-\x1f\x7f\ufeff]/g, ' ')
  clean = clean.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '?')
  if (!clean.includes('/*')) return clean
  let result = ''
  let from = 0
  for (const { start, end } of commentsOf(clean)) {
    result += clean.slice(from, start) + clean.slice(start, end).replace(/[^\n]/g, ' ')
    from = end
  }
  return result + clean.slice(from)
}

/**
 * psql variables (`:'name'`, `:name`) and unquoted `{{PLACEHOLDERS}}` become parameters of the same length: values that are
 * not known, which is what they are. Inside quotes they are text and stay.
 */
function withoutPlaceholders(text: string): string {
  if (!/\{\{|:['"A-Za-z_]/.test(text)) return text
  const tokens = tokenize(text)
  let result = ''
  let from = 0
  const replace = (start: number, end: number): void => {
    if (start < from || end - start < 2) return
    result += text.slice(from, start) + '$1'.padEnd(end - start)
    from = end
  }
  tokens.forEach((token, index) => {
    const following = tokens[index + 1]
    if (token.kind !== 'symbol' || !following || following.start !== token.end) return
    if (token.value === ':' && ['word', 'string', 'quoted'].includes(following.kind))
      replace(token.start, following.end)
    if (token.value === '{' && following.value === '{') {
      const close = text.indexOf('}}', token.end)
      if (close >= 0 && close - token.start < 200) replace(token.start, close + 2)
    }
  })
  return result + text.slice(from)
}

/** UTF-16 offset of each UTF-8 byte offset of a text. */
function offsetTable(text: string): Int32Array {
  const table = new Int32Array(Buffer.byteLength(text) + 1)
  let byte = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at)!
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    for (let each = 0; each < bytes; each++) table[byte++] = at
    if (bytes === 4) at++
  }
  table[byte] = text.length
  return table
}

/** Rewrites every location of a tree from bytes to UTF-16 units. Iterative: trees can be deep. */
function toUtf16(tree: object, table: Int32Array): void {
  const waiting: object[] = [tree]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const fields = node as Record<string, unknown>
    for (const key in fields) {
      const value = fields[key]
      if (typeof value === 'object' && value !== null) waiting.push(value)
      else if (typeof value === 'number' && value > 0 && POSITIONS.has(key)) fields[key] = table[value] ?? value
    }
  }
}

const POSITIONS = new Set(['location', 'name_location', 'list_start', 'list_end', 'rexpr_list_start', 'rexpr_list_end'])

function codePointOffset(text: string, position: number): number {
  let offset = 0
  for (let count = 0; count < position && offset < text.length; count++) {
    offset += text.codePointAt(offset)! > 0xffff ? 2 : 1
  }
  return offset
}

/** The first words of a statement in lower case, without parsing it: to skip what cannot matter. */
export function firstWords(source: SqlText, count: number): string[] {
  const tokens = tokenize(source.text.slice(0, 400))
  return tokens.slice(0, count).map((token) => token.value)
}
