import { joinedText, type SqlText } from '../sql/index.js'
import {
  foreign,
  unite,
  type Foreign,
  type ForeignData,
  type Machine,
  type Site,
  type Taints,
  type Value,
} from '../typescript/index.js'
import { snakeCase } from './names.js'
import { offsetsOf } from './sql.js'

/** A piece of SQL with values of the program in it: sql`${crates.dueAt} <= now()` of drizzle and kysely. */
export interface Chunk {
  /** Text with `$1` … for the values; `offset`: where it stands in the file. */
  readonly pieces: readonly { readonly text: string; readonly offset: number }[]
  readonly values: readonly Value[]
  /** Columns that it names. */
  readonly columns: readonly string[]
  readonly taints: Taints
  readonly site: Site
}

export interface ChunkData extends ForeignData {
  readonly type: 'orm:sql'
  readonly chunk: Chunk
}

export const isChunk = (value: Value): value is Foreign & { data: ChunkData } =>
  value.kind === 'foreign' && value.data.type === 'orm:sql'

/** What an expression within a template stands for: another piece, a column, a table; null: a value. */
export type Named = (value: Value) => { readonly text: string; readonly columns: readonly string[] } | null

const NOW = /^\s*(now\(\)|current_timestamp|clock_timestamp\(\)|statement_timestamp\(\))\s*$/i

export function chunkOf(
  strings: readonly string[],
  values: readonly Value[],
  named: Named,
  machine: Machine,
  site: Site,
): Value {
  if (strings.length === 1 && NOW.test(strings[0]!)) return { kind: 'time', offset: 0 }
  const offsets = offsetsOf(site.node)
  const pieces: { text: string; offset: number }[] = []
  const params: Value[] = []
  const columns: string[] = []
  strings.forEach((text, index) => {
    const offset = offsets[index] ?? site.node.getStart()
    pieces.push({ text, offset })
    const value = values[index]
    if (value === undefined) return
    const at = offset + text.length
    const inner = isChunk(value) ? value.data.chunk : null
    const name = named(value)
    if (inner) {
      pieces.push({ text: shifted(inner, params.length), offset: at })
      params.push(...inner.values)
      columns.push(...inner.columns)
    } else if (name) {
      pieces.push({ text: name.text, offset: at })
      columns.push(...name.columns)
    } else if (value.kind === 'const' && typeof value.value === 'number') {
      pieces.push({ text: String(value.value), offset: at })
    } else {
      params.push(value)
      const list = value.kind === 'list' && /\bin\s*$/i.test(text)
      pieces.push({ text: list ? `($${params.length})` : `$${params.length}`, offset: at })
    }
  })
  const taints = unite([...params.map((value) => machine.taints(value)), ownTaints(strings.join(' '))])
  return chunkValue({ pieces, values: params, columns, taints, site })
}

export const chunkValue = (chunk: Chunk): Foreign => foreign({ type: 'orm:sql', chunk } as ChunkData)

/** A text that is made rather than written: `sql.raw('…')`, `eb('tries', '+', 1)`. */
export const plainChunk = (
  text: string,
  values: readonly Value[],
  columns: readonly string[],
  machine: Machine,
  site: Site,
): Foreign =>
  chunkValue({
    pieces: [{ text, offset: site.node.getStart() }],
    values,
    columns,
    taints: unite([...values.map((value) => machine.taints(value)), ownTaints(text)]),
    site,
  })

const ownTaints = (text: string): Taints =>
  /gen_random_uuid|uuid_generate|uuidv[47]/i.test(text) ? new Set(['fresh']) : new Set()

/** The text of a chunk whose values come after so many others. */
const shifted = (chunk: Chunk, by: number): string =>
  chunk.pieces
    .map((piece) => piece.text)
    .join('')
    .replace(/\$(\d+)/g, (_all, number) => `$${Number(number) + by}`)

/** As a text to parse; `snake`: the names of columns are written in camelCase. */
export function textOfChunk(chunk: Chunk, snake = false): SqlText {
  const pieces = snake
    ? chunk.pieces.map((piece) => ({ ...piece, text: piece.text.replace(/"\w+"/g, snakeCase) }))
    : chunk.pieces
  const file = { path: chunk.site.file, text: chunk.site.node.getSourceFile().text }
  return joinedText(file, pieces)
}

export const quoted = (name: string): string => `"${name.replace(/"/g, '""')}"`
