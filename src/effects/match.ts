import type { EffectMatch, IdempotencyForm } from '../model/index.js'
import { hostPattern, type Catalogue, type CustomEntry } from './catalogue.js'
import { HEADER_KEY, type CatalogueEntry, type Excluded, type Operation } from './entry.js'

/** A request as far as the code shows it. In texts, "…" stands for what is not known. */
export interface RequestFacts {
  /** Null: not known; then a write is taken for possible. */
  readonly method: string | null
  readonly host: string | null
  /** From the first slash on, with or without query; null: not known. */
  readonly path: string | null
  /** The body's text, as far as it is known: tells a query from a mutation. */
  readonly body?: string | null
}

export interface CallFacts {
  /** What `packageOf` says of the import; '' for a function of the project itself. */
  readonly package: string
  /** The property path of the call on the imported thing: ['chat', 'completions', 'create'], or the imported function's name. */
  readonly path: readonly string[]
  /** The class of the first argument: `client.send(new SendEmailCommand(…))`. */
  readonly argumentClass?: string
}

/** An effect; `read`: only reads; `none`: neither (telemetry, tokens, the project's own database, set-up). */
export type MatchResult = EffectMatch | 'read' | 'none'

const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Sessions and tokens, whoever serves them. */
const TOKEN_PATH =
  /(^|[./])(tokens?|access_?token|refresh_?token|token\/refresh|introspect|revoke|log-?in|sign-?in|authenticate|create_?session|refresh_?session|siteverify)\/?$/i

/** Look-ups that are a POST, at hosts that the catalogue does not know. */
const QUERY_PATH =
  /\/(search|query|queries|lookup|_search|_msearch|_count|multi[-_]search|scroll|siteverify|batch\/read)\/?$/i

/** What an unknown host does, where its path is one that only one kind of service has. */
const TELLING_PATHS: readonly Operation[] = [
  { title: 'chat completion', kind: 'spend', latency: 'chat-model', paths: [/\/chat\/completions\/?$/] },
  { title: 'embedding', kind: 'spend', latency: 'embedding', paths: [/\/v1\/embeddings\/?$/] },
  { title: 'image', kind: 'spend', latency: 'media-model', paths: [/\/images\/generations\/?$/] },
  { title: 'transcription', kind: 'spend', latency: 'media-model', paths: [/\/audio\/(transcriptions|speech)\/?$/] },
]

const SUPABASE_HOST = /(^|\.)supabase\.(co|in|net|red)$/
/** The services behind a project's own address, also under a custom domain. */
const SUPABASE_PATH = /^\/(rest|storage|auth|functions|graphql|realtime|pg|analytics)\/v\d+(\/|$)/
const AUTH_MAIL = /^\/auth\/v1\/(invite|recover|otp|magiclink|resend|reauthenticate|signup)\/?$/

/** What a request does at the other end. */
export function matchRequest(catalogue: Catalogue, request: RequestFacts): MatchResult {
  const host = hostName(request.host)
  const path = pathOnly(request.path)
  const reads = READING_METHODS.has(request.method?.toUpperCase() ?? '')
  const own = ownSupabase(host, path)
  const custom =
    host === null
      ? undefined
      : catalogue.custom.find((item) => item.host !== undefined && hostPattern(item.host).test(host))
  if (custom !== undefined) return custom.operation === null ? 'none' : reads ? 'read' : toMatch('', custom.operation)
  if (own !== null) return reads ? 'read' : own
  const entry = host === null ? null : entryOfHost(catalogue, host)
  if (reads) return entry === null ? 'read' : effectByGet(entry, path)
  if (path !== null && TOKEN_PATH.test(path)) return 'none'
  if (path !== null && isGraphQl(path)) return graphQl(entry, host, request.body ?? null)
  return entry === null ? unknownHost(host, path) : writeAt(entry, path, request.body ?? null)
}

/** What a call of a package does; null: the catalogue does not know the package (or the call of the project's own function). */
export function matchCall(catalogue: Catalogue, call: CallFacts): MatchResult | null {
  const name = call.package.toLowerCase()
  const custom = catalogue.custom.find((item) => namesCall(item, name, call.path))
  if (custom !== undefined) return custom.operation === null ? 'none' : toMatch('', custom.operation)
  return matchPackage(catalogue, name, call) ?? awsCommand(name, call)
}

