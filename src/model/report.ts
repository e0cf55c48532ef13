import type { Diagnostic, Location, Reason } from './span.js'
import type { ClaimKind, TraceStep } from './work.js'

/** The report, schema version 1: what every format is made from. Its JSON is the same object. */
export interface Report {
  readonly schemaVersion: '1.0'
  readonly tool: { readonly name: 'tick-audit'; readonly version: string }
  readonly summary: Summary
  readonly coverage: Coverage
  readonly ticks: readonly ReportTick[]
  readonly functions: readonly ReportFunction[]
  readonly findings: readonly Finding[]
  readonly suppressed: readonly SuppressedFinding[]
  readonly diagnostics: readonly Diagnostic[]
}

export type Severity = 'error' | 'warning' | 'info'
export type Confidence = 'high' | 'medium' | 'low'
export type Verdict = 'race' | 'safe' | 'broadcast' | 'no-row-work' | 'unknown'

export interface Summary {
  readonly bySeverity: Readonly<Record<Severity, number>>
  readonly byRule: Readonly<Record<string, number>>
  readonly byVerdict: Readonly<Record<Verdict, number>>
  readonly suppressed: number
  readonly baselined: number
}

export interface Coverage {
  readonly sqlFiles: number
  readonly statementsParsed: number
  readonly statementsFailed: number
  readonly ticksResolved: number
  readonly ticksUnresolved: number
  readonly functionsAnalysed: number
  readonly functionsUnknown: number
}

export interface ReportTick {
  readonly name: string | null
  readonly schedule: string
  /** The schedule for people: "every 2 minutes". */
  readonly words?: string
  readonly intervalSeconds: number | null
  readonly active: boolean
  /** Where the job comes from, if not from a migration: `dump` is an export of cron.job. */
  readonly origin?: 'seed' | 'schema' | 'other' | 'dump'
  readonly location: Location
  readonly dispatches: readonly ReportDispatch[]
}

export interface ReportDispatch {
  readonly function: string | null
  readonly url: string
  readonly via: readonly string[]
  readonly location: Location
  readonly fanout: boolean
  readonly assumed?: string
  readonly unresolved?: string
}

export interface ReportFunction {
  readonly name: string
  /** POSIX path of its entry file; null where the source is not there. */
  readonly entry: string | null
  readonly verdict: Verdict
  readonly claims: readonly ClaimKind[]
  /** Names (or schedules, where a job has no name) of the active ticks that reach it. */
  readonly ticks: readonly string[]
  /** Functions of the project that call it. */
  readonly calledBy: readonly string[]
  readonly overlap: Overlap | null
  readonly reasons: readonly Reason[]
}

/** The arithmetic of the contract, so that a reader can check the sum. */
export interface Overlap {
  readonly level: 'expected' | 'possible' | 'unlikely'
  readonly intervalSeconds: number | null
  /** Rows per run. */
  readonly batch: number
  /** The limit is not in the code: the assumed number was taken. */
  readonly batchAssumed: boolean
  readonly concurrency: number
  readonly perRow: readonly {
    readonly title: string
    readonly typicalSeconds: number
    readonly worstSeconds: number
  }[]
  readonly typicalSeconds: number
  readonly worstSeconds: number
}

export interface FindingEffect {
  readonly title: string
  readonly provider: string
  readonly kind: 'money' | 'message' | 'spend' | 'state'
  readonly location: Location
}

/** What to do, in steps; `code` is written for this table, key and states. */
export interface Fix {
  readonly steps: readonly string[]
  readonly code: string | null
  readonly language: 'ts' | 'sql' | null
}

export interface Finding {
  readonly ruleId: string
  readonly severity: Severity
  readonly confidence: Confidence
  /** One sentence: what is wrong. */
  readonly message: string
  readonly location: Location
  readonly function: string | null
  readonly ticks: readonly string[]
  readonly effects: readonly FindingEffect[]
  readonly table: string | null
  /** What happens when two runs overlap: which rows, what is repeated. */
  readonly consequence: string
  readonly overlap: Overlap | null
  readonly trace: readonly TraceStep[]
  readonly fix: Fix
  readonly fingerprint: string
}

export interface SuppressedFinding extends Finding {
  readonly suppression: { readonly reason: string; readonly location: Location | null }
}
