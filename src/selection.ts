import type { Confidence, Finding, Severity } from './model/index.js'
import type { Scope } from './scope.js'

export interface Choice {
  /** By a rule's id: `off`, or the severity of its findings. */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>
  readonly minConfidence?: Confidence
}

export interface Selection {
  readonly findings: readonly Finding[]
  /** Found, but not asked for. */
  readonly omitted: readonly Finding[]
}

const SURENESS: Readonly<Record<Confidence, number>> = { low: 0, medium: 1, high: 2 }

/** The findings that were asked for, as loud as they were asked to be. Verdicts stay: a race that nobody asked for is one still. */
export function selectFindings(findings: readonly Finding[], choice: Choice, scope: Scope): Selection {
  const least = SURENESS[choice.minConfidence ?? 'low']
  const wanted: Finding[] = []
  const omitted: Finding[] = []
  for (const finding of findings) {
    const level = choice.rules?.[finding.ruleId] ?? finding.severity
    if (level === 'off' || SURENESS[finding.confidence] < least || !scope.covers(finding.location.file))
      omitted.push(finding)
    else wanted.push(level === finding.severity ? finding : { ...finding, severity: level })
  }
  return { findings: wanted, omitted }
}
