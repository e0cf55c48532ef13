import type { Location } from '../model/index.js'
import { dollarTag, endOfString } from './scan.js'

/** A file whose text SQL stands in: a migration, or a TypeScript file with SQL in a template. */
export interface SourceFile {
  /** POSIX path, relative to the folder that holds the `supabase` folder. */
  readonly path: string
  readonly text: string
  /** Offsets at which lines start; made on first use. */
  lineStarts?: number[]
}

/** From `at` on, the text is what stands in the file from `to` on. */
export interface Run {
  readonly at: number
  readonly to: number
}

/**
 * A piece of SQL together with where it came from.
 * - mapped: each offset of it stands somewhere in the file, at every depth of quoting; `base` is added to an offset before
 *   `runs` are asked, so that slices share them
 * - computed: made at run time (format(), ||); everything in it stands at the expression that made it
 */
export interface SqlText {
  readonly text: string
  readonly place:
    | { readonly kind: 'mapped'; readonly file: SourceFile; readonly base: number; readonly runs: readonly Run[] }
    | { readonly kind: 'computed'; readonly location: Location }
}

const START: readonly Run[] = [{ at: 0, to: 0 }]

/** The whole text of a file. */
export function fileText(path: string, text: string): SqlText {
  return { text, place: { kind: 'mapped', file: { path, text }, base: 0, runs: START } }
}

/** A text that was computed at run time by the expression at `location`. */
export function computedText(text: string, location: Location): SqlText {
  return { text, place: { kind: 'computed', location } }
}

/**
 * A text put together from pieces that stand in a file, as in a TypeScript template: each piece says where in the file it
 * stands (UTF-16 offset). What stands in for an expression (`$1`) gets the offset of that expression.
 */
export function joinedText(
  file: SourceFile,
  pieces: readonly { readonly text: string; readonly offset: number }[],
): SqlText {
  const runs: Run[] = []
  let at = 0
  for (const piece of pieces) {
    if (piece.text === '') continue
    runs.push({ at, to: piece.offset })
    at += piece.text.length
  }
  const text = pieces.map((piece) => piece.text).join('')
  return { text, place: { kind: 'mapped', file, base: 0, runs: runs.length > 0 ? runs : START } }
}

/** The part of a text from `start` to `end` (exclusive). */
export function slice(source: SqlText, start: number, end: number): SqlText {
  const { place } = source
  const text = source.text.slice(start, end)
  return { text, place: place.kind === 'mapped' ? { ...place, base: place.base + start } : place }
}

/** The same text with some parts overwritten by others of the same length (blanks, a keyword): offsets stay. */
export function overwritten(source: SqlText, text: string): SqlText {
  return { text, place: source.place }
}

/** A text with something in front that stands nowhere in the file (`SELECT ` before an expression). */
export function prefixed(prefix: string, source: SqlText): SqlText {
  const { place } = source
  const text = prefix + source.text
  return { text, place: place.kind === 'mapped' ? { ...place, base: place.base - prefix.length } : place }
}

/** Where the part from `start` to `end` (exclusive; default: one character) stands. */
export function locate(source: SqlText, start: number, end: number = start + 1): Location {
  const { place } = source
  if (place.kind === 'computed') return place.location
  const from = fileOffset(place.runs, Math.max(0, start) + place.base)
  // The end belongs to the last character of the part: what follows it may stand elsewhere.
  const to = Math.max(from, fileOffset(place.runs, Math.max(start, end - 1) + place.base) + (end > start ? 1 : 0))
  return fileLocation(place.file, from, to)
}

/** Where a whole text stands. */
export function locateAll(source: SqlText): Location {
  return locate(source, 0, source.text.length)
}

/** The location of a span of a file, by UTF-16 offsets. */
export function fileLocation(file: SourceFile, start: number, end: number): Location {
  const from = lineAndColumn(file, start)
  const to = lineAndColumn(file, end)
  return { file: file.path, startLine: from.line, startColumn: from.column, endLine: to.line, endColumn: to.column }
}

function lineAndColumn(file: SourceFile, offset: number): { line: number; column: number } {
  file.lineStarts ??= lineStartsOf(file.text)
  const clamped = Math.min(Math.max(offset, 0), file.text.length)
  const line = lastAtMost(file.lineStarts.length, (index) => file.lineStarts![index]!, clamped)
  return { line: line + 1, column: Math.max(1, clamped - file.lineStarts[line]! + 1) }
}

