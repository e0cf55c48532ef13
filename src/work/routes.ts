import type { Value } from '../typescript/index.js'

/**
 * What the routers of a function (Hono, Oak, Express, …) hold. A tick's URL names one path, and only the handlers of that
 * path answer it: those of the other routes are entered by somebody else.
 */
export interface Routes {
  /** A new router, under a path; `of`: a router whose path it extends. */
  router(path: string | null, of?: number): number
  /** The handlers of `child` stand under a path of `parent`. */
  mount(parent: number | undefined, path: string | null, child: number): void
  /** `verb` null: every method; `path` null: every path, or one that is not known. */
  add(handler: Value, route: Route): void
  has(handler: Value): boolean
  /** The handlers that a request reaches; all of them where its path is not known or none answers it. */
  reached(handlers: readonly Value[], request: Asked): readonly Value[]
}

export interface Route {
  readonly router: number | undefined
  readonly verb: string | null
  readonly path: string | null
  /** Runs before the handlers of its path, and answers nothing by itself. */
  readonly middleware: boolean
}

/** A request's method and path, as an edge function sees it: `/NAME/…`; null: not known. */
export interface Asked {
  readonly method: string | null
  readonly path: string | null
}

interface Router {
  readonly base: string
  readonly under: { readonly parent: number | undefined; readonly path: string }[]
}

export function createRoutes(): Routes {
  const routers: Router[] = []
  const routes = new Map<Value, Route[]>()

  /** The whole paths at which a router's handlers stand. */
  const prefixes = (router: number | undefined, depth = 0): string[] => {
    const known = router === undefined ? undefined : routers[router]
    if (!known || depth > 5) return ['']
    if (known.under.length === 0) return [known.base]
    return known.under.flatMap(({ parent, path }) =>
      prefixes(parent, depth + 1).map((prefix) => `${prefix}/${path}/${known.base}`),
    )
  }

  const answers = (route: Route, path: string): boolean =>
    route.path === null || prefixes(route.router).some((prefix) => matches(`${prefix}/${route.path}`, path))

  return {
    router(path, of) {
      const base = of === undefined ? '' : (routers[of]?.base ?? '')
      routers.push({ base: `${base}/${path ?? '*'}`, under: [] })
      return routers.length - 1
    },
    mount(parent, path, child) {
      routers[child]?.under.push({ parent, path: path ?? '*' })
    },
    add(handler, route) {
      routes.set(handler, [...(routes.get(handler) ?? []), route])
    },
    has: (handler) => routes.has(handler),
    reached(handlers, { method, path }) {
      if (path === null) return handlers
      // Frameworks see the function's name as the first segment; some set-ups strip it.
      for (const seen of [path, path.replace(/^\/[^/]*/, '')]) {
        const found = handlers.filter((handler) => {
          const its = routes.get(handler)
          return !its || its.some((each) => takes(each, method) && answers(each, seen))
        })
        if (found.some((handler) => routes.get(handler)?.some((each) => !each.middleware && each.path !== null)))
          return found
      }
      return handlers
    },
  }
}

const takes = (route: Route, method: string | null): boolean =>
  route.verb === null || method === null || route.verb === method.toLowerCase()

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

/** `/crates/:id`, `/crates/*`, `/(.*)`: a segment that is no plain word stands for anything. */
function matches(pattern: string, path: string): boolean {
  const wanted = segmentsOf(pattern)
  const given = segmentsOf(path)
  const last = wanted[wanted.length - 1] ?? ''
  const open = last.includes('*')
  const optional = last.endsWith('?')
  if (given.length > wanted.length ? !open : given.length < wanted.length - (open || optional ? 1 : 0)) return false
  return given.every((segment, index) => {
    const expected = wanted[index]
    return expected === undefined || /[:*({]/.test(expected) || expected === segment
  })
}
