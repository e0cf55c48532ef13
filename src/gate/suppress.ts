import type { Diagnostic, Finding, Location, Report, SuppressedFinding } from '../model/index.js'
import { ignoreComments, type IgnoreComment } from './comments.js'
import { filesOf, placesOf } from './places.js'
import { counted, withDiagnostics } from './report.js'

export interface SuppressOptions {
  /** The text of a file; null: not there. */
  readonly sources: (file: string) => string | null
  /** Ids of all rules. */
  readonly rules: readonly string[]
  /** Findings that are there and were not asked for: what speaks of them is of use. */
  readonly omitted?: readonly Finding[]
  /** ` Did you mean X?`, or nothing. */
  readonly suggest?: (word: string, candidates: readonly string[]) => string
  /** Files to look at beside those that the report speaks of. */
  readonly files?: readonly string[]
}

/**
 * Moves the findings that a comment speaks of to `suppressed`. A comment speaks of a finding where it names its rule, gives
 * a reason, and stands at a place of it: its location, an effect, a step of its trace. A comment at a schedule or at a
 * request speaks of that tick alone: the finding goes only where each of its ticks has one. Comments without a rule or a
 * reason, with an unknown rule, or with nothing to suppress are diagnostics `ignore-…`.
 */
export function suppress(report: Report, options: SuppressOptions): Report {
  const files = [...new Set([...filesOf(report), ...(options.files ?? [])])].sort()
  const comments = files.flatMap((file) => ignoreComments(file, options.sources(file) ?? ''))
  if (comments.length === 0) return report
  const used = new Set<string>()
  const valid = comments.filter((comment) => comment.reason !== '')
  const findings: Finding[] = []
  const suppressed: SuppressedFinding[] = [...report.suppressed]
  const partial: Diagnostic[] = []
  for (const finding of report.findings) {
    const { its, whole } = commentsFor(finding, valid)
    for (const comment of its) used.add(useOf(comment, finding.ruleId))
    const [first] = its
    if (first === undefined || !whole) findings.push(finding)
    else suppressed.push({ ...finding, suppression: { reason: first.reason, location: first.location } })
    if (!whole) partial.push(...its.map((comment) => partialProblem(comment, finding)))
  }
  for (const finding of options.omitted ?? [])
    for (const comment of commentsFor(finding, valid).its) used.add(useOf(comment, finding.ruleId))
  const taken = { suppressed: suppressed.length - report.suppressed.length }
  return withDiagnostics(counted(report, findings, suppressed, taken), [
    ...partial,
    ...comments.flatMap((comment) => problemsOf(comment, options, used)),
  ])
}

/** The comments that speak of a finding. `whole` is false where they leave a tick by which the work is reached all the same. */
function commentsFor(finding: Finding, comments: readonly IgnoreComment[]): { its: IgnoreComment[]; whole: boolean } {
  const named = comments.filter((comment) => comment.rules.includes(finding.ruleId))
  if (named.length === 0) return { its: [], whole: true }
  const { own, ticks } = placesOf(finding)
  const at = (places: readonly Location[]) =>
    named.filter((comment) => places.some((place) => speaksOf(comment, place)))
  const direct = at(own)
  if (direct.length > 0) return { its: direct, whole: true }
  const perTick = ticks.map(at)
  return { its: [...new Set(perTick.flat())], whole: perTick.every((found) => found.length > 0) }
}

function speaksOf(comment: IgnoreComment, place: Location): boolean {
  if (comment.location.file !== place.file) return false
  return comment.lines.some((line) => line >= place.startLine && line <= place.endLine)
}

function partialProblem({ location }: IgnoreComment, { ruleId, function: owner }: Finding): Diagnostic {
  const message = `speaks of one tick alone, and another one leads to the same ${ruleId}${owner === null ? '' : ` of ${owner}`}: the finding stays`
  return { code: 'ignore-partial', severity: 'warning', message, location }
}

function useOf({ location }: IgnoreComment, rule: string): string {
  return `${location.file}:${location.startLine}:${location.startColumn} ${rule}`
}

function problemsOf(comment: IgnoreComment, options: SuppressOptions, used: ReadonlySet<string>): Diagnostic[] {
  const { rules, suggest = () => '' } = options
  const problem = (code: string, message: string): Diagnostic => ({
    code,
    severity: 'warning',
    message,
    location: comment.location,
  })
  if (comment.rules.length === 0)
    return [problem('ignore-without-rule', 'names no rule: write tick-audit-ignore RULE: reason')]
  const unknown = comment.rules.filter((rule) => !rules.includes(rule))
  const strange = unknown.map((rule) =>
    problem(
      'ignore-unknown-rule',
      `there is no rule "${rule}".${suggest(rule, rules)} tick-audit rules lists them all`,
    ),
  )
  if (comment.reason === '') {
    const message = `gives no reason, so it suppresses nothing: write tick-audit-ignore ${comment.rules.join(', ')}: reason`
    return [...strange, problem('ignore-without-reason', message)]
  }
  const idle = comment.rules.filter((rule) => rules.includes(rule) && !used.has(useOf(comment, rule)))
  return [
    ...strange,
    ...idle.map((rule) => problem('ignore-unused', `no finding of ${rule} is at this place: take the comment out`)),
  ]
}
