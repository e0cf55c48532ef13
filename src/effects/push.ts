import type { CatalogueEntry } from './entry.js'

const push = { title: 'push notification', kind: 'message', latency: 'push' } as const

/** Push: a person is disturbed twice. Collapse keys and topics replace what is pending; they refuse nothing. */
export const PUSH: readonly CatalogueEntry[] = [
  {
    // No timeout, no retry (web-push f058f94); the host is the browser's push service
    provider: 'Web push',
    packages: [
      'web-push',
      '@negrel/webpush',
      'webpush',
      'webpush-webcrypto',
      'web-push-neo',
      '@block65/webcrypto-web-push',
      '@pushforge/builder',
    ],
    hosts: [
      '*.push.services.mozilla.com',
      'updates.push.services.mozilla.com',
      '*.notify.windows.com',
      'web.push.apple.com',
      'android.googleapis.com',
    ],
    operations: [
      {
        ...push,
        calls: [
          'sendNotification',
          'send',
          'pushMessage',
          'pushTextMessage',
          'subscriber.pushMessage',
          'sendPushNotification',
        ],
      },
    ],
    none: { calls: ['setVapidDetails', 'generateVAPIDKeys', 'generateRequestDetails', 'subscribe'] },
  },
  {
    // Chunks of 100, six at a time, two retries on 429 (expo-server-sdk-node 49bc1f9)
    provider: 'Expo',
    packages: ['expo-server-sdk'],
    hosts: ['exp.host', 'api.expo.dev'],
    operations: [{ ...push, paths: [/\/push\/send/], calls: ['sendPushNotificationsAsync'] }],
    reads: { paths: [/\/push\/getReceipts/], calls: ['getPushNotificationReceiptsAsync', 'chunkPushNotifications'] },
  },
  {
    provider: 'Firebase',
    packages: ['firebase-admin', 'fcm-node', 'fcm-push', 'fcm-cloudflare-workers'],
    hosts: ['fcm.googleapis.com'],
    operations: [
      {
        ...push,
        calls: [
          'send',
          'sendAll',
          'sendEach',
          'sendMulticast',
          'sendEachForMulticast',
          'sendToDevice',
          'sendToTopic',
          'sendToCondition',
          'sendToDeviceGroup',
          'sendToToken',
          'sendToTokens',
        ],
      },
      {
        title: 'change',
        kind: 'state',
        latency: 'other-write',
        paths: [],
        calls: [
          'set',
          'add',
          'update',
          'delete',
          'create',
          'commit',
          'push',
          'createUser',
          'updateUser',
          'deleteUser',
          'setCustomUserClaims',
          'subscribeToTopic',
          'unsubscribeFromTopic',
        ],
      },
    ],
    none: { calls: ['initializeApp', 'cert', 'getMessaging', 'createCustomToken', 'verifyIdToken'] },
  },
  {
    provider: 'Apple push',
    packages: ['apn', '@parse/node-apn', 'apns2', 'node-apn', '@fivesheepco/cloudflare-apns2'],
    hosts: ['api.push.apple.com', 'api.sandbox.push.apple.com', 'api.development.push.apple.com'],
    operations: [{ ...push, calls: ['send', 'sendMany'] }],
  },
  {
    provider: 'OneSignal',
    packages: ['@onesignal/node-onesignal', 'onesignal-node'],
    hosts: ['onesignal.com', 'api.onesignal.com'],
    operations: [
      {
        ...push,
        paths: [/\/notifications\/?$/],
        calls: ['createNotification'],
        idempotency: { bodyFields: ['idempotency_key', 'external_id'] },
      },
      {
        title: 'change',
        kind: 'state',
        latency: 'other-write',
        calls: [
          'createUser',
          'updateUser',
          'createSubscription',
          'createPlayer',
          'updatePlayer',
          'createSegments',
          'createAlias',
          'cancelNotification',
        ],
      },
    ],
  },
  {
    provider: 'Pushover',
    packages: ['pushover-notifications'],
    hosts: ['api.pushover.net'],
    operations: [{ ...push, calls: ['send'] }],
  },
  {
    provider: 'ntfy',
    packages: ['ntfy'],
    hosts: ['ntfy.sh'],
    operations: [
      { ...push, byGet: true, paths: [/\/(publish|send|trigger)\/?$/] },
      { ...push, calls: ['publish'] },
    ],
  },
  { provider: 'Pushbullet', hosts: ['api.pushbullet.com'], operations: [push] },
  { provider: 'Bark', hosts: ['api.day.app'], operations: [{ ...push, byGet: true }] },
  {
    provider: 'Pusher Beams',
    packages: ['@pusher/push-notifications-server'],
    hosts: ['*.pushnotifications.pusher.com'],
    operations: [{ ...push, calls: ['publishToInterests', 'publishToUsers'] }],
  },
  {
    provider: 'Braze',
    hosts: ['rest.*.braze.com', 'rest.*.braze.eu'],
    operations: [
      { ...push, title: 'message', paths: [/\/(messages|campaigns|canvas)\//] },
      { title: 'change', kind: 'state', latency: 'other-write' },
    ],
  },
  { provider: 'Airship', hosts: ['go.urbanairship.com', 'go.airship.eu'], operations: [push] },
]
