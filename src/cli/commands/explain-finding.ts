import type { AuditOutcome } from '../../audit.js'
import type { Finding, SuppressedFinding } from '../../model/index.js'
import { cleanReport } from '../../report/clean.js'
import { findingLines } from '../../report/text/finding.js'
import { frameDrawer } from '../../report/text/frame.js'
import { indent, widthFor, wrap, wrapBehind } from '../../report/text/layout.js'
import { paletteOf } from '../../report/text/palette.js'
import { timelineLines } from '../../report/text/timeline.js'
import { place } from '../../report/words.js'
import type { Rule } from '../../rules/rule.js'
import { UsageError } from '../usage-error.js'

/** Whether this may be a fingerprint, or the beginning of one (7 digits or more, as git has it). */
export function looksLikeFingerprint(text: string): boolean {
  return /^[0-9a-f]{7,64}$/i.test(text)
}

export interface ExplainContext {
  readonly color: boolean
  readonly columns: number | null
  readonly rules: readonly Rule[]
}

/** One finding at length. Throws a UsageError where no finding, or more than one, has this fingerprint. */
export function explainFindingText(
  fingerprint: string,
  outcome: AuditOutcome & { readonly kind: 'report' },
  context: ExplainContext,
): string {
  const report = cleanReport(outcome.report)
  const finding = theOne(fingerprint, [...report.findings, ...report.suppressed])
  const palette = paletteOf(context.color)
  const width = widthFor(context.columns ?? Number.POSITIVE_INFINITY)
  const style = { palette, width, draw: frameDrawer(outcome.sources), ticks: report.ticks, seen: null }
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', palette.strong(title), ...indent(lines, 2)]
  const meta = context.rules.find((rule) => rule.meta.id === finding.ruleId)?.meta
  return `${[
    ...findingLines(finding, finding.fingerprint, style),
    ...indent(
      [
        ...section('Two runs, step by step', timelineLines(finding, width - 4, palette)),
        ...section('Why it is a race', meta === undefined ? [] : wrap(meta.why, width - 4)),
        ...section(
          'Where this rule can be wrong',
          (meta?.falsePositives ?? []).flatMap((text) => wrapBehind('- ', text, width - 4)),
        ),
        ...section('To let it be', acceptLines(finding, width - 4)),
      ],
      2,
    ),
  ].join('\n')}\n`
}

function theOne(fingerprint: string, findings: readonly Finding[]): Finding {
  const found = findings.filter((finding) => finding.fingerprint.startsWith(fingerprint.toLowerCase()))
  if (found.length === 1) return found[0]!
  if (found.length > 1)
    throw new UsageError(
      `${fingerprint} is the beginning of ${found.length} fingerprints: ${found.map((each) => each.fingerprint).join(', ')}.`,
    )
  throw new UsageError(
    `no finding of this project has the fingerprint ${fingerprint}; -f json lists them all, as does the baseline.`,
  )
}

function acceptLines(finding: Finding, width: number): string[] {
  const suppression = 'suppression' in finding ? (finding as SuppressedFinding).suppression : null
  if (suppression !== null) {
    const where = suppression.location === null ? 'the baseline' : `the comment at ${place(suppression.location)}`
    return wrap(`It is let be already, by ${where}: ${suppression.reason}`, width)
  }
  const mark = finding.location.file.endsWith('.sql') ? '--' : '//'
  return wrapBehind('', `${mark} tick-audit-ignore ${finding.ruleId}: your reason`, width).concat(
    wrap(
      `on line ${finding.location.startLine} of ${finding.location.file} or above it; or tick-audit baseline`,
      width,
    ),
  )
}
