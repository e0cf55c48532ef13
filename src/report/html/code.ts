import type { Location } from '../../model/index.js'
import { cleanBlock } from '../clean.js'
import { markup, type Markup } from './markup.js'

/** Shows the code at a place, the place itself marked; nothing where the text is not there. */
export type CodeFrame = (location: Location) => Markup | null

const MAX_LINES = 7
const LONG_LINE = 240
const LEAD = 60

/** Frames over the audited files; each file's text is split once. */
export function codeFrames(sources: (file: string) => string | null): CodeFrame {
  const files = new Map<string, readonly string[]>()
  return ({ file, startLine, startColumn, endLine, endColumn }) => {
    const lines = files.get(file) ?? sources(file)?.split(/\r?\n/) ?? []
    files.set(file, lines)
    const first = lines[startLine - 1]
    if (first === undefined || first.trim() === '') return null
    const last = Math.min(endLine, startLine + MAX_LINES - 1, lines.length)
    const from = startLine === endLine && (lines[startLine - 2] ?? '').trim() !== '' ? startLine - 1 : startLine
    const shown = Array.from({ length: last - from + 1 }, (_, index) => {
      const number = from + index
      const text = lines[number - 1] ?? ''
      const start = number === startLine ? startColumn - 1 : number > startLine ? text.search(/\S|$/) : text.length
      const end = number < startLine ? text.length : number === endLine ? endColumn - 1 : text.length
      return { number, ...cut(text, start, end) }
    })
    const indents = shown.filter((line) => line.before + line.marked + line.after !== '').map((line) => line.indent)
    const indent = Math.min(...indents)
    return markup`<pre class="code"><code>${shown.map(
      ({ number, before, marked, after }) =>
        markup`<span class="line" data-line="${number}">${clean(before.slice(indent))}${
          marked === '' ? null : markup`<mark>${clean(marked)}</mark>`
        }${clean(after)}
</span>`,
    )}</code></pre>`
  }
}

function clean(text: string): string {
  return cleanBlock(text)
}

/** A line in three parts; a long one (minified, generated) is cut around the place. */
function cut(
  text: string,
  start: number,
  end: number,
): { before: string; marked: string; after: string; indent: number } {
  const from = Math.max(0, Math.min(start, text.length))
  const to = Math.max(from, Math.min(end, text.length))
  const offset = text.length > LONG_LINE && from > LEAD ? from - LEAD : 0
  const limit = offset + LONG_LINE
  const before = text.slice(offset, from)
  const marked = text.slice(from, Math.min(to, limit))
  const after = text.slice(to, Math.max(to, limit)) + (text.length > Math.max(to, limit) || to > limit ? ' …' : '')
  return {
    before,
    marked,
    after: after.trimEnd(),
    indent: offset > 0 ? 0 : Math.min(text.search(/\S|$/), before.length),
  }
}
