import type { Finding, Report, Severity } from '../model/index.js'
import { cleanReport } from './clean.js'
import { gapLine } from './gap.js'
import { count, place, tally, worstFirst } from './words.js'

/** GitHub shows ten annotations of a step and drops the rest (GitHub docs, workflow commands). */
const ANNOTATIONS = 10

const COMMAND: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' }

/**
 * Workflow commands of GitHub Actions: the ten worst findings as annotations, the rest as lines of the log, then the
 * totals. The place stands in the text as well, because the log does not show an annotation's properties.
 */
export function renderGithub(report: Report): string {
  const clean = cleanReport(report)
  const sorted = [...clean.findings].sort(worstFirst)
  const gap = gapLine(clean)
  const lines = [
    ...sorted.slice(0, ANNOTATIONS).map(annotation),
    ...sorted.slice(ANNOTATIONS).map((finding) => logLine(`${place(finding.location)} ${label(finding)}`)),
    ...totals(clean),
    ...(gap === null ? [] : [`tick-audit: not everything was analysed: ${gap}`]),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function annotation(finding: Finding): string {
  const { location, fix } = finding
  const oneLine = location.startLine === location.endLine
  const properties = {
    file: location.file,
    line: location.startLine,
    // The runner takes columns only where the place does not go over several lines.
    ...(oneLine ? { col: location.startColumn } : {}),
    endLine: location.endLine,
    ...(oneLine ? { endColumn: location.endColumn } : {}),
    title: `tick-audit ${finding.ruleId}`,
  }
  const told = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
  const text = [
    `${place(location)} ${label(finding)}`,
    ...(finding.consequence === '' ? [] : [finding.consequence]),
    ...(fix.steps[0] === undefined ? [] : [`Do this: ${fix.steps[0]}`]),
    `More: tick-audit explain ${finding.ruleId}`,
  ].join('\n')
  return `::${COMMAND[finding.severity]} ${told.join(',')}::${escapeData(text)}`
}

function label(finding: Finding): string {
  const owner = finding.function === null ? '' : ` [${finding.function}]`
  return `${finding.severity} ${finding.ruleId}: ${finding.message}${owner}`
}

function totals(report: Report): string[] {
  const { bySeverity, suppressed, baselined } = report.summary
  const more = report.findings.length - ANNOTATIONS
  const aside = [
    ...(more > 0 ? [`${count(more, 'more finding')} in the log only`] : []),
    ...(suppressed > 0 ? [`${suppressed} suppressed`] : []),
    ...(baselined > 0 ? [`${baselined} in the baseline`] : []),
  ]
  const head = report.findings.length === 0 ? 'no findings' : tally(bySeverity)
  return [`tick-audit: ${head}${aside.length > 0 ? ` (${aside.join(', ')})` : ''}`]
}

/** GitHub's own rules for what stands behind `::` (actions/toolkit, command.ts). */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** In a property, colon and comma as well. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/**
 * A line that the runner must not take for a command: `::` counts at the start of a line, the older `##[` anywhere in it
 * (actions/runner, ActionCommand.cs).
 */
function logLine(text: string): string {
  return text.replace(/^(\s*):(?=:)/, '$1\\:').replaceAll('##[', '## [')
}
