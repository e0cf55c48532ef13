import { textOrNull } from '../clients/names.js'
import type { External, Value } from '../typescript/index.js'
import type { Route, Routes } from './routes.js'

/** Packages whose objects take handlers by method and path. */
export const ROUTERS = /^(hono|@hono\/|@oak\/|oak$|itty-router|express$|@std\/http|koa)/

const VERBS = new Set(['get', 'post', 'put', 'delete', 'patch', 'all', 'use', 'on', 'route', 'options'])

interface RouterCall {
  readonly value: Value
  readonly handlers: readonly Value[]
  readonly route: Route
}

/** `new Hono()`, `app.basePath('/x')`, `app.route('/y', other)`, `app.post('/z', handler)`; null: something else. */
export function routerCall(
  routes: Routes,
  value: External,
  args: readonly Value[],
  made: 'call' | 'new',
): RouterCall | null {
  const last = value.path[value.path.length - 1] ?? ''
  const itself: External = { ...value, path: [] }
  const route: Route = { router: value.which, verb: null, path: textOrNull(args[0]), middleware: false }
  const quiet = (result: Value): RouterCall => ({ value: result, handlers: [], route })
  if (made === 'new') return quiet({ ...itself, made: args, which: routes.router('') })
  if (last === 'basePath') return quiet({ ...itself, which: routes.router(textOrNull(args[0]), value.which) })
  const handlers = args.filter((arg) => arg.kind === 'function')
  const others = args.filter((arg): arg is External => arg.kind === 'external' && arg.which !== undefined)
  if ((last === 'route' || last === 'use' || last === 'mount') && others.length > 0) {
    for (const other of others)
      routes.mount(value.which, args[0]?.kind === 'external' ? '' : textOrNull(args[0]), other.which!)
    if (handlers.length === 0) return quiet(itself)
  }
  if (!VERBS.has(last) || handlers.length === 0) return null
  const verb = last === 'all' || last === 'use' || last === 'on' || last === 'route' ? null : last
  // `on(method, path, …)` names its path elsewhere.
  const path = last === 'on' || last === 'route' || args[0]?.kind === 'function' ? null : route.path
  return { value: itself, handlers, route: { ...route, verb, path, middleware: last === 'use' } }
}
