import type { Finding, Location, ReportTick, Severity } from '../../model/index.js'
import { scheduleInWords } from '../schedule.js'
import type { FrameDrawer } from '../text/frame.js'
import { paletteOf } from '../text/palette.js'
import { overlapSum, perRowSum, place } from '../words.js'
import { cell, code, fenced, prose } from './escape.js'

export interface BlockStyle {
  readonly draw: FrameDrawer
  readonly ticks: readonly ReportTick[]
}

/** With the word beside it everywhere: a colour alone says nothing to many. */
export const ICON: Readonly<Record<Severity, string>> = { error: '🔴', warning: '🟡', info: '🔵' }

/** One row of the table: severity, rule and sentence, place, overlap. */
export function findingRow(finding: Finding): string {
  const { overlap } = finding
  const cells = [
    `${ICON[finding.severity]} ${finding.severity}`,
    `**${code(finding.ruleId)}** ${prose(finding.message)}`,
    code(shortPlace(finding.location)),
    overlap === null ? '–' : `${overlap.level}`,
  ]
  return `| ${cells.map(cell).join(' | ')} |`
}

/** One finding at length, folded: how it comes about, what happens, what to do. */
export function findingBlock(finding: Finding, number: number, style: BlockStyle): string {
  const owner = finding.function === null ? '' : ` in <code>${htmlText(finding.function)}</code>`
  const facts = [
    ...(finding.table === null ? [] : [`table ${code(finding.table)}`]),
    ...finding.ticks.map((name) => tickText(name, style.ticks)),
    `confidence ${finding.confidence}`,
    `fingerprint ${code(finding.fingerprint)}`,
  ]
  return [
    `<details>\n<summary>${number}. ${ICON[finding.severity]} ${finding.severity}: <b>${htmlText(finding.ruleId)}</b>${owner}</summary>`,
    prose(finding.message),
    `${code(place(finding.location))} · ${facts.join(' · ')}`,
    ...frame(finding.location, style.draw),
    ...(finding.trace.length === 0 ? [] : ['**How it comes about**', trace(finding)]),
    ...happens(finding),
    ...fix(finding),
    '</details>',
  ].join('\n\n')
}

function frame(location: Location, draw: FrameDrawer): string[] {
  const lines = draw(location, { palette: paletteOf(false), width: 100, mark: '^', markColor: (text) => text })
  return lines.length === 0 ? [] : [fenced(lines.join('\n'))]
}

function trace(finding: Finding): string {
  return finding.trace
    .map((step, index) => `${index + 1}. **${step.role}** ${prose(step.message)} ${code(place(step.location))}`)
    .join('\n')
}

function happens({ consequence, overlap }: Finding): string[] {
  const sum = overlap === null ? [] : [prose(overlapSum(overlap))]
  const parts = overlap === null || overlap.perRow.length === 0 ? [] : [`Per row: ${prose(perRowSum(overlap))}`]
  const told = [...(consequence === '' ? [] : [prose(consequence)]), ...sum, ...parts]
  return told.length === 0 ? [] : ['**What happens**', ...told]
}

function fix({ fix: { steps, code: text, language } }: Finding): string[] {
  if (steps.length === 0 && text === null) return []
  const numbered = steps.map((step, index) => `${steps.length > 1 ? `${index + 1}. ` : ''}${prose(step)}`)
  return [
    '**Do this**',
    ...(steps.length > 0 ? [numbered.join('\n')] : []),
    ...(text === null ? [] : [fenced(text, language ?? '')]),
  ]
}

function tickText(name: string, ticks: readonly ReportTick[]): string {
  const tick = ticks.find((candidate) => (candidate.name ?? candidate.schedule) === name)
  const words = tick === undefined ? '' : ` (${scheduleInWords(tick.schedule, tick.intervalSeconds)})`
  return `tick ${code(name)}${words}`
}

/** The last two folders and the file say enough in a table. */
function shortPlace(location: Location): string {
  return `${location.file.split('/').slice(-2).join('/')}:${location.startLine}`
}

/** Inside a tag of HTML, Markdown's own escapes do not count. */
function htmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('@', '@<!-- -->')
}
