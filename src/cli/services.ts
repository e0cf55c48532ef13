import type { auditProject } from '../audit.js'
import type { Rule } from '../rules/rule.js'

/** The heavy parts, loaded only by the command that needs them, so that `--help` and `rules` start at once. */
export interface Services {
  readonly audit: () => Promise<typeof auditProject>
  readonly rules: () => Promise<readonly Rule[]>
}

export const lazyServices: Services = {
  audit: async () => (await import('../audit.js')).auditProject,
  rules: async () => (await import('../rules/index.js')).rules,
}
