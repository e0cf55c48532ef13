import type { EffectKind, Latency, LatencyClass, Severity } from '../model/index.js'

/** What a rule's findings count as; `off`: they are left out. */
export type RuleLevel = Severity | 'off'

export type FailOn = Severity | 'none'

/** What a call looks like: by its host, its path, its package; at least one of the three. */
export interface CallPattern {
  /** The end of a dotted call path: `mailer.deliver`. */
  readonly call?: string
  /** `api.acme.example` or `*.acme.example`. */
  readonly host?: string
  readonly package?: string
}

export interface EffectPattern extends CallPattern {
  readonly class: LatencyClass
  readonly kind?: EffectKind
  readonly title?: string
  readonly idempotencyHeader?: string
}

/** The configuration as the user writes it; src/schema/config.json says the same. */
export interface Config {
  readonly rules?: Readonly<Record<string, RuleLevel>>
  readonly effects?: readonly EffectPattern[]
  readonly notEffects?: readonly CallPattern[]
  readonly assumedRows?: number
  readonly latencies?: Partial<Readonly<Record<LatencyClass, Partial<Latency>>>>
  readonly maxRunSeconds?: number | null
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly migrationsOnly?: boolean
  /** Relative to the configuration file; null or false: none, not even the usual one. */
  readonly baseline?: string | false | null
  readonly failOn?: FailOn
}

/** With the defaults filled in; a baseline has none here: without a word about it, the usual file is taken where it is. */
export type FullConfig = Config & Required<Omit<Config, 'baseline'>>

/** What a run goes by, and where it comes from. */
export interface Settings {
  readonly config: FullConfig
  /** Absolute path of the configuration file; null: there is none. */
  readonly file: string | null
}

/** As the contract has them. */
export const DEFAULTS: FullConfig = {
  rules: {},
  effects: [],
  notEffects: [],
  assumedRows: 100,
  latencies: {},
  maxRunSeconds: null,
  include: [],
  exclude: [],
  migrationsOnly: false,
  failOn: 'error',
}

/** What the command line may say of the same; undefined: nothing. */
export interface Overrides {
  readonly assumedRows?: number | undefined
  readonly maxRunSeconds?: number | undefined
  readonly migrationsOnly?: boolean | undefined
  readonly failOn?: FailOn | undefined
  /** These rules and no others. */
  readonly only?: readonly string[] | undefined
  readonly skip?: readonly string[] | undefined
}

/** The settings of a run: the command line wins over the file, the file over the defaults. */
export function mergeConfig(config: Config, overrides: Overrides, ruleIds: readonly string[]): FullConfig {
  const { only, skip = [], ...values } = overrides
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
  const merged = { ...DEFAULTS, ...config, ...given }
  const levels = new Map(Object.entries(merged.rules))
  for (const id of only === undefined ? [] : ruleIds)
    if (!only!.includes(id)) levels.set(id, 'off')
    else if (levels.get(id) === 'off') levels.delete(id)
  for (const id of skip) levels.set(id, 'off')
  return { ...merged, rules: Object.fromEntries(levels) }
}
