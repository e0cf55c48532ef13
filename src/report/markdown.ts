import type { Report } from '../model/index.js'
import { cleanReport } from './clean.js'
import type { RenderContext } from './index.js'
import { prose } from './markdown/escape.js'
import { findingBlock, findingRow, type BlockStyle } from './markdown/finding.js'
import { fitting } from './markdown/fitting.js'
import { fleetTable, gapList, headline, suppressedList } from './markdown/sections.js'
import { frameDrawer } from './text/frame.js'
import { count, worstFirst } from './words.js'

/** By this line a job finds the comment that it wrote before, and replaces it. */
const MARKER = '<!-- tick-audit -->'

/** GitHub takes comments of 65,536 characters; GitLab takes more. */
const COMMENT = 60_000
/** A step's summary may have 1 MiB (GitHub docs, workflow commands); bytes, so that half of it is safe for any text but odd ones. */
const SUMMARY = 400_000

/**
 * The report as a comment on a pull request: the verdict, a table of findings, each finding folded, the fleet, and what
 * could not be analysed. It never grows past what a comment may hold: findings that do not fit are counted.
 */
export function renderMarkdown(report: Report, context: Pick<RenderContext, 'sources' | 'showSuppressed'>): string {
  return document(report, context, COMMENT)
}

/** The same for GITHUB_STEP_SUMMARY, to which the command appends it: no marker, and more room. */
export function stepSummary(report: Report, sources: RenderContext['sources'] = () => null): string {
  return document(report, { sources }, SUMMARY)
}

function document(report: Report, context: Pick<RenderContext, 'sources' | 'showSuppressed'>, room: number): string {
  const clean = cleanReport(report)
  const opening = [...(room === COMMENT ? [MARKER] : []), ...headline(clean)]
  // What is not known is kept whatever room the findings take.
  const closing = [
    ...gapList(clean, room / 6),
    ...fleetTable(clean, room / 6),
    ...(context.showSuppressed === true ? suppressedList(clean, room / 6) : []),
    `<sub>${prose(`${clean.tool.name} ${clean.tool.version}`)}</sub>`,
  ]
  const style: BlockStyle = { draw: frameDrawer(context.sources), ticks: clean.ticks }
  const used = length([...opening, ...closing])
  return `${[...opening, ...findings(clean, style, room - used), ...closing].join('\n\n')}\n`
}

/** The table and the folded stories, as many of both as there is room for. */
function findings(report: Report, style: BlockStyle, room: number): string[] {
  const sorted = [...report.findings].sort(worstFirst)
  if (sorted.length === 0) return []
  const head = '| | finding | where | when two runs overlap |\n|---|---|---|---|'
  const rows = fitting(
    sorted.map((finding) => () => findingRow(finding)),
    room / 3,
  )
  const blocks = fitting(
    sorted.map((finding, index) => () => findingBlock(finding, index + 1, style)),
    room - length(rows) - head.length,
  )
  const untold = sorted.length - blocks.length
  return [
    [head, ...rows].join('\n'),
    ...blocks,
    ...(untold > 0
      ? [`_${count(untold, 'more finding')} did not fit here; the JSON and the HTML report have them all._`]
      : []),
  ]
}

function length(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + part.length + 2, 0)
}
