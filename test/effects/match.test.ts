import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CATALOGUE,
  extendCatalogue,
  FETCH,
  formsOf,
  httpClientOf,
  latencyOf,
  matchCall,
  matchRequest,
  packageOf,
} from '../../src/effects/index.js'

const request = (method: string | null, host: string | null, path: string | null, body?: string) =>
  matchRequest(CATALOGUE, { method, host, path, ...(body !== undefined && { body }) })
const call = (name: string, path: string, argumentClass?: string) =>
  matchCall(CATALOGUE, { package: name, path: path.split('.'), ...(argumentClass !== undefined && { argumentClass }) })

describe('requests that are no effects', () => {
  it.each([
    ['GET', 'api.stripe.com', '/v1/charges', 'read'],
    ['head', 'api.acme.dev', '/x', 'read'],
    ['POST', 'oauth2.googleapis.com', '/token', 'none'],
    ['POST', 'login.microsoftonline.com', '/…/oauth2/v2.0/token', 'none'],
    ['POST', 'auth.acme.dev', '/oauth/token', 'none'],
    ['POST', 'api.acme.dev', '/v1/auth/login', 'none'],
    ['POST', 'bsky.social', '/xrpc/com.atproto.server.createSession', 'none'],
    ['POST', 'o1.ingest.us.sentry.io', '/api/1/envelope/', 'none'],
    ['POST', 'us.i.posthog.com', '/capture/', 'none'],
    ['POST', 'challenges.cloudflare.com', '/turnstile/v0/siteverify', 'none'],
    ['POST', 'abcd.upstash.io', '/', 'none'],
    ['POST', 'api.openai.com', '/v1/moderations', 'read'],
    ['POST', 'api.anthropic.com', '/v1/messages/count_tokens', 'read'],
    ['POST', 'api.notion.com', '/v1/databases/d/query', 'read'],
    ['POST', 'api.hubapi.com', '/crm/v3/objects/contacts/search', 'read'],
    ['POST', 'idx-1.svc.eu.pinecone.io', '/query', 'read'],
    ['POST', 'places.googleapis.com', '/v1/places:searchText', 'read'],
    ['POST', 'www.googleapis.com', '/calendar/v3/freeBusy', 'read'],
    ['POST', 'production.plaid.com', '/transactions/sync', 'none'],
    ['POST', 'search.acme.dev', '/indexes/x/search', 'read'],
    ['POST', 'api.stripe.com', '/v1/billing_portal/sessions', 'none'],
    ['POST', 'exp.host', '/--/api/v2/push/getReceipts', 'read'],
    ['GET', 'api.telegram.org', '/bot…/getUpdates', 'read'],
    ['POST', 'mainnet.infura.io', '/v3/key', 'none'],
  ])('%s %s%s: %s', (method, host, path, expected) => expect(request(method, host, path)).toBe(expected))
})

describe("the project's own services", () => {
  it.each([
    ['x.supabase.co', '/rest/v1/jobs'],
    [null, '/rest/v1/rpc/claim'],
    ['api.acme.dev', '/storage/v1/object/b/k'],
    ['kong:8000', '/auth/v1/admin/users'],
  ])('%s%s is no effect', (host, path) => expect(request('POST', host, path)).toBe('none'))

  it('mail from auth is one, and so is a function that could not be followed', () => {
    expect(request('POST', 'x.supabase.co', '/auth/v1/invite')).toMatchObject({ kind: 'message', latency: 'email' })
    expect(request('POST', null, '/functions/v1/send-mail')).toMatchObject({
      title: 'Edge function send-mail',
      latency: 'edge-function',
    })
    expect(request('POST', 'x.functions.supabase.co', '/send-mail')).toMatchObject({ title: 'Edge function send-mail' })
    expect(request('POST', '….supabase.co', null)).toMatchObject({ unknownHost: true })
  })
})

