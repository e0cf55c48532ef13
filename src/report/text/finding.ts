import type { Finding, ReportTick, TraceStep } from '../../model/index.js'
import { scheduleInWords } from '../schedule.js'
import { overlapSum, perRowSum, place } from '../words.js'
import type { FrameDrawer } from './frame.js'
import { indent, padRight, wrap, wrapBehind } from './layout.js'
import type { Palette } from './palette.js'

/** What all findings of one report are drawn with. */
export interface FindingStyle {
  readonly palette: Palette
  readonly width: number
  readonly draw: FrameDrawer
  readonly ticks: readonly ReportTick[]
  /** Places of schedules and dispatches whose code an earlier finding has shown; null: show it every time. */
  readonly seen: Set<string> | null
}

const MARGIN = 2

/** A finding as a story: what is wrong, where, how it comes about step by step, what happens, what to do. */
export function findingLines(finding: Finding, position: string, style: FindingStyle): string[] {
  return [
    ...headLines(finding, position, style),
    ...indent(
      [
        ...traceLines(finding, style),
        ...consequenceLines(finding, style),
        ...fixLines(finding, style),
        '',
        style.palette.faint(`More: tick-audit explain ${finding.ruleId}`),
      ],
      MARGIN,
    ),
  ]
}

function headLines(finding: Finding, position: string, style: FindingStyle): string[] {
  const { palette, width } = style
  const title = `${finding.severity}  ${finding.ruleId}`
  const rule = '─'.repeat(Math.max(3, width - title.length - position.length - 8))
  const owner = finding.function === null ? [] : [`function ${finding.function}`]
  const table = finding.table === null ? [] : [`table ${finding.table}`]
  return [
    `${palette.faint('──')} ${palette.severity[finding.severity](title)} ${palette.faint(`${rule} ${position} ──`)}`,
    '',
    ...indent(
      [
        ...wrap(finding.message, width - MARGIN).map((line) => palette.strong(line)),
        palette.place(place(finding.location)),
        ...wrap([...owner, ...table, `confidence ${finding.confidence}`].join(' · '), width - MARGIN).map(
          palette.faint,
        ),
      ],
      MARGIN,
    ),
  ]
}

function traceLines(finding: Finding, style: FindingStyle): string[] {
  if (finding.trace.length === 0) return []
  const digits = String(finding.trace.length).length
  const roles = Math.max(...finding.trace.map((step) => step.role.length))
  const steps = finding.trace.flatMap((step, index) => {
    const number = `${String(index + 1).padStart(digits)}. `
    return ['', ...stepLines(finding, step, number, `${number}${padRight(step.role, roles)}  `, style)]
  })
  return ['', style.palette.strong('How it comes about'), ...steps]
}

function stepLines(finding: Finding, step: TraceStep, number: string, prefix: string, style: FindingStyle): string[] {
  const { palette, width } = style
  const primary = place(step.location) === place(finding.location)
  const label = primary ? palette.severity[finding.severity] : palette.strong
  const told = wrapBehind(prefix, stepMessage(step, finding, style.ticks), width - MARGIN).map((line, index) =>
    index === 0 ? label(line.slice(0, prefix.length)) + palette.prose(line.slice(prefix.length)) : palette.prose(line),
  )
  const frame = alreadyShown(step, style)
    ? []
    : style.draw(step.location, {
        palette,
        width: width - MARGIN - number.length - 2,
        mark: primary ? '^' : '-',
        markColor: primary ? palette.severity[finding.severity] : palette.place,
      })
  return [...told, ...indent([palette.place(place(step.location)), ...indent(frame, 2)], number.length)]
}

/** The step's own sentence; a schedule's also says in words when it fires, unless the sentence does. */
function stepMessage(step: TraceStep, finding: Finding, ticks: readonly ReportTick[]): string {
  // The finding's sentence stands at the top already.
  if (step.message === finding.message) return `the ${step.role} that this is about`
  if (step.role !== 'schedule') return step.message
  const tick = ticks.find((candidate) => place(candidate.location) === place(step.location))
  if (!tick) return step.message
  const missing = [scheduleInWords(tick.schedule, tick.intervalSeconds), `\`${tick.schedule}\``].filter(
    (words) => !step.message.includes(words.replaceAll('`', '')),
  )
  return missing.length === 0 ? step.message : `${step.message} (${missing.join(', ')})`
}

function alreadyShown(step: TraceStep, style: FindingStyle): boolean {
  if (style.seen === null || (step.role !== 'schedule' && step.role !== 'dispatch')) return false
  const key = place(step.location)
  if (style.seen.has(key)) return true
  style.seen.add(key)
  return false
}

function consequenceLines(finding: Finding, style: FindingStyle): string[] {
  const { palette, width } = style
  const room = width - 2 * MARGIN
  const { overlap } = finding
  const sum = overlap === null ? [] : wrap(overlapSum(overlap), room)
  const parts = overlap === null || overlap.perRow.length === 0 ? [] : wrapBehind('per row: ', perRowSum(overlap), room)
  const told = wrap(finding.consequence, room).map(palette.prose)
  return ['', palette.strong('What happens'), ...indent([...told, ...sum, ...parts.map(palette.faint)], MARGIN)]
}

function fixLines(finding: Finding, style: FindingStyle): string[] {
  const { palette, width } = style
  const { steps, code } = finding.fix
  if (steps.length === 0 && code === null) return []
  const numbered = steps.flatMap((step, index) =>
    wrapBehind(steps.length > 1 ? `${index + 1}. ` : '', step, width - 2 * MARGIN).map(palette.prose),
  )
  // Code is never cut or wrapped: it is there to be copied.
  const copied = code === null ? [] : ['', ...indent(code.trimEnd().split('\n'), MARGIN), '']
  while (copied.at(-1) === '') copied.pop()
  return ['', palette.strong('Do this'), ...indent([...numbered, ...copied], MARGIN)]
}
