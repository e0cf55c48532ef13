import type { CatalogueEntry } from './entry.js'

const text = { title: 'text message', kind: 'message', latency: 'text-message' } as const
const chat = { title: 'message', kind: 'message', latency: 'text-message' } as const
const record = { title: 'change', kind: 'state', latency: 'other-write' } as const

/** Text messages and calls: a person receives it twice. */
export const TEXT_MESSAGES: readonly CatalogueEntry[] = [
  {
    // No key for messages; only payments take one (twilio-node 45d3d65)
    provider: 'Twilio',
    packages: ['twilio'],
    hosts: [
      'api.twilio.com',
      'verify.twilio.com',
      'conversations.twilio.com',
      'studio.twilio.com',
      'content.twilio.com',
      'messaging.twilio.com',
      '*.twilio.com',
    ],
    operations: [
      { ...text, title: 'call', paths: [/\/Calls(\.json)?\/?$/i], calls: ['calls.create'] },
      { ...text, title: 'verification', paths: [/\/Verifications\/?$/i], calls: ['verifications.create'] },
      {
        ...text,
        paths: [/\/Messages(\.json)?\/?$/i, /\/Executions\/?$/i, /\/Faxes/i],
        calls: ['messages.create', 'sms.messages.create', 'executions.create', 'participants.create', 'faxes.create'],
      },
      { ...record, calls: ['*.create', '*.update', '*.remove'] },
    ],
    reads: { paths: [/\/VerificationCheck\/?$/i], calls: ['verificationChecks.create'] },
  },
  {
    // WhatsApp, pages, Instagram and lead ads share one host
    provider: 'Meta',
    packages: ['facebook-nodejs-business-sdk', 'whatsapp', 'whatsapp-cloud-api', 'whatsapp-api-js'],
    hosts: ['graph.facebook.com', 'graph.instagram.com', 'graph.threads.net', 'graph.whatsapp.com'],
    operations: [
      {
        ...text,
        title: 'WhatsApp or Messenger message',
        paths: [/\/messages\/?$/, /\/marketing_messages\/?$/],
        calls: ['messages.*', 'sendMessage', 'sendText', 'sendTemplate', 'sendMedia'],
      },
      {
        ...chat,
        title: 'post',
        latency: 'other-write',
        paths: [/\/(feed|photos|videos|media_publish|threads_publish|comments|replies|video_reels)\/?$/],
        calls: ['createFeed', 'createPhoto', 'createVideo'],
      },
      {
        title: 'conversion event',
        kind: 'state',
        latency: 'other-write',
        paths: [/\/events\/?$/],
        calls: ['execute'],
        idempotency: { bodyFields: ['event_id'] },
      },
      record,
    ],
  },
  {
    provider: 'Vonage',
    packages: ['@vonage/server-sdk', '@vonage/sms', '@vonage/messages', 'nexmo'],
    hosts: ['rest.nexmo.com', 'api.nexmo.com', 'messages-sandbox.nexmo.com', 'api.vonage.com'],
    operations: [
      { ...text, byGet: true, paths: [/\/sms\/json/] },
      {
        ...text,
        calls: [
          'sms.send',
          'messages.send',
          'sms.sendSMS',
          'message.sendSms',
          'voice.createOutboundCall',
          'verify.start',
          'send',
        ],
      },
    ],
  },
  {
    provider: 'MessageBird',
    packages: ['messagebird'],
    hosts: ['rest.messagebird.com', 'api.bird.com', 'conversations.messagebird.com'],
    operations: [
      {
        ...text,
        calls: [
          'messages.create',
          'voice_messages.create',
          'verify.create',
          'conversations.send',
          'conversations.start',
        ],
      },
    ],
  },
  {
    provider: 'Plivo',
    packages: ['plivo'],
    hosts: ['api.plivo.com'],
    operations: [{ ...text, calls: ['messages.create', 'calls.create'] }],
  },
  {
    provider: 'Telnyx',
    packages: ['telnyx'],
    hosts: ['api.telnyx.com'],
    operations: [{ ...text, calls: ['messages.create', 'messages.send', 'calls.create', 'calls.dial'] }],
  },
  {
    // messageId, where the account has it enabled
    provider: 'Infobip',
    packages: ['@infobip-api/sdk'],
    hosts: ['api.infobip.com', '*.api.infobip.com'],
    operations: [
      { ...text, calls: ['sms.send', 'whatsapp.send', 'email.send'], idempotency: { bodyFields: ['messageId'] } },
    ],
  },
  {
    provider: 'Amazon SNS',
    packages: ['@aws-sdk/client-sns'],
    hosts: ['sns.*.amazonaws.com'],
    operations: [
      {
        ...text,
        title: 'notification',
        commands: ['PublishCommand', 'PublishBatchCommand'],
        idempotency: { bodyFields: ['MessageDeduplicationId'] },
      },
    ],
  },
  {
    provider: 'Amazon Pinpoint',
    packages: ['@aws-sdk/client-pinpoint', '@aws-sdk/client-pinpoint-sms-voice-v2'],
    hosts: ['pinpoint.*.amazonaws.com', 'sms-voice.*.amazonaws.com'],
    operations: [
      {
        ...text,
        commands: [
          'SendMessagesCommand',
          'SendUsersMessagesCommand',
          'SendTextMessageCommand',
          'SendVoiceMessageCommand',
        ],
      },
    ],
  },
  { provider: 'Azure SMS', packages: ['@azure/communication-sms'], operations: [{ ...text, calls: ['send'] }] },
  {
    provider: 'Zenvia',
    packages: ['@zenvia/sdk'],
    hosts: ['api.zenvia.com'],
    operations: [{ ...text, calls: ['sendMessage'] }],
  },
  { provider: 'Z-API', hosts: ['api.z-api.io'], operations: [{ ...text, paths: [/\/send-/] }, record] },
  {
    provider: 'Evolution API',
    hosts: ['*.evolution-api.com'],
    operations: [{ ...text, paths: [/\/message\/send/] }, record],
    reads: { paths: [/\/chat\/(find|whatsappNumbers|fetch)/] },
  },
  { provider: 'UAZAPI', hosts: ['*.uazapi.com'], operations: [{ ...text, paths: [/\/send\//] }, record] },
  { provider: 'WaSender', hosts: ['www.wasenderapi.com', 'wasenderapi.com'], operations: [text] },
  {
    provider: 'Green API',
    hosts: ['api.green-api.com', '*.api.greenapi.com'],
    operations: [{ ...text, paths: [/\/send/i] }, record],
  },
  {
    provider: 'UltraMsg',
    hosts: ['api.ultramsg.com'],
    operations: [{ ...text, byGet: true, paths: [/\/messages\//] }, record],
  },
  { provider: '360dialog', hosts: ['waba.360dialog.io', 'waba-v2.360dialog.io'], operations: [text] },
  { provider: 'Gupshup', hosts: ['api.gupshup.io'], operations: [text] },
  { provider: 'WATI', hosts: ['live-mt-server.wati.io', 'live-server-*.wati.io', '*.wati.io'], operations: [text] },
  { provider: 'AiSensy', hosts: ['backend.aisensy.com'], operations: [text] },
  { provider: 'Interakt', hosts: ['api.interakt.ai'], operations: [text] },
  { provider: 'CallMeBot', hosts: ['api.callmebot.com'], operations: [{ ...text, byGet: true }] },
  { provider: 'ClickSend', hosts: ['rest.clicksend.com'], operations: [text], reads: { paths: [/\/price\/?$/] } },
  {
    provider: 'Clickatell',
    hosts: ['platform.clickatell.com'],
    operations: [{ ...text, byGet: true, paths: [/\/messages\/http\/send/] }, text],
  },
  {
    provider: 'Textlocal',
    hosts: ['api.textlocal.in', 'api.txtlocal.com'],
    operations: [{ ...text, byGet: true, paths: [/\/send/] }, record],
  },
  {
    provider: 'MSG91',
    hosts: ['api.msg91.com', 'control.msg91.com'],
    operations: [{ ...text, byGet: true, paths: [/\/(sendhttp|otp)/] }, text],
    reads: { paths: [/\/otp\/verify/] },
  },
  { provider: '2Factor', hosts: ['2factor.in'], operations: [{ ...text, byGet: true, paths: [/\/SMS\/(?!VERIFY)/i] }] },
  { provider: 'Fast2SMS', hosts: ['www.fast2sms.com'], operations: [{ ...text, byGet: true }] },
  {
    provider: "Africa's Talking",
    packages: ['africastalking'],
    hosts: ['api.africastalking.com'],
    operations: [{ ...text, calls: ['send', 'sendPremium', 'call'] }],
  },
  { provider: 'Termii', hosts: ['api.ng.termii.com', 'v3.api.termii.com'], operations: [text] },
  {
    provider: 'Seven',
    hosts: ['gateway.seven.io'],
    operations: [{ ...text, byGet: true, paths: [/\/api\/(sms|voice)/] }],
  },
  {
    provider: 'SMSAPI',
    hosts: ['api.smsapi.com', 'api.smsapi.pl'],
    operations: [{ ...text, byGet: true, paths: [/\/sms\.do/] }],
  },
  {
    provider: 'Sinch',
    packages: ['@sinch/sdk-core'],
    hosts: [
      '*.sms.api.sinch.com',
      'sms.api.sinch.com',
      '*.conversation.api.sinch.com',
      'calling.api.sinch.com',
      'verification.api.sinch.com',
    ],
    operations: [{ ...text, calls: ['batches.send', 'messages.send', 'sms.batches.send'] }],
  },
  { provider: 'Netgsm', hosts: ['api.netgsm.com.tr'], operations: [{ ...text, byGet: true }] },
  {
    provider: 'OpenPhone',
    hosts: ['api.openphone.com', 'api.quo.com'],
    operations: [{ ...text, paths: [/\/messages\/?$/] }, record],
  },
  {
    provider: 'Vapi',
    packages: ['@vapi-ai/server-sdk'],
    hosts: ['api.vapi.ai'],
    operations: [{ ...text, title: 'call', paths: [/\/call(\/phone)?\/?$/], calls: ['calls.create'] }, record],
  },
  {
    provider: 'Retell',
    packages: ['retell-sdk'],
    hosts: ['api.retellai.com'],
    operations: [
      {
        ...text,
        title: 'call',
        paths: [/\/create-(phone-call|batch-call|sms-chat|web-call)/],
        calls: ['call.createPhoneCall', 'call.createWebCall', 'batchCall.createBatchCall'],
      },
      record,
    ],
    reads: { paths: [/\/(v2\/)?list-/] },
  },
  { provider: 'Bland', hosts: ['api.bland.ai'], operations: [{ ...text, title: 'call' }] },
  {
    provider: 'Unipile',
    packages: ['unipile-node-sdk'],
    hosts: ['*.unipile.com'],
    operations: [
      {
        ...chat,
        calls: [
          'messaging.sendMessage',
          'messaging.startNewChat',
          'email.send',
          'users.sendInvitation',
          'users.createPost',
        ],
      },
    ],
  },
  {
    provider: 'HeyReach',
    hosts: ['api.heyreach.io'],
    operations: [chat],
    reads: { paths: [/\/Get[A-Z][^/]*\/?$/, /\/GetAll\/?$/] },
  },
]
