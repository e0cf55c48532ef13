import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { auditProject } from '../../src/audit.js'
import type { Report } from '../../src/model/index.js'

/** Texts by path, relative to the folder that holds the `supabase` folder. */
export type Files = Readonly<Record<string, string>>

/** Audits these files in a folder of their own, which is gone afterwards. */
export async function auditFiles(files: Files): Promise<Report> {
  const root = mkdtempSync(join(tmpdir(), 'tick-audit-work-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    const outcome = await auditProject(root)
    if (outcome.kind !== 'report') throw new Error(outcome.message)
    if (outcome.faults.length > 0) throw new Error(outcome.faults.map((fault) => fault.stack ?? fault.message).join())
    return outcome.report
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** What must not depend on how the code is written down. */
export const shapeOf = (report: Report) => ({
  functions: report.functions.map(({ name, verdict, claims }) => ({ name, verdict, claims })),
  rules: report.findings.map((finding) => [finding.function, finding.ruleId, finding.severity, finding.confidence]),
  overlap: report.functions.map((each) => [
    each.name,
    each.overlap?.batch,
    each.overlap?.concurrency,
    each.overlap?.level,
  ]),
})
