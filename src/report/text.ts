import type { Report } from '../model/index.js'
import { cleanReport } from './clean.js'
import { gapLine } from './gap.js'
import type { RenderContext } from './index.js'
import { coverageLines } from './text/coverage.js'
import { findingLines } from './text/finding.js'
import { frameDrawer } from './text/frame.js'
import { widthFor } from './text/layout.js'
import { functionLines, summaryLines } from './text/overview.js'
import { paletteOf } from './text/palette.js'
import { worstFirst } from './words.js'

/**
 * The report for people: each finding as a story (the worst first), then the count, the functions by verdict, and what
 * was read and what could not be. Names and code are made safe for a terminal; at most 100 columns, but for places and
 * for code to be copied.
 */
export function renderText(report: Report, context: RenderContext): string {
  const clean = cleanReport(report)
  const sections = [...stories(clean, context), ...closing(clean, context)]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function stories(report: Report, context: RenderContext): string[][] {
  const sorted = [...report.findings].sort(worstFirst)
  const style = {
    palette: paletteOf(context.color),
    width: widthFor(context.width),
    draw: frameDrawer(context.sources),
    ticks: report.ticks,
    seen: context.verbose === true ? null : new Set<string>(),
  }
  return sorted.map((finding, index) => findingLines(finding, `${index + 1} of ${sorted.length}`, style))
}

/** The count, the functions and the coverage; a run without findings is told in a few lines without the table. */
function closing(report: Report, context: RenderContext): string[][] {
  const palette = paletteOf(context.color)
  const width = widthFor(context.width)
  const verbose = context.verbose === true
  const summary = summaryLines(report, palette)
  const showSuppressed = context.showSuppressed === true || verbose
  if (context.quiet === true) {
    const gap = gapLine(report)
    return [gap === null ? summary : [...summary, palette.faint(`${gap}.`)]]
  }
  const coverage = coverageLines(report, { palette, width, verbose, showSuppressed })
  if (report.findings.length === 0 && !verbose) return [[...summary, ...coverage]]
  return [summary, functionLines(report, palette, width), coverage]
}
