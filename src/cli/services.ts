import type { auditProject } from '../audit.js'
import type { Rule } from '../rules/rule.js'

/** The heavy parts, loaded only by the command that needs them, so that `--help` and `rules` start at once. */
export interface Services {
  readonly audit: () => Promise<typeof auditProject>
  readonly rules: () => Promise<readonly Rule[]>
  /** Begins to load the parser of SQL: it is compiled beside what else has to be done before an audit. */
  readonly warmUp?: () => void
}

export const lazyServices: Services = {
  audit: async () => (await import('../audit.js')).auditProject,
  rules: async () => (await import('../rules/index.js')).rules,
  // What fails here fails again where it is waited for, and is told there.
  warmUp: () => void import('../sql/index.js').then(({ loadParser }) => loadParser()).catch(() => {}),
}
