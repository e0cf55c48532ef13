import { addressOf, functionInUrl, restQuery, type Request } from '../clients/postgrest.js'
import type { Query } from '../clients/query.js'
import { constant, textOf, type Foreign, type Machine, type Site, type Value } from '../typescript/index.js'
import { formsOf, httpClientOf } from '../effects/index.js'

/** Where a request goes. */
export type Route =
  | { readonly kind: 'database'; readonly query: Query }
  | { readonly kind: 'function'; readonly name: Value; readonly body: Value | null }
  /** The project's own storage, authentication and the like. */
  | { readonly kind: 'own'; readonly path: string | null }
  | {
      readonly kind: 'outside'
      readonly host: string | null
      readonly path: string | null
      readonly method: string | null
      readonly variable: string | null
    }

/** What a call of `fetch` asks for: from a URL and an init object, a Request, or a URL object. */
export function fetchRequest(args: readonly Value[], machine: Machine, site: Site): Request {
  const [target, init] = args
  const options = init ? machine.objectCell(firstObject(init)) : null
  const given =
    target?.kind === 'foreign' && target.data.type === 'outgoing'
      ? (target.data as unknown as { request: Request }).request
      : null
  const method = options?.props.get('method')
  const headers = new Map(given?.headers ?? [])
  const headerCell = options?.props.get('headers')
  if (headerCell) for (const [name, value] of propsOf(headerCell, machine)) headers.set(name.toLowerCase(), value)
  return {
    url: given ? given.url : urlText(target ?? constant(''), machine),
    // A method that the program chooses may be one that writes.
    method: method ? methodOf(method) : init && !options && init.kind !== 'const' ? null : (given?.method ?? 'GET'),
    headers,
    body: options?.props.get('body') ?? given?.body ?? null,
    timeoutSeconds: signalSeconds(options?.props.get('signal'), machine) ?? given?.timeoutSeconds ?? null,
    site,
  }
}

/** `AbortSignal.timeout(30_000)`, as the host made it: seconds. */
function signalSeconds(signal: Value | undefined, machine: Machine): number | null {
  const timeout = signal ? machine.objectCell(signal)?.props.get('milliseconds') : undefined
  return timeout?.kind === 'const' && typeof timeout.value === 'number' ? timeout.value / 1000 : null
}

const firstObject = (value: Value): Value =>
  value.kind === 'alt' ? (value.options.find((option) => option.value.kind === 'object')?.value ?? value) : value

function methodOf(value: Value | undefined): string | null {
  if (!value) return null
  if (value.kind === 'const' && typeof value.value === 'string') return value.value.toUpperCase()
  if (value.kind === 'alt') {
    // `method ?? 'GET'`: the one that changes something, where one of them does.
    const real = value.options.filter((option) => !(option.value.kind === 'const' && option.value.value == null))
    if (real.some((option) => option.value.kind !== 'const')) return null
    const methods = real.map((option) => methodOf(option.value)).filter((name) => name !== null)
    return methods.find((name) => name !== 'GET' && name !== 'HEAD') ?? methods[0] ?? null
  }
  return null
}

/** Properties of an object; of a union, those that any option has. */
export function propsOf(value: Value, machine: Machine): Map<string, Value> {
  const props = new Map<string, Value>()
  const add = (part: Value) => {
    if (part.kind === 'alt') part.options.forEach((option) => add(option.value))
    else for (const [name, item] of machine.objectCell(part)?.props ?? []) props.set(name, item)
  }
  add(value)
  return props
}

export function urlText(value: Value, machine: Machine): Value {
  if (value.kind === 'foreign' && value.data.type === 'url')
    return machine.method(value, 'toString', [], undefined as never)
  if (value.kind === 'alt')
    return value.options.find((option) => option.value.kind === 'text' || option.value.kind === 'const')?.value ?? value
  return value
}

/** The request that a call of an HTTP client package makes; null: the call is none. `base`: what the client was made with. */
export function clientRequest(
  packageName: string,
  path: readonly string[],
  args: readonly Value[],
  base: readonly Value[],
  machine: Machine,
  site: Site,
): Request | null {
  const client = httpClientOf(packageName)
  const form = client ? formsOf(client, path).find((each) => each.url !== 0 || args[0]?.kind !== 'object') : undefined
  if (!client || !form) return null
  const options =
    form.options !== null && args[form.options] ? propsOf(args[form.options]!, machine) : new Map<string, Value>()
  const defaults = base[0] ? propsOf(base[0], machine) : new Map<string, Value>()
  const option = (names: readonly string[]): Value | undefined => {
    for (const name of names) {
      const value = options.get(name) ?? defaults.get(name)
      if (value) return value
    }
    return undefined
  }
  const url = form.url !== null ? args[form.url] : option(client.keys.url)
  const prefix = option(client.keys.base)
  const text = urlText(url ?? constant(''), machine)
  const absolute = text.kind === 'const' && /^https?:/.test(String(text.value))
  const headers = new Map<string, Value>()
  const given = option(client.keys.headers)
  if (given) for (const [name, value] of propsOf(given, machine)) headers.set(name.toLowerCase(), value)
  const data = form.body !== null ? args[form.body] : option(client.keys.body)
  const timeout = option(client.keys.timeout)
  return {
    url: prefix && !absolute ? textOf([prefix, text]) : text,
    method: form.method ?? methodOf(option(client.keys.method)) ?? 'GET',
    headers,
    body: data ? { kind: 'json', of: data } : null,
    timeoutSeconds:
      timeout?.kind === 'const' && typeof timeout.value === 'number'
        ? timeout.value / (client.timeoutUnit === 'milliseconds' ? 1000 : 1)
        : null,
    site,
  }
}

export function routeOf(request: Request, machine: Machine): Route {
  const query = restQuery(request, machine)
  const address = addressOf(request.url)
  if (query && (address.own || address.host === null)) return { kind: 'database', query }
  const name = functionInUrl(request.url)
  if (name) return { kind: 'function', name, body: request.body }
  if (address.own) return { kind: 'own', path: address.path }
  return { kind: 'outside', host: address.host, path: address.path, method: request.method, variable: address.variable }
}

export type { Foreign }
