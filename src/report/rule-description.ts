import type { Severity } from '../model/index.js'

/** What a rule says of itself, for the formats that carry it (SARIF lists every rule, whether it spoke or not). */
export interface RuleDescription {
  readonly id: string
  readonly title: string
  /** At its loudest. */
  readonly severity: Severity
  readonly what: string
  readonly why: string
  /** Code that the rule speaks of, and the same code made sound. */
  readonly example: string
  readonly sound: string
  readonly fix: string
  readonly falsePositives: readonly string[]
  readonly references: readonly string[]
}
