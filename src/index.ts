import { auditProject } from './audit.js'
import type { Report } from './model/index.js'
import type { AuditOptions } from './options.js'

export type { AuditOptions } from './options.js'
export type * from './model/index.js'

/** There is nothing that could be audited at the path. */
export class NothingToAudit extends Error {
  override readonly name = 'NothingToAudit'
}

/**
 * Audits the Supabase project at `path`: a `supabase` folder, or a folder that holds one.
 * Throws `NothingToAudit` where there is none; a fault of tick-audit itself inside one function or rule does not throw,
 * the rest is in the report.
 */
export async function audit(path: string, options: AuditOptions = {}): Promise<Report> {
  const outcome = await auditProject(path, options)
  if (outcome.kind !== 'report') throw new NothingToAudit(outcome.message)
  return outcome.report
}
