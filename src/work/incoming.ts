import { constant, foreign, unknown, type Foreign, type ForeignData, type Value } from '../typescript/index.js'
import type { Asked } from './routes.js'

/** The request that a handler is given; a framework's context answers for it too. */
type RequestData = ForeignData & {
  readonly type: 'request'
  readonly body: Value
  readonly method: string | null
  /** As the function sees it; null: not known. */
  readonly url: string | null
}

export type Incoming = Foreign & { data: RequestData }

export const isRequest = (value: Foreign): value is Incoming => value.data.type === 'request'

export const requestValue = (body: Value, method: string | null, url: string | null): Incoming =>
  foreign({ type: 'request', body, method, url } as RequestData) as Incoming

const FROM_REQUEST = new Set(['request'])

/**
 * The URL of a request as an edge function sees it: the path begins with the function's name, not with /functions/v1
 * (https://supabase.com/docs/guides/functions/routing). `address`: the name and what follows; null where a part is not known.
 */
export const seenUrl = (address: string): string | null => (address.includes('…') ? null : `http://edge/${address}`)

/** The same, of the URL that a tick asks for. */
export function urlOfDispatch(url: string, name: string): string | null {
  const at = url.search(/\/functions\/v1\/|\.functions\.supabase\./)
  const from = url.indexOf(`/${name}`, Math.max(at, 0) + (at >= 0 ? 1 : 0))
  return from < 0 ? null : seenUrl(url.slice(from + 1))
}

export function askedOf({ data }: Incoming): Asked {
  const path = data.url === null || !URL.canParse(data.url) ? null : new URL(data.url).pathname
  return { method: data.method, path }
}

export function requestProperty(value: Incoming, name: string | null): Value {
  if (name === 'req' || name === 'request' || name === 'raw') return value
  if (name === 'method' && value.data.method !== null) return constant(value.data.method)
  if (name === 'body') return value.data.body
  if (name === 'url' && value.data.url !== null) return constant(value.data.url)
  const { path } = askedOf(value)
  if (name === 'path' && path !== null) return constant(path)
  return unknown(FROM_REQUEST)
}

export function requestMethod(value: Incoming, name: string, args: readonly Value[]): Value | undefined {
  if (args.length === 0 && (name === 'json' || name === 'text' || name === 'formData' || name === 'parseBody'))
    return name === 'text' ? { kind: 'json', of: value.data.body } : value.data.body
  if (args.length === 0 && name === 'clone') return value
  if (name === 'query' && value.data.url !== null && URL.canParse(value.data.url)) {
    const [key] = args
    if (key?.kind === 'const') return constant(new URL(value.data.url).searchParams.get(String(key.value)) ?? undefined)
  }
  if (name === 'get' || name === 'query' || name === 'param' || name === 'header') return unknown(FROM_REQUEST)
  return undefined
}