/** Any other command of an AWS client says by its first word whether it changes something: ChangeResourceRecordSetsCommand. */
function awsCommand(packageName: string, call: CallFacts): MatchResult | null {
  if (!packageName.startsWith('@aws-sdk/client-') || call.argumentClass === undefined) return null
  if (AWS_READS.test(call.argumentClass)) return 'read'
  return toMatch('AWS', { title: call.argumentClass.replace(/Command$/, ''), kind: 'state', latency: 'other-write' })
}

const AWS_READS = /^(Get|List|Describe|Head|Query|Scan|BatchGet|Select|Lookup|Search|Test|Check|Receive)(?=[A-Z])/

function matchPackage(catalogue: Catalogue, name: string, call: CallFacts): MatchResult | null {
  const entry = catalogue.packages.get(name) ?? catalogue.scopes.get(name.split('/')[0]!)
  if (entry === undefined) return null
  if (names(entry.none, call.path)) return 'none'
  if (names(entry.reads, call.path)) return 'read'
  const operation = operationOfCall(entry, call)
  if (operation !== null) return toMatch(entry.provider, operation)
  if (typeof awsCommand(name, call) === 'object' && call.argumentClass !== undefined) return null
  return !entry.harmless && READING_VERB.test(call.path.at(-1) ?? '') ? 'read' : 'none'
}

// --- requests ---

function hostName(host: string | null): string | null {
  const name =
    host
      ?.toLowerCase()
      .replace(/^.*@/, '')
      .replace(/:[\d…]*$/, '')
      .replace(/\.$/, '') ?? ''
  return name === '' || name === '…' ? null : name
}

