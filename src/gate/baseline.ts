import type { Diagnostic, Finding, Location, Report, SuppressedFinding } from '../model/index.js'
import { counted, withDiagnostics } from './report.js'

/** The file that is read and written where no other is named. */
export const BASELINE_FILE = 'tick-audit-baseline.json'

/** Findings that are known and accepted for now. Known by the fingerprint alone; the other fields are for people. */
export interface Baseline {
  readonly schemaVersion: '1.0'
  readonly entries: readonly BaselineEntry[]
}

export interface BaselineEntry {
  readonly fingerprint: string
  readonly ruleId: string
  readonly function: string | null
  /** Where it stood when it was written down. */
  readonly file: string
  readonly reason: string
}

/** Where an entry stands in the baseline file, to say that it is stale; null: the file is not inside the project. */
export type EntryPlace = (entry: BaselineEntry) => Location | null

export interface BaselineOptions {
  readonly placeOf?: EntryPlace
  /** Findings that are there and were not asked for: their entries are not stale. */
  readonly omitted?: readonly Finding[]
}

/** Reads a baseline. Throws an Error with one sentence that says what is wrong with it. */
export function parseBaseline(text: string): Baseline {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isObject(value)) throw new Error('it is not an object')
  refuseOthers(value, ['$schema', 'schemaVersion', 'entries'], 'it')
  if (value.schemaVersion !== '1.0') throw new Error('its schemaVersion is not "1.0"')
  if (!Array.isArray(value.entries)) throw new Error('its entries are not a list')
  return { schemaVersion: '1.0', entries: value.entries.map(parseEntry) }
}

function parseEntry(value: unknown, index: number): BaselineEntry {
  const where = `entry ${index + 1}`
  if (!isObject(value)) throw new Error(`${where} is not an object`)
  refuseOthers(value, ['fingerprint', 'ruleId', 'function', 'file', 'reason'], where)
  const text = (field: string): string => {
    const found = value[field]
    if (typeof found !== 'string' || found.trim() === '') throw new Error(`${where} has no ${field}`)
    return found
  }
  const owner = value.function
  if (owner !== null && typeof owner !== 'string') throw new Error(`${where} has no function (a name, or null)`)
  return {
    fingerprint: text('fingerprint'),
    ruleId: text('ruleId'),
    function: owner,
    file: text('file'),
    reason: text('reason'),
  }
}

function refuseOthers(value: Record<string, unknown>, known: readonly string[], where: string): void {
  const other = Object.keys(value).find((name) => !known.includes(name))
  if (other !== undefined) throw new Error(`${where} has a field "${other}", which is none of ${known.join(', ')}`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Two spaces, one entry a block, sorted: a small change of the baseline is a small diff. */
export function printBaseline(baseline: Baseline): string {
  const key = (entry: BaselineEntry) => [entry.file, entry.function ?? '', entry.ruleId, entry.fingerprint].join('\0')
  const entries = [...baseline.entries].sort((a, b) => (key(a) < key(b) ? -1 : 1))
  return `${JSON.stringify({ schemaVersion: baseline.schemaVersion, entries }, null, 2)}\n`
}

/**
 * Moves the findings that are in the baseline to `suppressed`, with its reason and no place: that is how the report tells
 * them from those that a comment takes out. Stale entries are diagnostics.
 */
export function applyBaseline(report: Report, baseline: Baseline, options: BaselineOptions = {}): Report {
  const { placeOf = () => null, omitted = [] } = options
  const known = new Map(baseline.entries.map((entry) => [entry.fingerprint, entry]))
  const findings: Finding[] = []
  const suppressed: SuppressedFinding[] = [...report.suppressed]
  for (const finding of report.findings) {
    const entry = known.get(finding.fingerprint)
    if (entry === undefined) findings.push(finding)
    else suppressed.push({ ...finding, suppression: { reason: entry.reason, location: null } })
  }
  const taken = { baselined: suppressed.length - report.suppressed.length }
  return withDiagnostics(
    counted(report, findings, suppressed, taken),
    staleEntries(report, baseline, omitted).map((entry) => staleDiagnostic(entry, placeOf(entry))),
  )
}

/**
 * Entries whose finding is not there any more. Where their function could not be decided this time, nobody knows: such an
 * entry stays.
 */
export function staleEntries(
  report: Report,
  baseline: Baseline,
  omitted: readonly Finding[] = [],
): readonly BaselineEntry[] {
  const present = new Set([...report.findings, ...omitted].map((finding) => finding.fingerprint))
  const undecided = new Set(report.functions.filter(({ verdict }) => verdict === 'unknown').map(({ name }) => name))
  return baseline.entries.filter(
    ({ fingerprint, function: owner }) => !present.has(fingerprint) && !(owner !== null && undecided.has(owner)),
  )
}

function staleDiagnostic(entry: BaselineEntry, location: Location | null): Diagnostic {
  const owner = entry.function === null ? entry.file : `function ${entry.function}`
  return {
    code: 'baseline-stale',
    severity: 'warning',
    message: `the baseline holds ${entry.ruleId} of ${owner} (${entry.fingerprint}), which is not found any more: tick-audit baseline --prune takes it out`,
    ...(location === null ? {} : { location }),
  }
}

export interface BaselineChange {
  readonly baseline: Baseline
  readonly added: number
  readonly stale: number
  readonly kept: number
}

/** The baseline with the report's findings added; those that it has keep their reasons, and what is stale stays. */
export function extendBaseline(
  report: Report,
  before: Baseline | null,
  reason: string,
  omitted: readonly Finding[] = [],
): BaselineChange {
  const old = before?.entries ?? []
  const known = new Set(old.map((entry) => entry.fingerprint))
  const added = report.findings
    .filter((finding) => !known.has(finding.fingerprint))
    .map((finding) => ({
      fingerprint: finding.fingerprint,
      ruleId: finding.ruleId,
      function: finding.function,
      file: finding.location.file,
      reason,
    }))
  const stale = before === null ? 0 : staleEntries(report, before, omitted).length
  return {
    baseline: { schemaVersion: '1.0', entries: [...old, ...added] },
    added: added.length,
    stale,
    kept: old.length - stale,
  }
}

/** The baseline without its stale entries; nothing is added. */
export function pruneBaseline(report: Report, before: Baseline, omitted: readonly Finding[] = []): BaselineChange {
  const stale = new Set(staleEntries(report, before, omitted))
  const entries = before.entries.filter((entry) => !stale.has(entry))
  return { baseline: { schemaVersion: '1.0', entries }, added: 0, stale: stale.size, kept: entries.length }
}
