import { as, columnParts, constantOf, nameParts, withoutCasts, type Node } from '../sql/index.js'
import type { Job } from './jobs.js'

/**
 * The jobs that a condition over cron.job may let through: where it asks for one by a name that is written out, those of
 * that name. A guard asks so before each job that a migration makes; to try its condition on every job is quadratic.
 */
export function jobsAskedFor(jobs: readonly Job[], alias: string, where: Node | undefined): readonly Job[] {
  const name = nameAskedFor(alias, where)
  return name === null ? jobs : jobs.filter((job) => job.name === name)
}

function nameAskedFor(alias: string, where: Node | undefined): string | null {
  const all = as(where, 'BoolExpr')
  if (all?.boolop === 'AND_EXPR')
    for (const each of all.args ?? []) {
      const name = nameAskedFor(alias, each)
      if (name !== null) return name
    }
  const compared = as(where, 'A_Expr')
  if (compared?.kind !== 'AEXPR_OP' || nameParts(compared.name).join('.') !== '=') return null
  const { lexpr, rexpr } = compared
  if (isJobName(alias, lexpr)) return textIn(rexpr)
  return isJobName(alias, rexpr) ? textIn(lexpr) : null
}

function isJobName(alias: string, node: Node | undefined): boolean {
  const reference = as(withoutCasts(node), 'ColumnRef')
  const [column, table] = reference ? columnParts(reference).reverse() : []
  return column === 'jobname' && (table === undefined || table === alias)
}

function textIn(node: Node | undefined): string | null {
  const constant = constantOf(withoutCasts(node))
  return typeof constant === 'string' ? constant : null
}
