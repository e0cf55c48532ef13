import { computedText, joinedText, slice, type SqlText } from '../sql/index.js'
import type { SourceFile } from '../sql/index.js'
import type { Location } from '../model/index.js'
import type { Machine } from './machine.js'
import { parseJson, toParts } from './contents.js'
import {
  fingerprint,
  type Part,
  template,
  type TextValue,
  type Unknown,
  UNKNOWN,
  type Value,
  object,
  list,
} from './value.js'

/**
 * Templates become text that can be parsed, and come back as templates: a hole is written as its number between two characters
 * of Unicode's private area, which PostgreSQL takes for letters. So it may stand in a string as well as where a value stands.
 */
const MARKER = /\ue000(\d+)\ue001/g

/** The text of a template, to be parsed and run; `location` is where it is made. */
export function runnable(machine: Machine, value: Value, location: Location): SqlText {
  const pieces: Piece[] = toParts(value).flatMap((part) =>
    part.kind === 'run'
      ? part.from
        ? piecesOf(part.from)
        : [{ text: part.text, file: null, offset: 0 }]
      : [holeOf(machine, part)],
  )
  const file = mainFile(pieces)
  if (!file) return computedText(pieces.map((piece) => piece.text).join(''), location)
  // What stands nowhere in that file gets the place of what stands before it (or after it).
  let at = pieces.find((piece) => piece.file === file)!.offset
  const placed = pieces.map((piece) => {
    if (piece.file !== file) return { text: piece.text, offset: at }
    at = piece.offset + piece.text.length
    return { text: piece.text, offset: piece.offset }
  })
  return joinedText(file, placed)
}

interface Piece {
  readonly text: string
  readonly file: SourceFile | null
  readonly offset: number
}

function holeOf(machine: Machine, hole: Unknown): Piece {
  const key = fingerprint(hole)
  let index = machine.holes.findIndex((each) => fingerprint(each) === key)
  if (index < 0) index = machine.holes.push(hole) - 1
  return { text: `\ue000${index}\ue001`, file: null, offset: 0 }
}

/** The stretches of a text that stand in one piece in their file. */
function piecesOf(source: SqlText): Piece[] {
  const { place, text } = source
  if (place.kind === 'computed') return [{ text, file: null, offset: 0 }]
  const { runs, base, file } = place
  const pieces: Piece[] = []
  let index = runs.length - 1
  while (index > 0 && runs[index]!.at > base) index--
  for (; index < runs.length && runs[index]!.at < base + text.length; index++) {
    const from = Math.max(0, runs[index]!.at - base)
    const to = Math.min(text.length, (runs[index + 1]?.at ?? Infinity) - base)
    if (to > from)
      pieces.push({ text: text.slice(from, to), file, offset: runs[index]!.to + base + from - runs[index]!.at })
  }
  return pieces
}

/** The file that most of the text stands in. */
function mainFile(pieces: readonly Piece[]): SourceFile | null {
  const lengths = new Map<SourceFile, number>()
  for (const { file, text } of pieces) if (file) lengths.set(file, (lengths.get(file) ?? 0) + text.length)
  return [...lengths].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}

/** A text that stands in SQL as a value: its markers are holes again. */
export function fromSource(machine: Machine, source: SqlText): TextValue {
  const { text } = source
  const parts: Part[] = []
  let at = 0
  const push = (end: number): void => {
    if (end > at) parts.push({ kind: 'run', text: text.slice(at, end), from: slice(source, at, end) })
  }
  for (const match of text.matchAll(MARKER)) {
    push(match.index)
    parts.push(machine.holes[Number(match[1])] ?? UNKNOWN)
    at = match.index + match[0].length
  }
  push(text.length)
  return template(parts)
}

/** The hole that an identifier of the text stands for. */
export function holeNamed(machine: Machine, name: string): Unknown | null {
  const match = /\ue000(\d+)\ue001/.exec(name)
  return match ? (machine.holes[Number(match[1])] ?? UNKNOWN) : null
}

/** A template cast to json; UNKNOWN where its text is none (a hole outside of strings). */
export function asJson(machine: Machine, value: Value): Value {
  if (value.kind !== 'text') return value
  const source = toParts(value)
    .map((part) => (part.kind === 'run' ? part.text : holeOf(machine, part).text))
    .join('')
  const json = parseJson(source) ?? parseJson(source.replace(/(?<=[:[,]\s*)(\ue000\d+\ue001)(?=\s*[,}\]])/g, '"$1"'))
  return json === null ? UNKNOWN : withHoles(machine, json)
}

function withHoles(machine: Machine, value: Value): Value {
  switch (value.kind) {
    case 'text': {
      const found = fromSource(
        machine,
        computedText(
          toParts(value)
            .map((part) => (part.kind === 'run' ? part.text : ''))
            .join(''),
          NOWHERE,
        ),
      )
      const only = found.parts.length === 1 ? found.parts[0]! : null
      return only?.kind === 'unknown'
        ? only
        : template(found.parts.map((part) => (part.kind === 'run' ? { ...part, from: null } : part)))
    }
    case 'list':
      return list(value.items.map((item) => withHoles(machine, item)))
    case 'object':
      return object(new Map([...value.fields].map(([name, each]) => [name, withHoles(machine, each)])))
    default:
      return value
  }
}

const NOWHERE: Location = { file: '', startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 }
