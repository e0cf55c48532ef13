import type { Diagnostic, Finding, Report, ReportFunction } from '../model/index.js'
import { cleanReport } from './clean.js'
import { unanswered } from './unanswered.js'
import { overlapSum, place, worstFirst } from './words.js'

/**
 * JUnit XML, as Jenkins, GitLab and others read it: a suite for each function, in it a case for each finding (failed from
 * `warning` on; of `info` a passed one with its text), a passed one for a function without findings, and a skipped one
 * for whatever could not be decided. No times and no host, so that the same report gives the same bytes.
 */
export function renderJunit(report: Report): string {
  const clean = cleanReport(report)
  const suites = [...functionSuites(clean), ...restSuites(clean)]
  const total = (number: (suite: Suite) => number): number => suites.reduce((sum, suite) => sum + number(suite), 0)
  const attributes = {
    name: clean.tool.name,
    tests: total((suite) => suite.cases.length),
    failures: total((suite) => suite.cases.filter(isFailed).length),
    errors: 0,
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...(suites.length === 0
      ? [`<testsuites${written(attributes)}/>`]
      : [`<testsuites${written(attributes)}>`, ...suites.flatMap(suiteLines), '</testsuites>']),
    '',
  ].join('\n')
}

interface Case {
  readonly name: string
  readonly outcome:
    | { readonly kind: 'passed' }
    | { readonly kind: 'told'; readonly text: string }
    | { readonly kind: 'skipped'; readonly message: string }
    | { readonly kind: 'failed'; readonly message: string; readonly type: string; readonly text: string }
}

interface Suite {
  readonly name: string
  readonly cases: readonly Case[]
}

function functionSuites(report: Report): Suite[] {
  return report.functions.map((entry) => {
    const its = report.findings.filter((finding) => finding.function === entry.name)
    const cases = [...its].sort(worstFirst).map(findingCase)
    return {
      name: entry.name,
      cases: cases.length > 0 && entry.verdict !== 'unknown' ? cases : [...cases, verdictCase(entry)],
    }
  })
}

function verdictCase(entry: ReportFunction): Case {
  const name = 'no row is worked on twice'
  if (entry.verdict !== 'unknown') return { name, outcome: { kind: 'passed' } }
  const message = entry.reasons.map((reason) => reason.message).join('; ') || 'no reason given'
  return { name, outcome: { kind: 'skipped', message } }
}

/** Findings of no function that is listed, and what could not be read or resolved. */
function restSuites(report: Report): Suite[] {
  const known = new Set(report.functions.map((entry) => entry.name))
  const findings = report.findings.filter((finding) => finding.function === null || !known.has(finding.function))
  const gaps = unanswered(report).filter(({ severity, code }) => severity !== 'info' && code !== 'undecided-function')
  return [
    { name: 'project', cases: [...findings].sort(worstFirst).map(findingCase) },
    { name: 'coverage', cases: gaps.map(gapCase) },
  ].filter((suite) => suite.cases.length > 0)
}

/** The name holds no line number, so that the case stays the same one when lines move. */
function findingCase(finding: Finding): Case {
  const name = [finding.ruleId, ...(finding.table === null ? [] : [`on ${finding.table}`]), `(${finding.fingerprint})`]
  const text = [
    place(finding.location),
    finding.message,
    ...(finding.consequence === '' ? [] : [finding.consequence]),
    ...(finding.overlap === null ? [] : [overlapSum(finding.overlap)]),
    ...finding.trace.map((step) => `${step.role}: ${step.message} (${place(step.location)})`),
    ...finding.fix.steps.map((step) => `Do this: ${step}`),
    ...(finding.fix.code === null ? [] : [finding.fix.code.trimEnd()]),
  ].join('\n')
  return {
    name: name.join(' '),
    outcome:
      finding.severity === 'info'
        ? { kind: 'told', text }
        : { kind: 'failed', message: finding.message, type: finding.severity, text },
  }
}

function gapCase(gap: Diagnostic): Case {
  const where = gap.location ? ` ${place(gap.location)}` : ''
  return { name: `${gap.code}${where}`, outcome: { kind: 'skipped', message: gap.message } }
}

function suiteLines(suite: Suite): string[] {
  const attributes = {
    name: suite.name,
    tests: suite.cases.length,
    failures: suite.cases.filter(isFailed).length,
    errors: 0,
    skipped: suite.cases.filter(({ outcome }) => outcome.kind === 'skipped').length,
  }
  return [
    `  <testsuite${written(attributes)}>`,
    ...suite.cases.flatMap((each) => caseLines(each, suite.name)),
    '  </testsuite>',
  ]
}

function caseLines({ name, outcome }: Case, suite: string): string[] {
  const head = `    <testcase${written({ name, classname: `tick-audit.${suite}` })}`
  switch (outcome.kind) {
    case 'passed':
      return [`${head}/>`]
    case 'told':
      return [`${head}>`, `      <system-out>${escapeText(outcome.text)}</system-out>`, '    </testcase>']
    case 'skipped':
      return [`${head}>`, `      <skipped${written({ message: outcome.message })}/>`, '    </testcase>']
    case 'failed': {
      const { message, type, text } = outcome
      return [
        `${head}>`,
        `      <failure${written({ message, type })}>${escapeText(text)}</failure>`,
        '    </testcase>',
      ]
    }
  }
}

function isFailed({ outcome }: Case): boolean {
  return outcome.kind === 'failed'
}

function written(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeText(String(value))}"`)
    .join('')
}

/** `cleanReport` has taken the control characters out; these two are the last that XML 1.0 does not allow (section 2.2). */
function escapeText(text: string): string {
  return text
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')
}
