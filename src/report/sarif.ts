import type { Log, Notification, ReportingDescriptor, Result, Run } from 'sarif'
import type { Diagnostic, Finding, Report, SuppressedFinding } from '../model/index.js'
import { cleanReport } from './clean.js'
import type { RenderContext } from './index.js'
import { inContractOrder } from './json.js'
import { LEVEL, locationOf, messageText, stepsOf } from './sarif/places.js'
import { ruleDescriptors } from './sarif/rules.js'
import { unanswered } from './unanswered.js'
import { overlapSum } from './words.js'

/**
 * SARIF 2.1.0 (OASIS Standard), with what GitHub's code scanning reads of it: every rule whether it spoke or not, the
 * trace as related locations and as a code flow, what could not be analysed as notifications. The fingerprint stands
 * under a key of our own: GitHub's upload fills in `primaryLocationLineHash`, and warns about one that it did not make.
 */
export function renderSarif(report: Report, context: RenderContext): string {
  // Some of the report stands in it as it is: from a saved report the same bytes must come as from the audit.
  const clean = cleanReport(inContractOrder(report))
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [runOf(clean, context)],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function runOf(report: Report, context: RenderContext): Run {
  const suppressed = context.showSuppressed === true ? report.suppressed : []
  const results = [...report.findings, ...suppressed]
  const rules = ruleDescriptors(
    context.rules ?? [],
    results.map((finding) => finding.ruleId),
  )
  const indexOf = new Map(rules.map((rule, index) => [rule.id, index]))
  const gaps = unanswered(report)
  const codes = [...new Set(gaps.map((gap) => gap.code))].sort()
  return {
    tool: {
      driver: {
        name: report.tool.name,
        version: report.tool.version,
        semanticVersion: report.tool.version,
        rules,
        notifications: codes.map((id): ReportingDescriptor => ({ id })),
      },
    },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: {
      '%SRCROOT%': { description: { text: 'The folder that holds the supabase folder.' } },
    },
    invocations: [
      {
        executionSuccessful: gaps.every((gap) => gap.severity !== 'error'),
        toolExecutionNotifications: gaps.map((gap) => notificationOf(gap, codes.indexOf(gap.code))),
      },
    ],
    results: results.map((finding) => resultOf(finding, indexOf.get(finding.ruleId) ?? -1)),
    properties: { coverage: report.coverage, summary: report.summary },
  }
}

function resultOf(finding: Finding | SuppressedFinding, ruleIndex: number): Result {
  const { relatedLocations, codeFlows } = stepsOf(finding)
  return {
    ruleId: finding.ruleId,
    ruleIndex,
    kind: 'fail',
    level: LEVEL[finding.severity],
    message: { text: messageText([finding.message, finding.consequence].filter((text) => text !== '').join(' ')) },
    locations: [{ ...locationOf(finding.location), ...logicalLocations(finding) }],
    ...(relatedLocations.length === 0 ? {} : { relatedLocations }),
    ...(codeFlows.length === 0 ? {} : { codeFlows }),
    partialFingerprints: { 'tickAudit/v1': finding.fingerprint },
    ...('suppression' in finding ? { suppressions: [suppressionOf(finding)] } : {}),
    properties: {
      confidence: finding.confidence,
      ...(finding.table === null ? {} : { table: finding.table }),
      ticks: finding.ticks,
      effects: finding.effects.map(({ title, provider, kind }) => ({ title, provider, kind })),
      ...(finding.overlap === null ? {} : { overlap: { sum: overlapSum(finding.overlap), ...finding.overlap } }),
      fix: finding.fix,
    },
  }
}

function logicalLocations(finding: Finding): Pick<NonNullable<Result['locations']>[number], 'logicalLocations'> {
  const owner =
    finding.function === null
      ? []
      : [{ name: finding.function, fullyQualifiedName: `functions/${finding.function}`, kind: 'function' }]
  const ticks = finding.ticks.map((name) => ({ name, fullyQualifiedName: `cron/${name}`, kind: 'job' }))
  return owner.length + ticks.length === 0 ? {} : { logicalLocations: [...owner, ...ticks] }
}

/** A comment stands in the source; a baseline entry does not. */
function suppressionOf(finding: SuppressedFinding): NonNullable<Result['suppressions']>[number] {
  const { reason, location } = finding.suppression
  return {
    kind: location === null ? 'external' : 'inSource',
    status: 'accepted',
    justification: reason,
    ...(location === null ? {} : { location: locationOf(location) }),
  }
}

function notificationOf(gap: Diagnostic, index: number): Notification {
  return {
    descriptor: { id: gap.code, index },
    level: LEVEL[gap.severity],
    message: { text: messageText(gap.message) },
    ...(gap.location ? { locations: [locationOf(gap.location)] } : {}),
  }
}
