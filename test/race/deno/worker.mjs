// One worker of an edge function, as the platform starts them: an isolate of its own, with the function's own source.
// Every request that the function sends goes to the test's server, which knows its address from a header; the clock is
// the test's. One invocation at a time runs in a worker.

const origin = Deno.env.get('RACE_ORIGIN')
const network = globalThis.fetch
const RealDate = globalThis.Date
let handler = null
let background = []
let run = { id: 'none', now: RealDate.now(), uuids: 0 }

globalThis.fetch = async (input, init) => {
  const mine = run
  const request = new Request(input, init)
  const headers = new Headers(request.headers)
  headers.set('x-race-url', request.url)
  headers.set('x-race-run', mine.id)
  const body = request.body === null ? undefined : await request.arrayBuffer()
  const answer = await network(origin, { method: request.method, headers, body, signal: request.signal })
  // The invocation is dead: nothing of it goes on.
  if (answer.headers.has('x-race-dead')) return new Promise(() => {})
  const now = answer.headers.get('x-race-now')
  if (now !== null) mine.now = Number(now)
  return answer
}

globalThis.Date = class Date extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(run.now)
    else super(...parts)
  }
  static now() {
    return run.now
  }
}

// The same in each replay of a schedule, and never the same for two invocations.
crypto.randomUUID = () => {
  const tail = `${[...run.id.split('.')[0]].map((letter) => letter.charCodeAt(0).toString(16)).join('')}${(run.uuids++).toString(16)}`
  return `00000000-0000-4000-8000-${tail.padStart(12, '0').slice(-12)}`
}

// Every secret is there; none is real.
Deno.env.get = (name) => {
  if (name === 'SUPABASE_URL') return 'http://project.test'
  return /KEY|TOKEN|SECRET|SID/.test(name) ? `test-${name}` : undefined
}
Deno.serve = (...parts) => {
  handler = parts.find((part) => typeof part === 'function') ?? parts[0].handler
  return { finished: new Promise(() => {}), shutdown: async () => {}, ref() {}, unref() {} }
}
globalThis.EdgeRuntime = { waitUntil: (promise) => background.push(promise) }
if (!Deno.args.includes('--loud'))
  for (const name of ['log', 'info', 'warn', 'error', 'debug']) console[name] = () => {}

async function invoke({ id, now, url, headers, body }) {
  run = { id, now, uuids: 0 }
  background = []
  const response = await handler(new Request(url, { method: 'POST', headers, body }))
  const text = await response.text()
  await Promise.allSettled(background)
  return { status: response.status, text }
}

self.onmessage = async ({ data }) => {
  try {
    if (data.entry !== undefined) {
      handler = null
      const module = await import(data.entry)
      handler ??= module.default?.fetch
      self.postMessage({ ready: true })
    } else {
      self.postMessage({ id: data.id, ...(await invoke(data)) })
    }
  } catch (error) {
    self.postMessage({ id: data.id, ready: false, status: 500, text: String(error?.stack ?? error) })
  }
}