function pathOnly(path: string | null): string | null {
  return path?.replace(/[?#].*$/s, '') ?? null
}

/** The project's own services; null: something else. */
function ownSupabase(host: string | null, path: string | null): MatchResult | null {
  const known = host !== null && SUPABASE_HOST.test(host)
  if (known && path === null)
    return { ...toMatch('', { ...OTHER_WRITE, title: `write to ${host}, path not known` }), unknownHost: true }
  if (known && host.includes('.functions.')) return edgeFunction(path!.split('/')[1] ?? '')
  if (path === null || !SUPABASE_PATH.test(path)) return null
  if (AUTH_MAIL.test(path)) return toMatch('Supabase Auth', { title: 'e-mail', kind: 'message', latency: 'email' })
  const name = /^\/functions\/v1\/([^/]+)/.exec(path)?.[1]
  return name === undefined ? 'none' : edgeFunction(name)
}

/** A function that the caller could not follow; where it can, the function's own effects count. */
function edgeFunction(name: string): MatchResult {
  return toMatch('Edge function', { title: name, kind: 'state', latency: 'edge-function' })
}

function entryOfHost(catalogue: Catalogue, host: string): CatalogueEntry | null {
  const exact = catalogue.hosts.get(host)
  return exact ?? catalogue.hostPatterns.find(({ pattern }) => pattern.test(host))?.entry ?? null
}

function effectByGet(entry: CatalogueEntry, path: string | null): MatchResult {
  const operation = entry.operations.find(
    (candidate) => candidate.byGet && (candidate.paths === undefined || matchesPath(candidate, path)),
  )
  if (operation === undefined || excludes(entry.reads, path) || excludes(entry.none, path)) return 'read'
  return toMatch(entry.provider, operation)
}

function writeAt(entry: CatalogueEntry, path: string | null, body: string | null): MatchResult {
  if (excludes(entry.none, path)) return 'none'
  if (excludes(entry.reads, path)) return 'read'
  const usable = entry.operations.filter(
    (operation) => operation.body === undefined || (body !== null && operation.body.test(body)),
  )
  const named = usable.find((candidate) => matchesPath(candidate, path))
  // Where nothing of the path is known: what the provider does first of all
  const first = path === null || /^(\/v\d[\w.]*)?\/?…[/…]*$/.test(path) ? usable[0] : undefined
  const operation = named ?? first ?? usable.find((candidate) => candidate.paths === undefined)
  if (operation !== undefined) return toMatch(entry.provider, operation)
  if (entry.harmless) return 'none'
  return toMatch(entry.provider, { title: 'write', kind: 'state', latency: 'other-write' })
}

function isGraphQl(path: string): boolean {
  return /\/graphql(\.json)?\/?$/i.test(path)
}

/** One address for queries and mutations: where the body does not tell them apart, a write is likely enough to be named, not to be loud. */
function graphQl(entry: CatalogueEntry | null, host: string | null, body: string | null): MatchResult {
  if (entry?.harmless) return 'none'
  if (body !== null && !body.includes('…') && !/\bmutation\b/.test(body)) return 'read'
  const certain = entry !== null && body !== null && /\bmutation\b/.test(body)
  const operation = entry?.operations.find((candidate) => candidate.paths === undefined) ?? OTHER_WRITE
  if (certain) return toMatch(entry.provider, operation)
  return {
    ...toMatch(entry?.provider ?? '', { ...operation, title: `GraphQL request${host === null ? '' : ` to ${host}`}` }),
    unknownHost: true,
  }
}

const OTHER_WRITE: Operation = { title: 'write', kind: 'state', latency: 'other-write' }

function unknownHost(host: string | null, path: string | null): MatchResult {
  if (path !== null && QUERY_PATH.test(path)) return 'read'
  const place = host ?? 'an address not known from the code'
  const telling = path === null ? undefined : TELLING_PATHS.find((operation) => matchesPath(operation, path))
  const title = telling === undefined ? `write to ${place}` : `${telling.title} at ${place}`
  // Who sends a key to an unknown host has read that the host takes one
  return {
    ...toMatch('', { ...(telling ?? OTHER_WRITE), title, idempotency: HEADER_KEY }),
    provider: host ?? 'unknown',
    unknownHost: true,
  }
}

function matchesPath(operation: Operation, path: string | null): boolean {
  return path !== null && (operation.paths?.some((pattern) => pattern.test(path)) ?? false)
}

function excludes(excluded: Excluded | undefined, path: string | null): boolean {
  return path !== null && (excluded?.paths?.some((pattern) => pattern.test(path)) ?? false)
}

// --- calls ---

const READING_VERB =
  /^(get|list|retrieve|search|find|fetch|read|query|describe|count|lookup|download|validate|verify|check|preview|is|has|parse|construct|all|iterate|select)(?=[A-Z_]|$)/

function operationOfCall(entry: CatalogueEntry, call: CallFacts): Operation | null {
  const byCommand = entry.operations.find((operation) => namesCommand(operation, call))
  if (byCommand !== undefined) return byCommand
  const byPath = entry.operations.find((operation) => operation.calls?.some((pattern) => endsWith(call.path, pattern)))
  return byPath ?? null
}

/** `send(new XCommand())`, `x()` of the aggregated client; a `send` of something unknown counts as the provider's first command. */
function namesCommand(operation: Operation, call: CallFacts): boolean {
  if (operation.commands === undefined) return false
  const last = call.path.at(-1) ?? ''
  if (call.argumentClass !== undefined) return last === 'send' && operation.commands.includes(call.argumentClass)
  return (
    last === 'send' ||
    operation.commands.some((command) => command.replace(/Command$/, '').toLowerCase() === last.toLowerCase())
  )
}

/** Does the path end in the pattern's names? A star stands for any one name. */
function endsWith(path: readonly string[], pattern: string): boolean {
  const wanted = pattern.split('.')
  const at = path.length - wanted.length
  return at >= 0 && wanted.every((name, i) => name === '*' || name === path[at + i])
}

function names(excluded: Excluded | undefined, path: readonly string[]): boolean {
  return excluded?.calls?.some((pattern) => endsWith(path, pattern)) ?? false
}

function namesCall(item: CustomEntry, packageName: string, path: readonly string[]): boolean {
  if (item.call === undefined && item.package === undefined) return false
  return (
    (item.package === undefined || item.package === packageName) &&
    (item.call === undefined || endsWith(path, item.call))
  )
}

// --- results ---

function toMatch(provider: string, operation: Operation): EffectMatch {
  return {
    title: provider === '' ? operation.title : `${provider} ${operation.title}`,
    provider: provider === '' ? operation.title : provider,
    kind: operation.kind,
    latency: operation.latency,
    unknownHost: false,
    idempotency: operation.idempotency === undefined ? null : wholeForm(operation.idempotency),
  }
}

function wholeForm(form: Partial<IdempotencyForm>): IdempotencyForm {
  return { headers: form.headers ?? [], bodyFields: form.bodyFields ?? [], options: form.options ?? [] }
}