function lineStartsOf(text: string): number[] {
  // A byte order mark is no column to an editor.
  const starts = [text.charCodeAt(0) === 0xfeff ? 1 : 0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function fileOffset(runs: readonly Run[], offset: number): number {
  const run = runs[lastAtMost(runs.length, (index) => runs[index]!.at, offset)]!
  return run.to + offset - run.at
}

/** The last index whose value is at most `wanted` (0 where none is). */
function lastAtMost(length: number, valueAt: (index: number) => number, wanted: number): number {
  let low = 0
  let high = length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (valueAt(middle) <= wanted) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * The content of the string literal that starts at `offset` ('…', E'…', N'…', $tag$…$tag$, and '…' continued on the next
 * line: PostgreSQL docs 4.1.2), every character mapped to where it stands; null where no such literal stands there.
 */
export function literalText(
  source: SqlText,
  offset: number,
): { readonly content: SqlText; readonly end: number } | null {
  const { text } = source
  if (text[offset] === '$') {
    const tag = dollarTag(text, offset)
    if (tag === null) return null
    const close = text.indexOf(tag, offset + tag.length)
    const end = close < 0 ? text.length : close
    return { content: slice(source, offset + tag.length, end), end: end + (close < 0 ? 0 : tag.length) }
  }
  const prefix = /^[enEN]?(?=')/.exec(text.slice(offset, offset + 2))
  if (!prefix) return null
  const escapes = prefix[0].toLowerCase() === 'e'
  const parts: { text: string; offset: number }[] = []
  let quote = offset + prefix[0].length
  let end: number
  for (;;) {
    const close = endOfString(text, quote, escapes)
    end = close < 0 ? text.length : close
    unescape(text, quote + 1, close < 0 ? end : end - 1, escapes, parts)
    const more = /^[ \t\f\r]*\n\s*(?=')/.exec(text.slice(end, end + 500))
    if (!more || close < 0) break
    quote = end + more[0].length
  }
  return { content: remapped(source, parts), end }
}

const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([^]))/y
const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

function unescape(
  text: string,
  start: number,
  end: number,
  escapes: boolean,
  parts: { text: string; offset: number }[],
): void {
  const special = escapes ? /['\\]/g : /'/g
  let from = start
  special.lastIndex = start
  for (let hit = special.exec(text); hit && hit.index < end; hit = special.exec(text)) {
    parts.push({ text: text.slice(from, hit.index), offset: from })
    if (hit[0] === "'") {
      parts.push({ text: "'", offset: hit.index })
      from = hit.index + 2
    } else {
      ESCAPE.lastIndex = hit.index
      const escape = ESCAPE.exec(text)
      if (!escape) break
      const [whole, octal, hex, short, long, other] = escape
      const code = octal ? parseInt(octal, 8) : parseInt(hex ?? short ?? long ?? '0', 16)
      parts.push({
        text: other === undefined ? String.fromCodePoint(Math.min(code, 0x10ffff)) : (LETTERS[other] ?? other),
        offset: hit.index,
      })
      from = hit.index + whole.length
    }
    special.lastIndex = from
  }
  if (from < end) parts.push({ text: text.slice(from, end), offset: from })
}

function remapped(source: SqlText, parts: readonly { text: string; offset: number }[]): SqlText {
  const { place } = source
  if (place.kind === 'computed') return { text: parts.map((part) => part.text).join(''), place }
  const whole = parts.filter((part) => part.text !== '')
  if (whole.length === 0) return { text: '', place: { ...place, base: place.base + (parts[0]?.offset ?? 0) } }
  if (whole.length === 1) return { text: whole[0]!.text, place: { ...place, base: place.base + whole[0]!.offset } }
  const runs: Run[] = []
  let at = 0
  for (const part of whole) {
    pushRuns(place.runs, part.offset + place.base, part.text.length, at, runs)
    at += part.text.length
  }
  return { text: whole.map((part) => part.text).join(''), place: { kind: 'mapped', file: place.file, base: 0, runs } }
}

/** The runs of the outer text that cover a part of it, as runs of the inner text from `at` on. */
function pushRuns(outer: readonly Run[], start: number, length: number, at: number, into: Run[]): void {
  let index = lastAtMost(outer.length, (each) => outer[each]!.at, start)
  into.push({ at, to: outer[index]!.to + start - outer[index]!.at })
  for (index++; index < outer.length && outer[index]!.at < start + length; index++) {
    into.push({ at: at + outer[index]!.at - start, to: outer[index]!.to })
  }
}
