import { dirname } from 'node:path'
import { Option, type Command } from 'commander'
import type { AuditOptions } from '../options.js'
import { didYouMean } from '../closest.js'
import type { Settings } from '../config/config.js'
import type { Confidence } from '../model/index.js'
import { locateSupabase } from '../project/locate.js'
import { readDump } from './cron-job-dump.js'
import type { FailOn } from './exit-code.js'
import type { Services } from './services.js'
import { UsageError } from './usage-error.js'

/** The options that decide what is analysed; every command that audits has them, so that all see the same findings. */
export interface AnalysisFlags {
  /** A file; false: none. */
  readonly config?: string | false
  readonly migrationsOnly?: boolean
  readonly cronJobDump?: string
  readonly cronJobDumpOnly?: boolean
  readonly assumedRows?: number
  readonly maxRunSeconds?: number
}

/** The options that choose among the findings. */
export interface ChoiceFlags {
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly minConfidence?: Confidence
  readonly failOn?: FailOn
}

export interface Analysis {
  readonly settings: Settings
  readonly options: AuditOptions
  /** Absolute path of the baseline that the configuration names; false: it wants none; undefined: it does not say. */
  readonly baseline: string | false | undefined
}

export function analysisOptions(command: Command): Command {
  return command
    .option(
      '-c, --config <file>',
      'the configuration (default: the nearest tick-audit.json or .jsonc, or package.json)',
    )
    .option('--no-config', 'take no configuration')
    .option('--migrations-only', 'read supabase/migrations and no other SQL')
    .option('--cron-job-dump <file>', 'an export of cron.job, CSV or JSON: its jobs count beside those of the SQL')
    .option('--cron-job-dump-only', 'the jobs of that export, and no others')
    .addOption(
      new Option('--assumed-rows <n>', 'rows of a run where the code sets no limit (default: 100)').argParser(
        (value: string) => numberOf(value, '--assumed-rows', Number.isInteger, 'a whole number of 1 or more'),
      ),
    )
    .addOption(
      new Option('--max-run-seconds <n>', 'the longest that a run can live (default: no cap)').argParser(
        (value: string) => numberOf(value, '--max-run-seconds', Number.isFinite, 'a number above 0'),
      ),
    )
}

export function choiceOptions(command: Command): Command {
  const list = (value: string, before: readonly string[] = []): readonly string[] => [
    ...before,
    ...value.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])),
  ]
  return command
    .addOption(new Option('--only <rules>', 'these rules and no others, with commas').argParser(list))
    .addOption(new Option('--skip <rules>', 'all rules but these').argParser(list))
    .addOption(
      new Option('--min-confidence <level>', 'leave out findings that are less certain').choices([
        'low',
        'medium',
        'high',
      ]),
    )
}

/** Reads the configuration and whatever else an audit needs. Throws a UsageError before anything is analysed. */
export async function prepareAnalysis(
  path: string | null,
  flags: AnalysisFlags & ChoiceFlags,
  services: Services,
): Promise<Analysis> {
  // Reads JSON with a package that a command without a configuration does not load
  const { loadConfig, baselineOf, mergeConfig } = await import('../config/index.js')
  const ruleIds = (await services.rules()).map((rule) => rule.meta.id)
  for (const [option, ids] of [
    ['--only', flags.only],
    ['--skip', flags.skip],
  ] as const) {
    if (ids?.length === 0) throw new UsageError(`${option} names no rule. tick-audit rules lists them all.`)
    for (const id of ids ?? [])
      if (!ruleIds.includes(id))
        throw new UsageError(
          `${option} names no rule: "${id}".${didYouMean(id, ruleIds)} tick-audit rules lists them all.`,
        )
  }
  if (flags.cronJobDumpOnly === true && flags.cronJobDump === undefined)
    throw new UsageError('--cron-job-dump-only needs an export: --cron-job-dump FILE.')

  const supabase = locateSupabase(path, process.cwd())
  const start = typeof supabase === 'string' ? dirname(supabase) : null
  const loaded = loadConfig(flags.config ?? null, start, ruleIds)
  if (loaded.kind === 'invalid') throw new UsageError(loaded.message)
  const { assumedRows, maxRunSeconds, migrationsOnly, failOn, only, skip } = flags
  const config = mergeConfig(loaded.config, { assumedRows, maxRunSeconds, migrationsOnly, failOn, only, skip }, ruleIds)
  const settings: Settings = { config, file: loaded.file }
  const { baseline: _, failOn: __, ...analysed } = config
  const dump = flags.cronJobDump === undefined ? null : await readDump(flags.cronJobDump)
  return {
    settings,
    options: {
      ...analysed,
      ...(flags.minConfidence === undefined ? {} : { minConfidence: flags.minConfidence }),
      ...(dump === null ? {} : { cronJobDump: { ...dump, mode: flags.cronJobDumpOnly ? 'instead' : 'beside' } }),
    },
    baseline: baselineOf(settings),
  }
}

function numberOf(value: string, option: string, isRight: (number: number) => boolean, wanted: string): number {
  const number = value.trim() === '' ? Number.NaN : Number(value)
  if (!isRight(number) || number <= 0) throw new UsageError(`${option} is "${value}", but has to be ${wanted}.`)
  return number
}
