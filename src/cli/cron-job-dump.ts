import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from './usage-error.js'

const WANTED =
  'expected the rows of: select jobid, jobname, schedule, command, active from cron.job; as CSV with a header line, or as a JSON list of objects'

/** Reads an export of cron.job. Throws a UsageError for a file that cannot be read or is no such export. */
export async function readDump(file: string): Promise<{ readonly file: string; readonly text: string }> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new UsageError(`--cron-job-dump: "${file}" cannot be read (${code}); ${WANTED}.`)
  }
  const { readCronDump } = await import('../database/index.js')
  const { jobs, diagnostics } = readCronDump(file, text)
  // Single rows that are no jobs are told in the report
  if (jobs.length === 0 && diagnostics.length > 0) {
    throw new UsageError(`--cron-job-dump: "${file}" is no export of cron.job: ${diagnostics[0]!.message}; ${WANTED}.`)
  }
  return { file: resolve(file), text }
}