describe('unknown hosts', () => {
  it('are named as far as they are known', () => {
    expect(request('POST', 'Events.Acme.dev:8443', '/hook')).toEqual({
      title: 'write to events.acme.dev',
      provider: 'events.acme.dev',
      kind: 'state',
      latency: 'other-write',
      unknownHost: true,
      idempotency: { headers: ['idempotency-key'], bodyFields: [], options: [] },
    })
    expect(request('DELETE', null, null)).toMatchObject({
      title: 'write to an address not known from the code',
      unknownHost: true,
    })
    expect(request('POST', '…', '/x')).toMatchObject({ title: 'write to an address not known from the code' })
    expect(request(null, null, null)).toMatchObject({ unknownHost: true })
  })

  it('with a telling path are what the path says, and stay unknown', () => {
    expect(request('POST', null, '/v1/chat/completions')).toMatchObject({
      kind: 'spend',
      latency: 'chat-model',
      unknownHost: true,
    })
    expect(request('POST', 'llm.acme.dev', '/v1/embeddings')).toMatchObject({ latency: 'embedding', unknownHost: true })
  })
})

describe('one address for reading and writing', () => {
  it('GraphQL: the body tells, and without it nothing is certain', () => {
    expect(request('POST', 'api.linear.app', '/graphql', '{"query":"query { issues }"}')).toBe('read')
    expect(request('POST', 'api.linear.app', '/graphql', '{"query":"mutation { issueCreate }"}')).toMatchObject({
      provider: 'Linear',
      unknownHost: false,
    })
    expect(request('POST', 'shop.myshopify.com', '/admin/api/2026-01/graphql.json')).toMatchObject({
      unknownHost: true,
    })
    expect(request('POST', 'api.acme.dev', '/graphql', '{"query":"…"}')).toMatchObject({ unknownHost: true })
  })

  it('JSON-RPC: only sending moves money', () => {
    expect(request('POST', 'mainnet.infura.io', '/v3/k', '{"method":"eth_call"}')).toBe('none')
    expect(request('POST', 'mainnet.infura.io', '/v3/k', '{"method":"eth_sendRawTransaction"}')).toMatchObject({
      kind: 'money',
    })
  })

  it('GET writes where the provider says so', () => {
    expect(request('GET', 'api.telegram.org', '/bot…/sendMessage?chat_id=1')).toMatchObject({ kind: 'message' })
    expect(request('GET', 'hooks.zapier.com', '/hooks/catch/1/2')).toMatchObject({ provider: 'Zapier' })
    expect(request('GET', 'slack.com', '/api/conversations.list')).toBe('read')
  })
})

describe('known hosts', () => {
  it('without a path count as what the provider does first of all', () => {
    expect(request('POST', 'api.resend.com', null)).toMatchObject({ title: 'Resend e-mail' })
    expect(request('POST', 'api.telegram.org', '/bot…/…')).toMatchObject({ title: 'Telegram message' })
    expect(request('GET', 'api.telegram.org', '/bot…/…')).toBe('read')
    expect(request('POST', 'api.openai.com', '/v1/…')).toMatchObject({ latency: 'chat-model' })
    expect(request('POST', 'api.resend.com', '/…')).toMatchObject({ title: 'Resend e-mail' })
    expect(request('POST', 'api.stripe.com', '/v1/customers/…')).toMatchObject({ title: 'Stripe payment call' })
    expect(request('POST', 'api.resend.com', '/domains')).toMatchObject({ title: 'Resend change' })
    expect(request(null, 'api.stripe.com', '/v1/charges')).toMatchObject({ kind: 'money' })
  })

  it('with a path of their own that no operation names are a write', () => {
    expect(request('POST', 'gmail.googleapis.com', '/gmail/v1/users/me/labels')).toMatchObject({
      kind: 'state',
      unknownHost: false,
    })
    expect(request('POST', 'fcm.googleapis.com', '/v1/projects/p/messages:send')).toMatchObject({
      title: 'Firebase push notification',
    })
  })

  it('say how they take an idempotency key', () => {
    expect(request('POST', 'api.resend.com', '/emails')).toMatchObject({
      idempotency: { headers: ['idempotency-key'], options: ['idempotencyKey'] },
    })
    expect(request('POST', 'api.openai.com', '/v1/chat/completions')).toMatchObject({ idempotency: null })
    expect(call('stripe', 'paymentIntents.create')).toMatchObject({ idempotency: { options: ['idempotencyKey'] } })
    expect(call('twilio', 'messages.create')).toMatchObject({ idempotency: null })
  })
})

