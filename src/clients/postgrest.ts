import { constant, textOf, type Machine, type Site, type Value } from '../typescript/index.js'
import { conditionOf, filterOf, mark, parseLogic, type Filter } from './filters.js'
import type { Query } from './query.js'

/** What `fetch` was given, as far as the code shows it. */
export interface Request {
  readonly url: Value
  readonly method: string | null
  readonly headers: ReadonlyMap<string, Value>
  readonly body: Value | null
  /** After so many seconds the program gives up; null: it says nothing. */
  readonly timeoutSeconds: number | null
  readonly site: Site
}

/** Request parameters that are no conditions (https://docs.postgrest.org/en/v13/references/api/tables_views.html). */
const RESERVED = new Set(['select', 'order', 'limit', 'offset', 'on_conflict', 'columns'])

/** A request to the project's own REST address as a query; null: it is none. */
export function restQuery(request: Request, machine: Machine): Query | null {
  const marked = mark(request.url)
  if (!marked) return null
  const match = /\/rest\/v1\/(rpc\/)?([^?/]+)\/?(?:\?(.*))?$/s.exec(marked.text)
  if (!match) return null
  const [, rpc, name, search] = match
  const filters: Filter[] = []
  let limit: Value | null = null
  for (const part of (search ?? '').split('&').filter(Boolean)) {
    const at = part.indexOf('=')
    const key = at < 0 ? part : part.slice(0, at)
    const text = at < 0 ? '' : decode(part.slice(at + 1))
    if (key === 'limit') limit = typedLimit(marked.back(text))
    if (key.includes('\uE000')) {
      filters.push({ kind: 'other', columns: [], text: 'a condition that the program builds' })
      continue
    }
    if (RESERVED.has(key) || key === '') continue
    if (key === 'or' || key === 'and') {
      const inner = parseLogic(marked, text.replace(/^\((.*)\)$/s, '$1'), machine)
      filters.push({ kind: key === 'or' ? 'any' : 'all', filters: inner })
      continue
    }
    const condition = /^((?:not\.)?[a-z]+)\.(.*)$/s.exec(text)
    if (condition) filters.push(conditionOf(key, condition[1]!, condition[2]!, marked, machine))
    else if (text.includes('\uE000')) filters.push(filterOf('eq', key, marked.back(text), machine))
  }
  const prefer = headerText(request, 'prefer')
  const method = request.method ?? 'GET'
  const verb: Query['verb'] =
    rpc !== undefined
      ? 'call'
      : method === 'PATCH'
        ? 'update'
        : method === 'DELETE'
          ? 'delete'
          : method === 'POST'
            ? prefer.includes('resolution=')
              ? 'upsert'
              : 'insert'
            : 'select'
  if (rpc !== undefined && method === 'GET') return null
  const payload = request.body?.kind === 'json' ? request.body.of : request.body
  const accept = headerText(request, 'accept')
  return {
    verb,
    table: marked.back(name!),
    schema: headerText(request, 'content-profile') || headerText(request, 'accept-profile') || null,
    filters,
    payload,
    options: prefer.includes('resolution=ignore-duplicates')
      ? machine.object([['ignoreDuplicates', constant(true)]])
      : null,
    returning: prefer.includes('return=representation'),
    shape: accept.includes('vnd.pgrst.object') ? 'one' : 'list',
    limit,
    throws: false,
    site: request.site,
    client: null,
    viaHttp: true,
  }
}

function headerText(request: Request, name: string): string {
  const value = request.headers.get(name)
  return value?.kind === 'const' ? String(value.value).toLowerCase() : ''
}

const typedLimit = (value: Value): Value =>
  value.kind === 'const' && /^\d+$/.test(String(value.value)) ? constant(Number(value.value)) : value

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address of a text of parts: what is known of its host and path. `own`: it begins with the project's own address. */
export interface Address {
  readonly own: boolean
  readonly host: string | null
  /** The path with "…" for what is not known; null: nothing of it is. */
  readonly path: string | null
  /** The name of the environment variable that holds the beginning. */
  readonly variable: string | null
}

export function addressOf(url: Value): Address {
  const parts = url.kind === 'text' ? url.parts : [url]
  const first = parts[0]
  const text = parts.map((part) => (part.kind === 'const' ? String(part.value) : '\uE000')).join('')
  const variable = first?.kind === 'unknown' ? envOf(first.taints) : null
  const absolute = /^https?:\/\/([^/?#]+)([^?#]*)/.exec(text)
  if (absolute) {
    const host = absolute[1]!.replace(/:\d+$/, '')
    const known = !host.includes('\uE000')
    const path = show(absolute[2] ?? '')
    const own = known ? isOwnHost(host, path) : /^\/(rest|functions|storage|auth)\/v1\//.test(path)
    // `https://${REGION}.api.example.com`: the end of the host says whose it is.
    const tail = known ? host : (/\uE000((?:\.[\w-]+){2,})$/.exec(host)?.[1] ?? null)
    return { own, host: tail ? tail.replace(/^\./, '') : null, path, variable: null }
  }
  const rest = /^\uE000([^?#]*)/.exec(text)
  const path = rest ? show(rest[1] ?? '') : null
  const own = variable === 'SUPABASE_URL' || (path !== null && /^\/(rest|functions|storage|auth)\/v1\//.test(path))
  return { own, host: null, path, variable }
}

const show = (path: string): string => path.replace(/\uE000/g, '…')

const isOwnHost = (host: string, path: string): boolean =>
  /(^|\.)supabase\.(co|in|net|red)$/.test(host) ||
  ((host === 'localhost' || host === '127.0.0.1' || host === 'kong' || host === 'host.docker.internal') &&
    /^\/(rest|functions|storage|auth)\/v1\//.test(path))

function envOf(taints: ReadonlySet<string>): string | null {
  for (const taint of taints) if (taint.startsWith('env:')) return taint.slice(4)
  return null
}

/** The name of the edge function that a URL calls; its `variable` part may be a value of the program. */
export function functionInUrl(url: Value): Value | null {
  const parts = url.kind === 'text' ? url.parts : [url]
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!
    if (part.kind !== 'const') continue
    const text = String(part.value)
    const match =
      /\/functions\/v1\/([^/?#]*)/.exec(text) ??
      (/\.functions\.supabase\.(?:co|net)\/([^/?#]*)/.exec(text) as RegExpExecArray | null)
    if (!match) continue
    if (match[1]) return constant(match[1])
    return parts[index + 1] ?? null
  }
  return null
}

export { textOf }
