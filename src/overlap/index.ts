import type { Latency, Overlap, Severity } from '../model/index.js'

/** What the sum is made of; see "Overlap and severity" in the documentation. */
export interface OverlapInput {
  /** The smallest gap between two firings of any one tick that reaches the function; null: not known, or it does not repeat. */
  readonly intervalSeconds: number | null
  /** The limit of the pick or of the claim; null: none stands in the code. */
  readonly limit: number | null
  /** Rows taken for a run without a limit. */
  readonly assumedRows: number
  /** The most rows that one answer of the API holds (`[api] max_rows`), where the rows come through it. */
  readonly maxRows?: number
  /** Rows in flight at once; all: every row of the batch. */
  readonly concurrency: number | 'all'
  /** The effects of one row. */
  readonly perRow: readonly { readonly title: string; readonly latency: Latency }[]
  /** The longest that a run can live; where given, it caps both sums. */
  readonly maxRunSeconds?: number
}

/**
 * How long a run takes, against how often it is started.
 * Without an interval there is nothing to compare with: the level is `unlikely`, the sums are given all the same.
 */
export function overlapOf(input: OverlapInput): Overlap {
  const { intervalSeconds, limit, assumedRows, maxRows = Infinity, maxRunSeconds = Infinity } = input
  const batch = Math.max(0, Math.min(limit ?? assumedRows, maxRows))
  // No more rows can be in flight than there are: a chunk of 50 does not make 5 rows ten times as fast
  const wanted = input.concurrency === 'all' ? batch : input.concurrency
  const concurrency = Math.max(1, Math.min(wanted, batch))
  const seconds = (perRow: (latency: Latency) => number) => {
    const sum = input.perRow.reduce((total, { latency }) => total + perRow(latency), 0)
    return rounded(Math.min((batch * sum) / concurrency, maxRunSeconds))
  }
  const typicalSeconds = seconds((latency) => latency.typicalSeconds)
  const worstSeconds = seconds((latency) => latency.worstSeconds)
  return {
    level: levelOf(intervalSeconds, typicalSeconds, worstSeconds),
    intervalSeconds,
    batch,
    batchAssumed: limit === null,
    concurrency,
    perRow: input.perRow.map(({ title, latency }) => ({ title, ...latency })),
    typicalSeconds,
    worstSeconds,
  }
}

/** A race's severity; `onlyUnknownHosts`: its only effects are writes to hosts that the catalogue does not know. */
export function severityOf(overlap: Overlap, onlyUnknownHosts: boolean): Severity {
  return overlap.level === 'unlikely' || onlyUnknownHosts ? 'warning' : 'error'
}

function levelOf(interval: number | null, typical: number, worst: number): Overlap['level'] {
  if (interval === null) return 'unlikely'
  if (typical >= interval) return 'expected'
  return worst >= interval ? 'possible' : 'unlikely'
}

/** Milliseconds: 50 × 0.3 is 15, not 15.000000000000002. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
