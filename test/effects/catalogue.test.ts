import { describe, expect, it } from 'vitest'
import { buildCatalogue, CATALOGUE, ENTRIES } from '../../src/effects/catalogue.js'
import { LATENCIES, matchCall, matchRequest, packageOf } from '../../src/effects/index.js'

const post = (host: string, path: string | null = null) => matchRequest(CATALOGUE, { method: 'POST', host, path })
const operations = ENTRIES.flatMap((entry) => entry.operations.map((operation) => ({ entry, operation })))

describe('the catalogue is well formed', () => {
  it.each(['hosts', 'packages'] as const)('%s belong to one provider each', (field) => {
    const all = ENTRIES.flatMap((entry) => entry[field] ?? [])
    expect(all.filter((name, i) => all.indexOf(name) !== i)).toEqual([])
  })

  it('providers are named once', () => {
    const all = ENTRIES.map((entry) => entry.provider)
    expect(all.filter((name, i) => all.indexOf(name) !== i)).toEqual([])
  })

  it('hosts are lower case and bare', () => {
    const odd = ENTRIES.flatMap((entry) => entry.hosts ?? []).filter(
      (host) => !/^[a-z0-9*][a-z0-9.*-]*\.[a-z*]+$/.test(host),
    )
    expect(odd).toEqual([])
  })

  it('no host is a star for everything, and none is the project itself', () => {
    const hosts = ENTRIES.flatMap((entry) => entry.hosts ?? [])
    expect(hosts.filter((host) => !/[a-z0-9]{2}.*\.[a-z*]/.test(host) || host.endsWith('supabase.co'))).toEqual([])
  })

  it('packages are names as packageOf gives them', () => {
    const names = ENTRIES.flatMap((entry) => entry.packages ?? []).filter((name) => !name.endsWith('/*'))
    expect(names.filter((name) => packageOf(name) !== name)).toEqual([])
  })

  it('every operation has a title, a kind and a latency, and can be reached', () => {
    for (const { entry, operation } of operations) {
      expect(operation.title, entry.provider).toMatch(/^[a-zA-Z]/)
      expect(['money', 'message', 'spend', 'state']).toContain(operation.kind)
      expect(Object.keys(LATENCIES)).toContain(operation.latency)
      const byHost = entry.hosts !== undefined && operation.paths?.length !== 0
      const byCall = entry.packages !== undefined && (operation.calls?.length || operation.commands?.length)
      expect(Boolean(byHost || byCall), `${entry.provider}: ${operation.title}`).toBe(true)
    }
  })

  it('every entry has an effect, or says that it has none', () => {
    const idle = ENTRIES.filter((entry) => entry.operations.length === 0 && !entry.harmless && !entry.reads)
    expect(idle.map((entry) => entry.provider)).toEqual([])
  })

  it('header names are in lower case', () => {
    const headers = operations.flatMap(({ operation }) => operation.idempotency?.headers ?? [])
    expect(headers.filter((name) => name !== name.toLowerCase())).toEqual([])
  })

  it('no call is named by two operations of one provider', () => {
    for (const entry of ENTRIES) {
      const calls = entry.operations.flatMap((operation) => operation.calls ?? [])
      expect(
        calls.filter((call, i) => calls.indexOf(call) !== i),
        entry.provider,
      ).toEqual([])
    }
  })

  it('no pattern takes long over a hostile path', () => {
    const path = '/' + 'a-/tokens/messages/'.repeat(3000)
    const patterns = ENTRIES.flatMap((entry) => [
      ...entry.operations.flatMap((operation) => operation.paths ?? []),
      ...(entry.reads?.paths ?? []),
      ...(entry.none?.paths ?? []),
    ])
    const start = performance.now()
    for (const pattern of patterns) pattern.test(path)
    expect(performance.now() - start).toBeLessThan(3000)
  })

  it('takes the longest host pattern', () => {
    const operation = (title: string) => ({ title, kind: 'state', latency: 'other-write' }) as const
    const catalogue = buildCatalogue([
      { provider: 'Wide', hosts: ['*.x.dev'], operations: [operation('write')] },
      { provider: 'Narrow', hosts: ['*.api.x.dev'], operations: [operation('write')] },
    ])
    expect(matchRequest(catalogue, { method: 'POST', host: 'a.api.x.dev', path: '/' })).toMatchObject({
      provider: 'Narrow',
    })
    expect(matchRequest(catalogue, { method: 'POST', host: 'a.b.x.dev', path: '/' })).toMatchObject({
      provider: 'Wide',
    })
  })
})

