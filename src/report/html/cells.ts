import type { Race } from '../race.js'

/** A rectangle of the picture: one row, or several that are alike. Seconds count from A's start. */
export interface Cell {
  readonly from: number
  readonly to: number
  /** Which of the rows in flight at once, from the top. */
  readonly row: number
  readonly rowsHigh: number
  /** once: one run works on it; twice: both do. What a run does not get to before it is ended is not drawn. */
  readonly state: 'once' | 'twice'
  /** The same for the same rows in both lanes. */
  readonly key: string
}

/** More would be too thin to see, on a phone above all. */
const MOST_ROWS_HIGH = 6
const MOST_CELLS = 60

/** Waves of rows that are alike: all finished before B starts, in flight at that moment, or waiting. */
interface Stretch {
  readonly first: number
  readonly waves: number
  readonly again: boolean
}

/**
 * The cells of both lanes, and whether each is a single row. Rows go in waves, `concurrency` of them at once; long
 * stretches are drawn in fewer cells.
 */
export function laneCells(race: Race): {
  readonly a: readonly Cell[]
  readonly b: readonly Cell[]
  readonly single: boolean
} {
  const rowsHigh = Math.min(race.concurrency, MOST_ROWS_HIGH)
  const waves = Math.ceil(race.rows / race.concurrency)
  const size = Math.ceil((waves * rowsHigh) / MOST_CELLS)
  const pieces = stretches(race, waves).flatMap((stretch) => piecesOf(stretch, size))
  const lane = (
    own: readonly Stretch[],
    start: number,
    end: number,
    state: (piece: Stretch) => Cell['state'],
  ): Cell[] => {
    const seconds = race.perRowSeconds
    const origin = own[0]?.first ?? 0
    return own.flatMap((piece) => {
      const from = start + (piece.first - origin) * seconds
      const to = Math.min(from + piece.waves * seconds, end)
      if (to - from <= 1e-9) return []
      return Array.from({ length: rowsHigh }, (_, row) => ({
        from,
        to,
        row,
        rowsHigh,
        state: state(piece),
        key: `${piece.first}-${row}`,
      }))
    })
  }
  const shared = pieces.filter((piece) => piece.again)
  const b = lane(shared, race.bStarts, race.bEnds, (piece) =>
    piece.first * race.perRowSeconds < race.aEnds - 1e-9 ? 'twice' : 'once',
  )
  const both = new Set(b.filter((cell) => cell.state === 'twice').map((cell) => cell.key))
  return {
    a: lane(pieces, 0, race.aEnds, (piece) => (both.has(`${piece.first}-0`) ? 'twice' : 'once')),
    b,
    single: rowsHigh === race.concurrency && pieces.every((piece) => piece.waves === 1),
  }
}

/** All rows alike where B picks every one of them, else the finished ones, the ones in flight and the ones that wait. */
function stretches(race: Race, waves: number): Stretch[] {
  if (race.again === race.rows) return [{ first: 0, waves, again: true }]
  const done = Math.min(waves, Math.floor(race.bStarts / race.perRowSeconds + 1e-9))
  const current = Math.min(1, waves - done)
  return [
    { first: 0, waves: done, again: false },
    { first: done, waves: current, again: race.again > race.waiting },
    { first: done + current, waves: waves - done - current, again: true },
  ].filter((stretch) => stretch.waves > 0)
}

/** A stretch in pieces of at most so many waves, all of about the same length. */
function piecesOf({ first, waves, again }: Stretch, size: number): Stretch[] {
  const pieces = Math.ceil(waves / size)
  return Array.from({ length: pieces }, (_, index) => {
    const start = Math.floor((index * waves) / pieces)
    return { first: first + start, waves: Math.floor(((index + 1) * waves) / pieces) - start, again }
  })
}
