import type { Location } from '../../model/index.js'
import { cleanBlock } from '../clean.js'
import { cutLeft, cutRight, displayWidth } from './layout.js'
import type { Palette } from './palette.js'

export interface FrameStyle {
  readonly palette: Palette
  readonly width: number
  /** What underlines the place: `^` where the finding stands, `-` elsewhere. */
  readonly mark: '^' | '-'
  readonly markColor: (text: string) => string
}

/** Draws the code at a place in a few lines with an underline; no lines where the text or the place is not there. */
export type FrameDrawer = (location: Location, style: FrameStyle) => string[]

/** A place of up to so many lines is shown whole; of a longer one, the first `HEAD_LINES`. */
const MAX_LINES = 5
const HEAD_LINES = 3
/** A longer line (minified, generated) is cut around the place before anything else looks at it. */
const LONG_LINE = 1000
const LEAD = 30

/** A drawer over the audited files; each file's text is split once. */
export function frameDrawer(sources: (file: string) => string | null): FrameDrawer {
  const files = new Map<string, readonly string[]>()
  const linesOf = (file: string): readonly string[] => {
    const known = files.get(file)
    if (known) return known
    const lines = sources(file)?.split(/\r?\n/) ?? []
    files.set(file, lines)
    return lines
  }
  return (location, style) => draw(linesOf(location.file), location, style)
}

/** One line as it will be shown: plain, clean, its indentation still there. */
interface ShownLine {
  readonly number: number
  readonly text: string
}

function draw(lines: readonly string[], location: Location, style: FrameStyle): string[] {
  const raw = lines[location.startLine - 1]
  if (raw === undefined || raw.trim() === '') return []
  const { text, start, end } = markedLine(raw, location)
  const marked = { number: location.startLine, text }
  const { before, after } = contextOf(lines, location)
  const shown = [...before, marked, ...after]

  const indents = shown.filter((line) => line.text.trim() !== '').map((line) => line.text.search(/\S/))
  const shared = Math.min(...indents)
  const gutter = String(shown.at(-1)?.number ?? 0).length
  const room = style.width - gutter - 3
  const from = displayWidth(text.slice(shared, start))
  const length = Math.max(1, displayWidth(text.slice(start, end)))
  // A place far to the right is moved into view; the "…" that stands for what was cut takes one column.
  const cut = from + Math.min(length, LEAD) > room ? from - LEAD : 0
  const column = cut > 0 ? LEAD + 1 : from

  const { faint } = style.palette
  const row = (label: string, content: string): string => `${faint(`${label.padStart(gutter)} │`)} ${content}`.trimEnd()
  return shown.flatMap((line) => {
    const body = line.text.slice(shared)
    if (line !== marked) return [row(String(line.number), faint(cutRight(body.trimEnd(), room)))]
    const underline = ' '.repeat(column) + style.markColor(style.mark.repeat(Math.min(length, room - column)))
    return [row(String(line.number), cutRight(cutLeft(body, cut).trimEnd(), room)), row('', underline)]
  })
}

/** The line of the place, with the place's start and end in it (indexes into the text shown). */
function markedLine(raw: string, location: Location): { text: string; start: number; end: number } {
  const from = Math.min(Math.max(location.startColumn - 1, 0), raw.length)
  const to = location.endLine > location.startLine ? raw.trimEnd().length : Math.min(location.endColumn - 1, raw.length)
  const offset = raw.length > LONG_LINE ? Math.max(0, from - 2 * LEAD) : 0
  const rest = Math.max(from, to)
  const head = cleanBlock(raw.slice(offset, from))
  const place = cleanBlock(raw.slice(from, Math.min(rest, from + LONG_LINE)))
  const tail = cleanBlock(raw.slice(rest, rest + LONG_LINE))
  const lead = offset > 0 ? '…' : ''
  const start = lead.length + head.length
  return { text: lead + head + place + tail, start, end: start + place.length }
}

/** A place of several lines shows how it goes on; one of a single line shows what leads to it. */
function contextOf(lines: readonly string[], location: Location): { before: ShownLine[]; after: ShownLine[] } {
  const shown = (number: number): ShownLine => ({
    number,
    text: cleanBlock((lines[number - 1] ?? '').slice(0, LONG_LINE)),
  })
  const whole = location.endLine - location.startLine < MAX_LINES
  const last = Math.min(whole ? location.endLine : location.startLine + HEAD_LINES - 1, lines.length)
  const after: ShownLine[] = []
  for (let number = location.startLine + 1; number <= last; number++) after.push(shown(number))
  while (after.at(-1)?.text.trim() === '') after.pop()
  if (after.length > 0) return { before: [], after }
  const lead = location.startLine > 1 ? shown(location.startLine - 1) : null
  return { before: lead === null || lead.text.trim() === '' ? [] : [lead], after: [] }
}
