import type { EffectKind, IdempotencyForm, LatencyClass } from '../model/index.js'

/**
 * One provider of the catalogue, as data. The facts come from the providers' SDK sources and API references; what is marked [V] in the
 * domain notes was read there, the rest is general knowledge of their APIs.
 */
export interface CatalogueEntry {
  readonly provider: string
  /** npm names; `@scope/*` stands for every package of a scope. */
  readonly packages?: readonly string[]
  /** `api.x.com`; a star stands for any letters, dots too: `*.x.com`, `email.*.amazonaws.com`. */
  readonly hosts?: readonly string[]
  /** Tried in order; the first that names the path or the call wins. */
  readonly operations: readonly Operation[]
  /** Requests that only read although they are a POST, and calls that only read although no verb says so. */
  readonly reads?: Excluded
  /** Requests and calls that neither read nor have an effect: sessions, tokens, telemetry. */
  readonly none?: Excluded
  /** What no operation names is no effect (telemetry, token endpoints, caches). */
  readonly harmless?: boolean
}

export interface Excluded {
  readonly paths?: readonly RegExp[]
  readonly calls?: readonly string[]
}

/** Something that a provider does for a call. */
export interface Operation {
  /** For people, after the provider's name: "chat completion". */
  readonly title: string
  readonly kind: EffectKind
  readonly latency: LatencyClass
  /** Which paths of the provider's hosts; without: every path that no other operation names. An empty list: none. */
  readonly paths?: readonly RegExp[]
  /** The end of the dotted path of an SDK call, `chat.completions.create`; `*` stands for any one name. */
  readonly calls?: readonly string[]
  /** AWS: the command that is handed to `send`. */
  readonly commands?: readonly string[]
  /** Only where the request's body is known and has this: one address that reads and writes (JSON-RPC). */
  readonly body?: RegExp
  /** The provider does it for a GET request too. */
  readonly byGet?: boolean
  readonly idempotency?: Partial<IdempotencyForm>
}

/** A key in the `Idempotency-Key` header. Header names are in lower case. */
export const HEADER_KEY: Partial<IdempotencyForm> = { headers: ['idempotency-key'] }

/** A third party's record. */
export const change = { title: 'change', kind: 'state', latency: 'other-write' } as const
export const CRUD = [
  '*.create',
  '*.update',
  '*.delete',
  '*.append',
  '*.insert',
  '*.upsert',
  '*.archive',
  '*.remove',
  '*.patch',
  '*.add',
]
/** Look-ups that are a POST. Not `list` and `filter`: to POST there creates one in some tools. */
export const READ_PATHS = [
  /\/(search|query|queries|_search|_msearch|_count|multi[-_]search|lookup|scroll|batch\/read)\/?$/,
]

/** A tool whose every write changes a record in it. */
export function tool(
  provider: string,
  hosts: readonly string[],
  packages: readonly string[] = [],
  calls: readonly string[] = CRUD,
): CatalogueEntry {
  return { provider, hosts, packages, operations: [{ ...change, calls }], reads: { paths: READ_PATHS } }
}