describe('calls', () => {
  it.each([
    ['stripe', 'transfers.list', 'read'],
    ['stripe', 'transfers.retrieve', 'read'],
    ['stripe', 'webhooks.constructEventAsync', 'none'],
    ['openai', 'models.list', 'read'],
    ['openai', 'moderations.create', 'read'],
    ['web-push', 'setVapidDetails', 'none'],
    ['@supabase/supabase-js', 'auth.admin.generateLink', 'none'],
    ['@supabase/supabase-js', 'from.insert', 'none'],
    ['@sentry/deno', 'captureException', 'none'],
    ['@upstash/redis', 'set', 'none'],
    ['expo-server-sdk', 'getPushNotificationReceiptsAsync', 'read'],
    ['@notionhq/client', 'databases.query', 'read'],
    ['googleapis', 'calendar.events.list', 'read'],
    ['resend', 'somethingNew', 'none'],
    ['resend', '', 'none'],
  ])('%s %s: %s', (name, path, expected) => expect(call(name, path)).toBe(expected))

  it('of an unknown package are not known', () => {
    expect(call('left-pad', 'send')).toBeNull()
    expect(call('', 'sendMail')).toBeNull()
  })

  it('of AWS are told by the command', () => {
    expect(call('@aws-sdk/client-sesv2', 'send', 'SendEmailCommand')).toMatchObject({
      kind: 'message',
      latency: 'email',
    })
    expect(call('@aws-sdk/client-sesv2', 'send', 'GetAccountCommand')).toBe('none')
    expect(call('@aws-sdk/client-ses', 'sendEmail')).toMatchObject({ latency: 'email' })
    expect(call('@aws-sdk/client-sqs', 'send')).toMatchObject({ provider: 'Amazon SQS' })
  })

  it('take the packages of a scope together', () => {
    expect(call('@langchain/openai', 'invoke')).toMatchObject({ latency: 'chat-model' })
    expect(call('@ai-sdk/openai', 'openai')).toBe('none')
  })

  it('never throw', () => {
    fc.assert(
      fc.property(
        fc.option(fc.string()),
        fc.option(fc.string()),
        fc.option(fc.string()),
        fc.array(fc.string()),
        (method, host, path, names) => {
          matchRequest(CATALOGUE, { method, host, path })
          matchCall(CATALOGUE, { package: host ?? '', path: names })
          packageOf(path ?? '')
        },
      ),
    )
  })
})

describe('the user adds', () => {
  const extended = extendCatalogue(CATALOGUE, {
    effects: [
      { host: '*.acme.dev', class: 'email', title: 'Acme mail', idempotencyHeader: 'X-Once' },
      { call: 'mailer.deliver', class: 'email' },
      { package: '@acme/pay', call: 'charge', class: 'payment', kind: 'money' },
    ],
    notEffects: [{ host: 'log.acme.dev' }, { package: 'resend' }, { call: 'audit.send' }],
  })
  const at = (name: string, path: string) => matchCall(extended, { package: name, path: path.split('.') })

  it('effects by host, call and package', () => {
    expect(matchRequest(extended, { method: 'POST', host: 'api.acme.dev', path: '/x' })).toMatchObject({
      title: 'Acme mail',
      kind: 'message',
      unknownHost: false,
      idempotency: { headers: ['x-once'] },
    })
    expect(matchRequest(extended, { method: 'GET', host: 'api.acme.dev', path: '/x' })).toBe('read')
    expect(at('', 'mailer.deliver')).toMatchObject({ title: 'mailer.deliver', kind: 'message' })
    expect(at('@acme/pay', 'charge')).toMatchObject({ kind: 'money', latency: 'payment' })
    expect(at('@acme/pay', 'other')).toBeNull()
    expect(at('other', 'charge')).toBeNull()
  })

  it('exceptions, which win', () => {
    expect(matchRequest(extended, { method: 'POST', host: 'log.acme.dev', path: '/x' })).toBe('none')
    expect(at('resend', 'emails.send')).toBe('none')
    expect(at('', 'audit.send')).toBe('none')
    expect(call('resend', 'emails.send')).toMatchObject({ latency: 'email' })
  })
})

