import type { Command } from 'commander'
import type { AuditOptions } from '../audit.js'

/** The options that decide what is analysed; every command that audits has them, so that all see the same findings. */
export interface AnalysisFlags {
  readonly migrationsOnly?: boolean
}

export function analysisOptions(command: Command): Command {
  return command.option('--migrations-only', 'read supabase/migrations and no other SQL')
}

export function auditOptionsOf(flags: AnalysisFlags): AuditOptions {
  return { migrationsOnly: flags.migrationsOnly === true }
}
