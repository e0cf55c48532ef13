import type { Confidence, CustomEffect, CustomNonEffect, LatencyOverrides, Severity } from './model/index.js'

/** What the following of functions is told beside the project: the part of an audit's options that speaks of effects. */
export interface FollowOptions {
  /** What the catalogue of effects does not know, and what is no effect. */
  readonly effects?: readonly CustomEffect[]
  readonly notEffects?: readonly CustomNonEffect[]
  /** Seconds that one call takes, by class. */
  readonly latencies?: LatencyOverrides
  readonly onProgress?: (message: string) => void
}

export interface AuditOptions extends FollowOptions {
  /** Look at migrations only: no seeds, schema files or SQL elsewhere. */
  readonly migrationsOnly?: boolean
  /** Rows per run where the code sets no limit; default 100. */
  readonly assumedRows?: number
  /** The longest that a run can live, in seconds (hosted: 150 free, 400 paid); unset: no cap. */
  readonly maxRunSeconds?: number | null
  /** By a rule's id: `off` leaves its findings out, a severity replaces theirs. */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>
  /** Leave findings out that are less certain. */
  readonly minConfidence?: Confidence
  /** Globs of files, relative to the folder that holds the `supabase` folder: functions and findings elsewhere are left out. */
  readonly include?: readonly string[]
  /** The same: ticks defined there, functions and findings there are left out. */
  readonly exclude?: readonly string[]
  /** An export of cron.job. */
  readonly cronJobDump?: CronJobDump
  /** Texts that stand for files, by their path relative to the folder that holds the `supabase` folder: unsaved or staged ones. */
  readonly overlay?: ReadonlyMap<string, string>
}

/** Ticks made in a dashboard are not in the migrations: an export of cron.job, beside or instead of what they make. */
export interface CronJobDump {
  /** Its path, for places in the report. */
  readonly file: string
  readonly text: string
  readonly mode: 'beside' | 'instead'
}