describe('latencies', () => {
  it('are the documented defaults, and configurable', () => {
    expect(latencyOf({ latency: 'embedding' })).toEqual({ typicalSeconds: 0.5, worstSeconds: 30 })
    expect(latencyOf({ latency: 'chat-model' }, { 'chat-model': { typicalSeconds: 3 } })).toEqual({
      typicalSeconds: 3,
      worstSeconds: 60,
    })
    expect(latencyOf({ latency: 'push' }, { push: { typicalSeconds: 20 } })).toEqual({
      typicalSeconds: 20,
      worstSeconds: 20,
    })
  })
})

describe('packageOf', () => {
  it.each([
    ['npm:openai@4', 'openai'],
    ['npm:/openai@4.1.0/helpers', 'openai'],
    ['npm:@anthropic-ai/sdk@0.20/resources', '@anthropic-ai/sdk'],
    ['https://esm.sh/openai@4.52.0', 'openai'],
    ['https://esm.sh/v135/@supabase/supabase-js@2?target=deno', '@supabase/supabase-js'],
    ['https://esm.sh/*stripe@14', 'stripe'],
    ['https://esm.sh/jsr/@x/y@1', '@x/y'],
    ['https://cdn.skypack.dev/resend', 'resend'],
    ['https://cdn.jsdelivr.net/npm/twilio@5/+esm', 'twilio'],
    ['https://unpkg.com/web-push@3/src/index.js', 'web-push'],
    ['https://deno.land/x/denomailer@1.6.0/mod.ts', 'denomailer'],
    ['https://deno.land/std@0.224.0/http/server.ts', 'std'],
    ['https://jsr.io/@x/y/1.0.0/mod.ts', '@x/y'],
    ['jsr:@x/y@^1', '@x/y'],
    ['openai', 'openai'],
    ['openai/resources', 'openai'],
    ['@aws-sdk/client-ses', '@aws-sdk/client-ses'],
    ['node:fs', 'node:fs'],
    ['./x.ts', null],
    ['../y', null],
    ['https://acme.dev/x.js', null],
    ['data:text/javascript,1', null],
    ['', null],
  ])('%s: %s', (specifier, expected) => expect(packageOf(specifier)).toBe(expected))
})

describe('HTTP clients', () => {
  it('say where the URL, the method and the body are', () => {
    const axios = httpClientOf('axios')!
    expect(formsOf(axios, ['post'])).toEqual([{ path: ['post'], method: 'POST', url: 0, body: 1, options: 2 }])
    expect(formsOf(axios, ['get'])).toEqual([{ path: ['get'], method: 'GET', url: 0, body: null, options: 1 }])
    expect(formsOf(axios, []).map((form) => form.url)).toEqual([null, 0])
    expect(formsOf(httpClientOf('ky')!, ['post'])).toEqual([
      { path: ['post'], method: 'POST', url: 0, body: null, options: 1 },
    ])
    expect(formsOf(FETCH, [])).toEqual([{ path: [], method: null, url: 0, body: null, options: 1 }])
    expect(axios.factories).toContain('create')
    expect(httpClientOf('left-pad')).toBeNull()
    expect(httpClientOf('constructor')).toBeNull()
  })
})