describe('every provider of the domain notes is known', () => {
  it.each([
    ['api.openai.com', '/v1/chat/completions', 'spend', 'chat-model'],
    ['api.openai.com', '/v1/responses', 'spend', 'chat-model'],
    ['api.openai.com', '/v1/embeddings', 'spend', 'embedding'],
    ['api.openai.com', '/v1/images/generations', 'spend', 'media-model'],
    ['api.openai.com', '/v1/audio/transcriptions', 'spend', 'media-model'],
    ['api.openai.com', '/v1/threads/t/runs', 'spend', 'chat-model'],
    ['api.openai.com', '/v1/threads/t/messages', 'state', 'other-write'],
    ['api.openai.com', '/v1/files', 'state', 'other-write'],
    ['acme.openai.azure.com', '/openai/deployments/x/chat/completions?api-version=1', 'spend', 'chat-model'],
    ['api.anthropic.com', '/v1/messages', 'spend', 'chat-model'],
    ['api.anthropic.com', '/v1/messages/batches', 'spend', 'other-write'],
    [
      'generativelanguage.googleapis.com',
      '/v1beta/models/gemini-2.5-flash:generateContent?key=…',
      'spend',
      'chat-model',
    ],
    ['generativelanguage.googleapis.com', '/v1beta/models/text-embedding-004:embedContent', 'spend', 'embedding'],
    [
      'generativelanguage.googleapis.com',
      '/v1beta/models/gemini-2.5-flash-image:generateContent',
      'spend',
      'media-model',
    ],
    [
      'us-central1-aiplatform.googleapis.com',
      '/v1/projects/p/locations/l/publishers/google/models/…:streamGenerateContent',
      'spend',
      'chat-model',
    ],
    ['openrouter.ai', '/api/v1/chat/completions', 'spend', 'chat-model'],
    ['ai.gateway.lovable.dev', '/v1/chat/completions', 'spend', 'chat-model'],
    ['ai-gateway.vercel.sh', '/v1/embeddings', 'spend', 'embedding'],
    ['api.groq.com', '/openai/v1/audio/transcriptions', 'spend', 'media-model'],
    ['api.mistral.ai', '/v1/embeddings', 'spend', 'embedding'],
    ['api.cohere.com', '/v2/rerank', 'spend', 'embedding'],
    ['api.deepseek.com', '/chat/completions', 'spend', 'chat-model'],
    ['api.together.xyz', '/v1/images/generations', 'spend', 'media-model'],
    ['api.perplexity.ai', '/chat/completions', 'spend', 'chat-model'],
    ['api.x.ai', '/v1/chat/completions', 'spend', 'chat-model'],
    ['api.fireworks.ai', '/inference/v1/chat/completions', 'spend', 'chat-model'],
    ['api-inference.huggingface.co', '/models/x', 'spend', 'chat-model'],
    ['api.voyageai.com', '/v1/embeddings', 'spend', 'embedding'],
    ['api.jina.ai', '/v1/embeddings', 'spend', 'embedding'],
    ['api.replicate.com', '/v1/predictions', 'spend', 'media-model'],
    ['api.elevenlabs.io', '/v1/text-to-speech/x', 'spend', 'media-model'],
    ['api.deepgram.com', '/v1/listen', 'spend', 'media-model'],
    ['api.assemblyai.com', '/v2/transcript', 'spend', 'media-model'],
    ['queue.fal.run', '/fal-ai/flux', 'spend', 'media-model'],
    ['api.stability.ai', '/v2beta/stable-image/generate/core', 'spend', 'media-model'],
    ['api.dev.runwayml.com', '/v1/image_to_video', 'spend', 'media-model'],
    ['api.heygen.com', '/v2/video/generate', 'spend', 'media-model'],
    ['api.resend.com', '/emails', 'message', 'email'],
    ['api.resend.com', '/emails/batch', 'message', 'email'],
    ['api.resend.com', '/audiences/a/contacts', 'state', 'other-write'],
    ['api.sendgrid.com', '/v3/mail/send', 'message', 'email'],
    ['api.postmarkapp.com', '/email/withTemplate', 'message', 'email'],
    ['api.eu.mailgun.net', '/v3/mg.acme.dev/messages', 'message', 'email'],
    ['api.brevo.com', '/v3/smtp/email', 'message', 'email'],
    ['api.sendinblue.com', '/v3/contacts', 'state', 'other-write'],
    ['email.eu-west-1.amazonaws.com', '/v2/email/outbound-emails', 'message', 'email'],
    ['app.loops.so', '/api/v1/transactional', 'message', 'email'],
    ['api.us.nylas.com', '/v3/grants/g/messages/send', 'message', 'email'],
    ['gmail.googleapis.com', '/gmail/v1/users/me/messages/send', 'message', 'email'],
    ['gmail.googleapis.com', '/gmail/v1/users/me/messages/m/modify', 'state', 'other-write'],
    ['www.googleapis.com', '/upload/gmail/v1/users/me/messages/send', 'message', 'email'],
    ['graph.microsoft.com', '/v1.0/me/sendMail', 'message', 'email'],
    ['graph.microsoft.com', '/v1.0/me/events', 'state', 'other-write'],
    ['mandrillapp.com', '/api/1.0/messages/send-template.json', 'message', 'email'],
    ['us4.api.mailchimp.com', '/3.0/lists/l/members', 'state', 'other-write'],
    ['a.klaviyo.com', '/api/events/', 'message', 'email'],
    ['track.customer.io', '/api/v1/customers/c/events', 'message', 'email'],
    ['api.useplunk.com', '/v1/send', 'message', 'email'],
    ['api.zeptomail.com', '/v1.1/email', 'message', 'email'],
    ['api.mailersend.com', '/v1/email', 'message', 'email'],
    ['api.sparkpost.com', '/api/v1/transmissions', 'message', 'email'],
    ['api.twilio.com', '/2010-04-01/Accounts/…/Messages.json', 'message', 'text-message'],
    ['api.twilio.com', '/2010-04-01/Accounts/…/Calls.json', 'message', 'text-message'],
    ['verify.twilio.com', '/v2/Services/s/Verifications', 'message', 'text-message'],
    ['graph.facebook.com', '/v21.0/…/messages', 'message', 'text-message'],
    ['graph.instagram.com', '/v21.0/…/media_publish', 'message', 'other-write'],
    ['rest.nexmo.com', '/sms/json', 'message', 'text-message'],
    ['rest.messagebird.com', '/messages', 'message', 'text-message'],
    ['api.plivo.com', '/v1/Account/a/Message/', 'message', 'text-message'],
    ['api.telnyx.com', '/v2/messages', 'message', 'text-message'],
    ['xyz.api.infobip.com', '/sms/2/text/advanced', 'message', 'text-message'],
    ['api.zenvia.com', '/v2/channels/sms/messages', 'message', 'text-message'],
    ['api.z-api.io', '/instances/i/token/t/send-text', 'message', 'text-message'],
    ['slack.com', '/api/chat.postMessage', 'message', 'text-message'],
    ['hooks.slack.com', '/services/T/B/x', 'message', 'text-message'],
    ['discord.com', '/api/webhooks/1/x', 'message', 'text-message'],
    ['api.telegram.org', '/bot…/sendMessage', 'message', 'text-message'],
    ['acme.webhook.office.com', '/webhookb2/x', 'message', 'text-message'],
    ['fcm.googleapis.com', '/v1/projects/p/messages:send', 'message', 'push'],
    ['exp.host', '/--/api/v2/push/send', 'message', 'push'],
    ['api.push.apple.com', '/3/device/x', 'message', 'push'],
    ['onesignal.com', '/api/v1/notifications', 'message', 'push'],
    ['api.stripe.com', '/v1/payment_intents', 'money', 'payment'],
    ['api.stripe.com', '/v1/customers', 'money', 'payment'],
    ['api-m.paypal.com', '/v2/checkout/orders', 'money', 'payment'],
    ['connect.squareup.com', '/v2/payments', 'money', 'payment'],
    ['checkout-test.adyen.com', '/v71/payments', 'money', 'payment'],
    ['api.mollie.com', '/v2/payments', 'money', 'payment'],
    ['api.paddle.com', '/transactions', 'money', 'payment'],
    ['api.lemonsqueezy.com', '/v1/checkouts', 'money', 'payment'],
    ['api.razorpay.com', '/v1/orders', 'money', 'payment'],
    ['api.mercadopago.com', '/v1/payments', 'money', 'payment'],
    ['api.asaas.com', '/v3/payments', 'money', 'payment'],
    ['api.pagar.me', '/core/v5/orders', 'money', 'payment'],
    ['api.wise.com', '/v1/transfers', 'money', 'payment'],
    ['production.plaid.com', '/transfer/create', 'money', 'payment'],
    ['api.commerce.coinbase.com', '/charges', 'money', 'payment'],
    ['api.x.com', '/2/tweets', 'message', 'other-write'],
    ['api.twitter.com', '/2/tweets', 'message', 'other-write'],
    ['api.linkedin.com', '/v2/ugcPosts', 'message', 'other-write'],
    ['bsky.social', '/xrpc/com.atproto.repo.createRecord', 'message', 'other-write'],
    ['api.notion.com', '/v1/pages', 'state', 'other-write'],
    ['www.googleapis.com', '/calendar/v3/calendars/primary/events', 'state', 'other-write'],
    ['sheets.googleapis.com', '/v4/spreadsheets/s/values/A1:append', 'state', 'other-write'],
    ['api.airtable.com', '/v0/app/tbl', 'state', 'other-write'],
    ['api.hubapi.com', '/crm/v3/objects/contacts', 'state', 'other-write'],
    ['api.github.com', '/repos/o/r/issues', 'state', 'other-write'],
    ['acme.atlassian.net', '/rest/api/3/issue', 'state', 'other-write'],
    ['api.firecrawl.dev', '/v1/scrape', 'spend', 'other-write'],
    ['api.apify.com', '/v2/acts/a/runs', 'spend', 'other-write'],
    ['api.tavily.com', '/search', 'spend', 'other-write'],
    ['api.apollo.io', '/api/v1/people/match', 'spend', 'other-write'],
    ['hooks.zapier.com', '/hooks/catch/1/x', 'state', 'other-write'],
    ['hook.eu1.make.com', '/x', 'state', 'other-write'],
    ['acme.app.n8n.cloud', '/webhook/x', 'state', 'other-write'],
    ['api.trigger.dev', '/api/v1/tasks/t/trigger', 'state', 'other-write'],
    ['inn.gs', '/e/key', 'state', 'other-write'],
    ['qstash.upstash.io', '/v2/publish/https://x', 'state', 'other-write'],
  ])('%s%s', (host, path, kind, latency) => {
    expect(post(host, path)).toMatchObject({ kind, latency, unknownHost: false })
  })

  it.each([
    ['openai', 'chat.completions.create', 'chat-model'],
    ['openai', 'beta.chat.completions.parse', 'chat-model'],
    ['openai', 'responses.create', 'chat-model'],
    ['openai', 'embeddings.create', 'embedding'],
    ['openai', 'images.generate', 'media-model'],
    ['openai', 'audio.speech.create', 'media-model'],
    ['openai', 'beta.threads.runs.createAndPoll', 'chat-model'],
    ['@anthropic-ai/sdk', 'messages.create', 'chat-model'],
    ['@anthropic-ai/sdk', 'messages.stream', 'chat-model'],
    ['@google/genai', 'models.generateContent', 'chat-model'],
    ['@google/generative-ai', 'getGenerativeModel.generateContent', 'chat-model'],
    ['ai', 'generateText', 'chat-model'],
    ['ai', 'embedMany', 'embedding'],
    ['replicate', 'run', 'media-model'],
    ['elevenlabs', 'textToSpeech.convert', 'media-model'],
    ['@fal-ai/client', 'fal.subscribe', 'media-model'],
    ['resend', 'emails.send', 'email'],
    ['resend', 'batch.send', 'email'],
    ['@sendgrid/mail', 'send', 'email'],
    ['postmark', 'sendEmailWithTemplate', 'email'],
    ['mailgun.js', 'messages.create', 'email'],
    ['nodemailer', 'createTransport.sendMail', 'email'],
    ['denomailer', 'send', 'email'],
    ['loops', 'sendTransactionalEmail', 'email'],
    ['nylas', 'messages.send', 'email'],
    ['googleapis', 'gmail.users.messages.send', 'email'],
    ['twilio', 'messages.create', 'text-message'],
    ['twilio', 'verify.v2.services.verifications.create', 'text-message'],
    ['@slack/web-api', 'chat.postMessage', 'text-message'],
    ['@slack/webhook', 'send', 'text-message'],
    ['grammy', 'api.sendMessage', 'text-message'],
    ['web-push', 'sendNotification', 'push'],
    ['expo-server-sdk', 'sendPushNotificationsAsync', 'push'],
    ['firebase-admin', 'messaging.sendEachForMulticast', 'push'],
    ['stripe', 'paymentIntents.create', 'payment'],
    ['stripe', 'invoices.pay', 'payment'],
    ['stripe', 'billing.meterEvents.create', 'payment'],
    ['stripe', 'checkout.sessions.create', 'payment'],
    ['ethers', 'wallet.sendTransaction', 'payment'],
    ['twitter-api-v2', 'v2.tweet', 'other-write'],
    ['@notionhq/client', 'pages.create', 'other-write'],
    ['googleapis', 'calendar.events.insert', 'other-write'],
    ['firecrawl', 'scrapeUrl', 'other-write'],
    ['@upstash/qstash', 'publishJSON', 'other-write'],
    ['bullmq', 'add', 'other-write'],
    ['@supabase/supabase-js', 'auth.admin.inviteUserByEmail', 'email'],
    ['@supabase/supabase-js', 'auth.resetPasswordForEmail', 'email'],
    ['@supabase/supabase-js', 'auth.signInWithOtp', 'email'],
  ])('%s: %s', (name, path, latency) => {
    expect(matchCall(CATALOGUE, { package: name, path: path.split('.') })).toMatchObject({ latency })
  })
})
