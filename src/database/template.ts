import { known, toParts } from './contents.js'
import { NULL, type Part, run, sliceRun, template, text, type TextValue, UNKNOWN, type Value } from './value.js'

/** The parts of a template with `change` applied to every known run; holes stay. */
const mapRuns = (value: Value, change: (content: string) => string): TextValue =>
  template(
    toParts(value).map((part) => {
      if (part.kind !== 'run') return part
      const changed = change(part.text)
      return changed === part.text ? part : run(changed)
    }),
  )

export const upper = (value: Value): TextValue => mapRuns(value, (content) => content.toUpperCase())
export const lower = (value: Value): TextValue => mapRuns(value, (content) => content.toLowerCase())

export const concat = (values: readonly Value[]): TextValue => template(values.flatMap(toParts))

/** replace(): only within known runs; what a hole holds is not known anyway. */
export function replace(value: Value, from: string, to: Value): TextValue {
  if (from === '') return template(toParts(value))
  const substitute = toParts(to)
  const parts: Part[] = []
  for (const part of toParts(value)) {
    if (part.kind !== 'run') {
      parts.push(part)
      continue
    }
    let at = 0
    for (let hit = part.text.indexOf(from); hit >= 0; hit = part.text.indexOf(from, at)) {
      parts.push(sliceRun(part, at, hit), ...substitute)
      at = hit + from.length
    }
    parts.push(at === 0 ? part : sliceRun(part, at))
  }
  return template(parts)
}

/** Drops characters of `set` from the ends; a hole stops it. */
export function trim(value: Value, set: string, sides: 'left' | 'right' | 'both'): TextValue {
  let parts = [...toParts(value)]
  if (sides !== 'right') {
    while (parts[0]?.kind === 'run') {
      const first = parts[0]
      const start = [...first.text].findIndex((char) => !set.includes(char))
      if (start >= 0) {
        parts[0] = sliceRun(first, start)
        break
      }
      parts = parts.slice(1)
    }
  }
  if (sides !== 'left') {
    for (let last = parts.at(-1); last?.kind === 'run'; last = parts.at(-1)) {
      let end = last.text.length
      while (end > 0 && set.includes(last.text[end - 1]!)) end--
      parts.pop()
      if (end > 0) {
        parts.push(sliceRun(last, 0, end))
        break
      }
    }
  }
  return template(parts)
}

/** quote_literal(): the holes stand within the quotes. */
export const quoteLiteral = (value: Value): TextValue => template([run("'"), ...doubled(toParts(value), "'"), run("'")])

/** quote_ident(): quotes only where needed (PostgreSQL docs 9.4). */
export function quoteIdent(value: Value): TextValue {
  const content = known(value)
  if (content !== null && /^[a-z_][a-z0-9_]*$/.test(content)) return text(content)
  return template([run('"'), ...doubled(toParts(value), '"'), run('"')])
}

/** Doubles every `quote` in the runs; what stands between keeps its place. */
function doubled(parts: readonly Part[], quote: string): Part[] {
  return parts.flatMap((part) => {
    if (part.kind !== 'run' || !part.text.includes(quote)) return [part]
    const pieces: Part[] = []
    let at = 0
    for (let hit = part.text.indexOf(quote); hit >= 0; hit = part.text.indexOf(quote, at)) {
      pieces.push(sliceRun(part, at, hit + 1), run(quote))
      at = hit + 1
    }
    return [...pieces, sliceRun(part, at)]
  })
}

const SPECIFIER = /%(?:(\d+)\$)?-?(?:\d+|\*)?([sIL%])/g

/** format() (PostgreSQL docs 9.4.1): %s, %I, %L, %%, positions; widths do not matter here. */
export function format(value: Value, args: readonly Value[]): Value {
  if (value.kind === 'null') return NULL
  const parts: Part[] = []
  let next = 0
  for (const part of toParts(value)) {
    if (part.kind !== 'run') {
      parts.push(part)
      continue
    }
    let at = 0
    for (const match of part.text.matchAll(SPECIFIER)) {
      parts.push(sliceRun(part, at, match.index))
      at = match.index + match[0].length
      if (match[2] === '%') {
        parts.push(run('%'))
        continue
      }
      if (match[1] !== undefined) next = Number(match[1]) - 1
      const arg = args[next++] ?? UNKNOWN
      if (match[2] === 's') parts.push(...toParts(arg))
      else if (match[2] === 'I') parts.push(...quoteIdent(arg).parts)
      else if (arg.kind === 'null') parts.push(run('NULL'))
      else parts.push(...quoteLiteral(arg).parts)
    }
    parts.push(at === 0 ? part : sliceRun(part, at))
  }
  return template(parts)
}
