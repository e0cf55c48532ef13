import type { Location, Overlap, Severity } from '../model/index.js'

/** `1 tick`, `2 ticks`, `1 query`, `3 queries` (the plural may be given). */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`
}

/** `file:line:column`, as editors and terminals link it. */
export function place(location: Location): string {
  return `${location.file}:${location.startLine}:${location.startColumn}`
}

/** `a`, `a and b`, `a, b and c`. */
export function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** `2 findings: 1 error, 1 warning`. */
export function tally(bySeverity: { readonly error: number; readonly warning: number; readonly info: number }): string {
  const parts = [
    bySeverity.error > 0 ? [count(bySeverity.error, 'error')] : [],
    bySeverity.warning > 0 ? [count(bySeverity.warning, 'warning')] : [],
    bySeverity.info > 0 ? [`${bySeverity.info} info`] : [],
  ].flat()
  const total = bySeverity.error + bySeverity.warning + bySeverity.info
  return `${count(total, 'finding')}: ${parts.join(', ')}`
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 }

/** Sorts the worst first; to be used with a stable sort. */
export function worstFirst(left: { readonly severity: Severity }, right: { readonly severity: Severity }): number {
  return RANK[left.severity] - RANK[right.severity]
}

/** At most two decimals, none that say nothing: 0.5, 25, 1.33. */
function decimal(value: number): string {
  return String(Math.round(value * 100) / 100)
}

function range(low: number, high: number): string {
  return low === high ? decimal(low) : `${decimal(low)}–${decimal(high)}`
}

/** Of an hour and more, which nobody reads in seconds. */
function inLargerUnits(seconds: number): string {
  if (seconds >= 86_400) return ` (${count(Number(decimal(seconds / 86_400)), 'day')})`
  return seconds >= 3600 ? ` (${count(Number(decimal(seconds / 3600)), 'hour')})` : ''
}

/**
 * The contract's arithmetic as a line that a reader can check:
 * `50 rows × 0.5–30 s ÷ 1 at a time = 25–1500 s against a tick every 120 s → possible`.
 */
export function overlapSum(overlap: Overlap): string {
  const typical = overlap.perRow.reduce((sum, effect) => sum + effect.typicalSeconds, 0)
  const worst = overlap.perRow.reduce((sum, effect) => sum + effect.worstSeconds, 0)
  const rows = count(overlap.batch, 'row') + (overlap.batchAssumed ? ' (assumed: no limit in the code)' : '')
  const uncapped = (overlap.batch * worst) / overlap.concurrency
  const cap = overlap.worstSeconds < uncapped - 0.01 ? ` (capped at ${decimal(overlap.worstSeconds)} s a run)` : ''
  const interval =
    overlap.intervalSeconds === null
      ? 'a tick whose interval is not known'
      : `a tick every ${decimal(overlap.intervalSeconds)} s${inLargerUnits(overlap.intervalSeconds)}`
  const seconds = range(overlap.typicalSeconds, overlap.worstSeconds)
  return (
    `${rows} × ${range(typical, worst)} s ÷ ${overlap.concurrency} at a time = ${seconds} s${cap} ` +
    `against ${interval} → ${overlap.level}`
  )
}

/** What the seconds per row are made of: `OpenAI chat completion 8–60 s + Resend e-mail 0.5–10 s`. */
export function perRowSum(overlap: Overlap): string {
  return overlap.perRow
    .map((effect) => `${effect.title} ${range(effect.typicalSeconds, effect.worstSeconds)} s`)
    .join(' + ')
}
