import type {
  Coverage,
  Diagnostic,
  Finding,
  FindingEffect,
  Fix,
  Location,
  Overlap,
  Reason,
  Report,
  ReportDispatch,
  ReportFunction,
  ReportTick,
  Severity,
  Summary,
  SuppressedFinding,
  TraceStep,
  Verdict,
} from '../model/index.js'

/**
 * The report as JSON: two spaces, a newline at the end. Fields stand in the contract's order, whoever built the object;
 * fields that the contract does not name follow in alphabetical order. The same report gives the same bytes.
 */
export function renderJson(report: Report): string {
  return `${JSON.stringify(inContractOrder(report), null, 2)}\n`
}

/** The same report, whoever built the object, with its fields in the order of `renderJson`. */
export function inContractOrder(report: Report): Report {
  return inOrder(report, REPORT) as Report
}

/** The order of an object's fields, or of the objects in a list; null: a plain value, or fields in alphabetical order. */
interface Shape {
  readonly [field: string]: Shape | null
}

function inOrder(value: unknown, shape: Shape | null): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, shape))
  if (value === null || typeof value !== 'object') return value
  const fields = new Map(Object.entries(value))
  const known = Object.keys(shape ?? {}).filter((name) => fields.has(name))
  const others = [...fields.keys()].filter((name) => !known.includes(name)).sort()
  return Object.fromEntries(
    [...known, ...others].map((name) => [name, inOrder(fields.get(name), shape?.[name] ?? null)]),
  )
}

type Fields<T> = Record<keyof T, Shape | null>

const LOCATION = {
  file: null,
  startLine: null,
  startColumn: null,
  endLine: null,
  endColumn: null,
} satisfies Fields<Location>

const SUMMARY = {
  bySeverity: { error: null, warning: null, info: null } satisfies Record<Severity, null>,
  byRule: null,
  byVerdict: {
    race: null,
    safe: null,
    broadcast: null,
    'no-row-work': null,
    unknown: null,
  } satisfies Record<Verdict, null>,
  suppressed: null,
  baselined: null,
} satisfies Fields<Summary>

const COVERAGE = {
  sqlFiles: null,
  statementsParsed: null,
  statementsFailed: null,
  ticksResolved: null,
  ticksUnresolved: null,
  functionsAnalysed: null,
  functionsUnknown: null,
} satisfies Fields<Coverage>

const DISPATCH = {
  function: null,
  url: null,
  via: null,
  location: LOCATION,
  fanout: null,
  assumed: null,
  unresolved: null,
} satisfies Fields<ReportDispatch>

const TICK = {
  name: null,
  schedule: null,
  words: null,
  intervalSeconds: null,
  active: null,
  origin: null,
  location: LOCATION,
  dispatches: DISPATCH,
} satisfies Fields<ReportTick>

const OVERLAP = {
  level: null,
  intervalSeconds: null,
  batch: null,
  batchAssumed: null,
  concurrency: null,
  perRow: { title: null, typicalSeconds: null, worstSeconds: null } satisfies Fields<Overlap['perRow'][number]>,
  typicalSeconds: null,
  worstSeconds: null,
} satisfies Fields<Overlap>

const REASON = { message: null, location: LOCATION } satisfies Fields<Reason>

const FUNCTION = {
  name: null,
  entry: null,
  verdict: null,
  claims: null,
  ticks: null,
  calledBy: null,
  overlap: OVERLAP,
  reasons: REASON,
} satisfies Fields<ReportFunction>

const FINDING = {
  ruleId: null,
  severity: null,
  confidence: null,
  message: null,
  location: LOCATION,
  function: null,
  ticks: null,
  effects: { title: null, provider: null, kind: null, location: LOCATION } satisfies Fields<FindingEffect>,
  table: null,
  consequence: null,
  overlap: OVERLAP,
  trace: { role: null, message: null, location: LOCATION } satisfies Fields<TraceStep>,
  fix: { steps: null, code: null, language: null } satisfies Fields<Fix>,
  fingerprint: null,
} satisfies Fields<Finding>

const SUPPRESSED = {
  ...FINDING,
  suppression: { reason: null, location: LOCATION } satisfies Fields<SuppressedFinding['suppression']>,
} satisfies Fields<SuppressedFinding>

const REPORT = {
  schemaVersion: null,
  tool: { name: null, version: null },
  summary: SUMMARY,
  coverage: COVERAGE,
  ticks: TICK,
  functions: FUNCTION,
  findings: FINDING,
  suppressed: SUPPRESSED,
  diagnostics: { code: null, severity: null, message: null, location: LOCATION } satisfies Fields<Diagnostic>,
} satisfies Fields<Report>
