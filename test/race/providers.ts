import type { Answer, Call } from './postgrest.js'

/** Something that a provider did for a row, and cannot undo. */
export interface Effect {
  readonly run: string
  /** Host and path. */
  readonly target: string
  /** The `row-N` that the request speaks of. */
  readonly row: string
  readonly at: number
}

/** What goes wrong with a call: `before` the provider did its work, or `after`, so that the caller cannot know. */
export type Fault = 'before' | 'after'

export interface Providers {
  readonly effects: Effect[]
  /** Repeats that a provider recognised by their key. */
  readonly replays: Effect[]
  /** Repeats that a provider refused: a known key with another content. */
  readonly refused: Effect[]
  /** Do they know keys? Without, every call is done. */
  knowsKeys: boolean
  /** Asked for each call; null: all is well. */
  fault: (effect: Effect) => Fault | null
  readonly answer: (call: Call, run: string, now: number) => Answer
  readonly clear: () => void
}

/** "Idempotency keys expire after 24 hours" (Resend's documentation). */
const KEY_LIFE = 24 * 60 * 60 * 1000

/** All providers of the world, at any host. Rows are told apart by a `row-N` in what is sent. A read is no effect. */
export function createProviders(): Providers {
  const keys = new Map<string, { body: string; answer: Answer; at: number }>()
  const times = new Map<string, number>()
  const providers: Providers = {
    effects: [],
    replays: [],
    refused: [],
    knowsKeys: true,
    fault: () => null,
    clear: () => {
      for (const list of [providers.effects, providers.replays, providers.refused]) list.length = 0
      keys.clear()
      times.clear()
      providers.fault = () => null
      providers.knowsKeys = true
    },
    answer: (call, run, now) => {
      const target = call.url.host + call.url.pathname
      if (call.method === 'GET' || call.method === 'HEAD') return json(200, {})
      const row = /row-\d+/.exec(decodeURIComponent(call.url.href + call.body.replaceAll('%', '%25')))?.[0] ?? 'no row'
      const effect: Effect = { run, target, row, at: now }
      const key =
        providers.knowsKeys && call.url.host === 'api.resend.com' ? call.headers['idempotency-key'] : undefined
      const known = key === undefined ? undefined : keys.get(key)
      if (known && now - known.at < KEY_LIFE) {
        if (known.body !== call.body) {
          providers.refused.push(effect)
          return json(409, { name: 'invalid_idempotent_request', message: 'Same key, another payload' })
        }
        providers.replays.push(effect)
        return known.answer
      }
      const fault = providers.fault(effect)
      if (fault === 'before') return json(500, { error: { message: 'nothing was done' } })
      providers.effects.push(effect)
      const before = times.get(`${row} ${target}`) ?? 0
      times.set(`${row} ${target}`, before + 1)
      const answer = reply(call, `${row}, ${before}`)
      if (key !== undefined) keys.set(key, { body: call.body, answer, at: now })
      return fault === 'after' ? json(500, { error: { message: 'who knows' } }) : answer
    },
  }
  return providers
}

/** How often something was done for each row beyond the first time. */
export function repeats(effects: readonly Effect[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { target, row } of effects)
    counts.set(`${row} at ${target}`, (counts.get(`${row} at ${target}`) ?? -1) + 1)
  return new Map([...counts].filter(([, count]) => count > 0))
}

const json = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** What the caller needs to go on; another one each time for the same row. */
function reply(call: Call, name: string): Answer {
  const path = call.url.pathname
  if (path.endsWith('/embeddings'))
    return json(200, {
      object: 'list',
      model: 'm',
      usage: {},
      data: [{ object: 'embedding', index: 0, embedding: [0.25, 0.5] }],
    })
  if (path.endsWith('/chat/completions'))
    return json(200, {
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: `Answer to ${name}` } }],
      usage: {},
    })
  if (path.endsWith('/images/generations')) return json(200, { data: [{ url: 'https://images.example/1.png' }] })
  if (path.endsWith('/messages') && call.url.host === 'api.anthropic.com')
    return json(200, { content: [{ type: 'text', text: `Answer to ${name}` }] })
  return json(200, { ok: true, id: `made for ${name}` })
}
