import { HEADER_KEY, type CatalogueEntry } from './entry.js'

const chat = { title: 'message', kind: 'message', latency: 'text-message' } as const
const record = { title: 'change', kind: 'state', latency: 'other-write' } as const

/** Chats and notification services: a person receives it twice. */
export const CHATS: readonly CatalogueEntry[] = [
  {
    // web-api retries ten times over half an hour by itself (node-slack-sdk 4322e14)
    provider: 'Slack',
    packages: ['@slack/web-api', '@slack/webhook', '@slack/bolt', 'slack'],
    hosts: ['slack.com', 'hooks.slack.com', 'www.slack.com'],
    operations: [
      {
        ...chat,
        byGet: true,
        paths: [
          /\/api\/(chat\.(postMessage|postEphemeral|scheduleMessage|meMessage)|files\.upload|files\.completeUploadExternal)/,
        ],
      },
      {
        ...chat,
        paths: [/^\/(services|workflows|triggers)\//],
        calls: [
          'chat.postMessage',
          'chat.postEphemeral',
          'chat.scheduleMessage',
          'chat.meMessage',
          'files.upload',
          'files.uploadV2',
          'filesUploadV2',
          'send',
        ],
      },
      {
        ...record,
        calls: [
          'chat.update',
          'chat.delete',
          'reactions.add',
          'conversations.create',
          'conversations.invite',
          'pins.add',
          'views.publish',
          'views.open',
          'conversations.archive',
          'users.profile.set',
        ],
      },
    ],
    reads: {
      paths: [
        /\/api\/([a-z]+\.)+(list|info|history|replies|members|get|getPermalink|test|lookupByEmail|getUploadURLExternal|open|connect)$/,
      ],
    },
    none: { calls: ['conversations.open', 'auth.test', 'files.getUploadURLExternal'] },
  },
  {
    provider: 'Discord',
    packages: [
      'discord.js',
      '@discordjs/rest',
      'discord-api-types',
      'discordeno',
      '@discordeno/bot',
      'discord-webhook-node',
    ],
    hosts: ['discord.com', 'discordapp.com', 'canary.discord.com', 'ptb.discord.com'],
    operations: [
      {
        ...chat,
        paths: [/\/api\/(v\d+\/)?webhooks\//, /\/channels\/[^/]+\/messages\/?$/, /\/interactions\//],
        calls: ['send', 'createMessage', 'sendMessage', 'reply', 'rest.post', 'post', 'followUp', 'executeWebhook'],
      },
      {
        ...record,
        calls: ['rest.put', 'rest.patch', 'rest.delete', 'put', 'patch', 'edit', 'react', 'roles.add', 'roles.remove'],
      },
    ],
  },
  {
    // The Bot API takes GET for every method
    provider: 'Telegram',
    packages: ['grammy', 'telegraf', 'node-telegram-bot-api', 'telegram', 'telegram-bot-api'],
    hosts: ['api.telegram.org'],
    operations: [
      {
        ...chat,
        byGet: true,
        paths: [/\/(send|forward|copy)[A-Z][^/]*\/?$/],
        calls: [
          'sendMessage',
          'sendPhoto',
          'sendDocument',
          'sendVideo',
          'sendAudio',
          'sendVoice',
          'sendMediaGroup',
          'sendPoll',
          'sendLocation',
          'sendSticker',
          'sendAnimation',
          'sendInvoice',
          'forwardMessage',
          'copyMessage',
          'reply',
          'replyWithPhoto',
          'sendDice',
          'sendContact',
        ],
      },
      // The method is not known: a POST is most often a message, a GET an answer
      { ...chat, paths: [/^\/bot[^/]*(\/…)?$/] },
      {
        ...record,
        byGet: true,
        paths: [/\/(edit|delete|pin|unpin|ban|unban|restrict|promote|create|approve|decline|leave)[A-Z][^/]*\/?$/],
        calls: [
          'editMessageText',
          'deleteMessage',
          'pinChatMessage',
          'banChatMember',
          'unbanChatMember',
          'createChatInviteLink',
          'approveChatJoinRequest',
          'editMessageReplyMarkup',
        ],
      },
    ],
    reads: {
      paths: [
        /\/get[A-Z]/,
        /\/answer[A-Z]/,
        /\/set[A-Z]/,
        /\/sendChatAction/,
        /\/log_?out/i,
        /\/close\/?$/,
        /\/deleteWebhook/,
      ],
    },
    none: { calls: ['sendChatAction', 'answerCallbackQuery', 'setWebhook', 'deleteWebhook'] },
  },
  {
    provider: 'Microsoft Teams',
    packages: ['ms-teams-webhook', 'botbuilder'],
    hosts: [
      '*.webhook.office.com',
      'outlook.office.com',
      '*.logic.azure.com',
      '*.environment.api.powerplatform.com',
      'smba.trafficmanager.net',
    ],
    operations: [{ ...chat, calls: ['send', 'sendActivity'] }],
  },
  {
    provider: 'Google Chat',
    hosts: ['chat.googleapis.com'],
    operations: [{ ...chat, paths: [/\/messages\/?$/], idempotency: { bodyFields: ['requestId'] } }, record],
  },
  {
    provider: 'LINE',
    packages: ['@line/bot-sdk'],
    hosts: ['api.line.me', 'notify-api.line.me'],
    operations: [
      {
        ...chat,
        paths: [/\/message\/(push|multicast|broadcast|narrowcast|reply)/, /\/api\/notify/],
        calls: ['pushMessage', 'multicast', 'broadcast', 'narrowcast', 'replyMessage'],
        idempotency: { headers: ['x-line-retry-key'] },
      },
      record,
    ],
  },
  { provider: 'Mattermost', hosts: ['*.cloud.mattermost.com'], operations: [chat] },
  {
    provider: 'Zulip',
    packages: ['zulip-js'],
    hosts: ['*.zulipchat.com'],
    operations: [{ ...chat, calls: ['messages.send'] }],
  },
  {
    provider: 'Intercom',
    packages: ['intercom-client'],
    hosts: ['api.intercom.io', 'api.eu.intercom.io', 'api.au.intercom.io'],
    operations: [
      {
        ...chat,
        paths: [/\/(messages|reply|conversations)\/?$/],
        calls: ['messages.create', 'conversations.reply', 'conversations.create'],
      },
      { ...record, calls: ['*.create', '*.update', '*.delete'] },
    ],
    reads: { paths: [/\/search\/?$/] },
  },
  {
    provider: 'Crisp',
    packages: ['crisp-api'],
    hosts: ['api.crisp.chat'],
    operations: [{ ...chat, calls: ['website.sendMessageInConversation'] }],
  },
  {
    provider: 'Chatwoot',
    hosts: ['app.chatwoot.com'],
    operations: [{ ...chat, paths: [/\/messages\/?$/] }, record],
    reads: { paths: [/\/(filter|search)\/?$/] },
  },
  { provider: 'ManyChat', hosts: ['api.manychat.com'], operations: [{ ...chat, paths: [/\/sending\//] }, record] },
  {
    provider: 'Stream Chat',
    packages: ['stream-chat', '@stream-io/node-sdk'],
    hosts: ['chat.stream-io-api.com'],
    operations: [{ ...chat, calls: ['sendMessage', 'sendEvent', 'updateMessage'] }],
  },
  { provider: 'Daily', hosts: ['api.daily.co'], operations: [record] },
  {
    provider: 'Courier',
    packages: ['@trycourier/courier'],
    hosts: ['api.courier.com'],
    operations: [
      {
        ...chat,
        paths: [/\/send\/?$/],
        calls: ['send', 'send.message'],
        idempotency: { ...HEADER_KEY, options: ['idempotencyKey'] },
      },
      record,
    ],
  },
  {
    provider: 'Knock',
    packages: ['@knocklabs/node'],
    hosts: ['api.knock.app'],
    operations: [
      {
        ...chat,
        paths: [/\/trigger\/?$/],
        calls: ['workflows.trigger', 'notify'],
        idempotency: { ...HEADER_KEY, options: ['idempotencyKey'] },
      },
      { ...record, calls: ['users.identify', 'users.update', 'objects.set'] },
    ],
  },
  {
    provider: 'Novu',
    packages: ['@novu/node', '@novu/api'],
    hosts: ['api.novu.co', 'eu.api.novu.co'],
    operations: [
      {
        ...chat,
        paths: [/\/events\/trigger/],
        calls: ['trigger', 'bulkTrigger', 'triggerBulk', 'broadcast', 'triggerBroadcast'],
        idempotency: { ...HEADER_KEY, bodyFields: ['transactionId'] },
      },
      record,
    ],
  },
  {
    provider: 'MagicBell',
    packages: ['magicbell', '@magicbell/core'],
    hosts: ['api.magicbell.com'],
    operations: [{ ...chat, calls: ['notifications.create', 'broadcasts.create'], idempotency: HEADER_KEY }],
  },
  {
    provider: 'SuprSend',
    packages: ['@suprsend/node-sdk'],
    hosts: ['hub.suprsend.com'],
    operations: [
      {
        ...chat,
        calls: ['trigger_workflow', 'track_event', 'workflows.trigger'],
        idempotency: { bodyFields: ['$idempotency_key', 'idempotency_key'] },
      },
    ],
  },
]
