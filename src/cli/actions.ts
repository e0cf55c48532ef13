import { appendFileSync } from 'node:fs'
import type { AuditOutcome } from '../audit.js'
import type { Output } from './outputs.js'
import type { Terminal } from './terminal.js'
import { UsageError } from './usage-error.js'

/** Whether this is a step of GitHub Actions (GitHub docs, default environment variables). */
export function inActions({ env }: Pick<Terminal, 'env'>): boolean {
  return env.GITHUB_ACTIONS === 'true'
}

/**
 * In a step of GitHub Actions that prints annotations, the report for people goes to the step's summary. Throws a
 * UsageError where that file cannot be written.
 */
export async function writeStepSummary(
  outcome: AuditOutcome,
  outputs: readonly Output[],
  terminal: Terminal,
): Promise<void> {
  const file = terminal.env.GITHUB_STEP_SUMMARY
  if (!inActions(terminal) || !file || outcome.kind !== 'report') return
  if (!outputs.some(({ format }) => format === 'github')) return
  const { stepSummary } = await import('../report/markdown.js')
  try {
    appendFileSync(file, `${stepSummary(outcome.report, outcome.sources)}\n`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`cannot write GITHUB_STEP_SUMMARY "${file}": ${reason}`)
  }
}
