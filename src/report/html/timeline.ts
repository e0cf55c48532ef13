import type { Finding } from '../../model/index.js'
import { durationInWords } from '../duration.js'
import { raceStory, type Race } from '../race.js'
import { count } from '../words.js'
import { laneCells, type Cell } from './cells.js'
import { markup, prose, type Markup } from './markup.js'

/**
 * The picture of a race: two lanes over one time axis, in each the rows in the order of work, the ones that both runs work
 * on marked and joined. Positions are percentages and letters keep their size, so that one picture fits a phone and a
 * desk. The sentences below it tell the same and are its text alternative.
 */
export function timeline(race: Race, finding: Finding, id: string): Markup {
  const total = Math.max(race.aEnds, race.bEnds)
  const x = (seconds: number): string => `${Math.round((seconds / total) * 1e4) / 100}%`
  const { a, b, single } = laneCells(race)
  const story = raceStory(race, finding)
  return markup`<figure class="race">
<svg class="timeline" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-story" height="${HEIGHT}">
<title id="${id}-title">Two runs over ${durationInWords(total)}: ${race.twice} of ${count(race.rows, 'row')} worked on by both</title>
${links(a, b, x)}
${moment(race, x)}
${caption('A', `picks ${count(race.rows, 'row')}`, 0, LANE_A - 8)}
${a.map((each) => cell(each, LANE_A, x))}
${caption('B', `picks ${race.again} again`, race.bStarts / total, LANE_B - 8)}
${b.map((each) => cell(each, LANE_B, x))}
${axis(finding.overlap?.intervalSeconds ?? null, total, x)}
</svg>
<figcaption>
<ul class="legend">
${[...a, ...b].some((each) => each.state === 'once') ? legend('once', 'worked on by one run') : null}
${legend('twice', 'worked on by both: made twice')}
<li><svg class="swatch" aria-hidden="true" width="14" height="14"><circle class="tick" cx="7" cy="7" r="4"/></svg>the tick fires</li>
<li>${single ? 'a box is a row' : 'a box is one or more rows'}</li>
</ul>
<ol class="story" id="${id}-story">
${story.map((sentence) => markup`<li>${prose(sentence)}</li>\n`)}</ol>
<p class="basis">Drawn from the ${race.basis === 'worst' ? 'worst case' : 'typical case'} of the finding’s own numbers: ${durationInWords(
    race.perRowSeconds,
  )} a row, ${race.concurrency} at a time.</p>
</figcaption>
</figure>`
}

const LANE = 30
const LANE_A = 44
const LANE_B = 128
const AXIS = 176
const HEIGHT = 202

type Position = (seconds: number) => string

/** A caption above its lane; it starts where the lane does, or ends there where there is no room to the right. */
function caption(run: string, text: string, share: number, y: number): Markup {
  const anchor = share > 0.5 ? 'end' : 'start'
  return markup`<text class="caption" x="${Math.round(share * 1e4) / 100}%" y="${y}" dx="${anchor === 'end' ? -6 : share > 0 ? 6 : 0}" text-anchor="${anchor}"><tspan class="run">${run}</tspan> ${text}</text>`
}

function cell({ from, to, row, rowsHigh, state }: Cell, y: number, x: Position): Markup {
  const height = LANE / rowsHigh
  const round = (value: number): number => Math.round(value * 100) / 100
  return markup`<rect class="cell ${state}" x="${x(from)}" width="${x(to - from)}" y="${round(y + row * height)}" height="${round(height)}"/>\n`
}

/** More lines than this are a grey field. */
const MOST_LINKS = 24

/** From a row in A's lane to the same row in B's; of many rows, some. */
function links(a: readonly Cell[], b: readonly Cell[], x: Position): Markup {
  const middle = ({ from, to }: Cell): number => (from + to) / 2
  const cellsOfA = new Map(a.map((each) => [each.key, each]))
  const pairs = b.flatMap((cellOfB) => {
    const cellOfA = cellsOfA.get(cellOfB.key)
    return cellOfA === undefined || cellOfB.row > 0 || cellOfB.state !== 'twice' ? [] : [{ cellOfA, cellOfB }]
  })
  const every = Math.ceil(pairs.length / MOST_LINKS)
  const drawn = pairs.filter((_, index) => index % every === 0)
  return markup`<g class="links">${drawn.map(
    ({ cellOfA, cellOfB }) =>
      markup`<line x1="${x(middle(cellOfA))}" y1="${LANE_A + LANE}" x2="${x(middle(cellOfB))}" y2="${LANE_B}"/>`,
  )}</g>`
}

/** The moment at which B starts. */
function moment(race: Race, x: Position): Markup {
  const share = race.bStarts / Math.max(race.aEnds, race.bEnds)
  const anchor = share > 0.5 ? 'end' : 'start'
  const at = race.entrance === 'together' ? 'A and B start' : `B starts at ${durationInWords(race.bStarts)}`
  return markup`<line class="moment" x1="${x(race.bStarts)}" y1="6" x2="${x(race.bStarts)}" y2="${AXIS}"/>
<text class="moment" x="${x(race.bStarts)}" y="14" dx="${anchor === 'end' ? -6 : 6}" text-anchor="${anchor}">${at}</text>`
}

const STEPS = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
]
/** More ticks than this within the picture are not drawn one by one. */
const MARKS = 60

/** Round times below, and a dot wherever the tick fires. */
function axis(interval: number | null, total: number, x: Position): Markup {
  const step = STEPS.find((each) => total / each <= 4) ?? total / 4
  const times = Array.from({ length: Math.floor(total / step) + 1 }, (_, index) => index * step)
  const labels = times.map((time) => {
    const share = time / total
    const anchor = time === 0 ? 'start' : share > 0.94 ? 'end' : 'middle'
    return markup`<text class="time" x="${x(time)}" y="${AXIS + 20}" text-anchor="${anchor}">${durationInWords(time)}</text>`
  })
  const fired = interval !== null && interval > 0 ? Math.floor(total / interval) + 1 : 1
  const dots = fired > MARKS ? [] : Array.from({ length: fired }, (_, index) => index * (interval ?? 0))
  return markup`<line class="axis" x1="0%" y1="${AXIS}" x2="100%" y2="${AXIS}"/>
${labels}
${dots.map((time) => markup`<circle class="tick" cx="${x(time)}" cy="${AXIS}" r="${dots.length > 20 ? 2.5 : 4}"/>`)}`
}

function legend(state: Cell['state'], text: string): Markup {
  return markup`<li><svg class="swatch" aria-hidden="true" width="14" height="14"><rect class="cell ${state}" width="14" height="14"/></svg>${text}</li>\n`
}
