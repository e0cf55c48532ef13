import type { CatalogueEntry } from './entry.js'

const post = { title: 'post', kind: 'message', latency: 'other-write' } as const
const change = { title: 'change', kind: 'state', latency: 'other-write' } as const

/** Posts: everybody sees them twice. (Facebook, Instagram and Threads stand with Meta in text-messages.ts: one host.) */
export const SOCIAL: readonly CatalogueEntry[] = [
  {
    provider: 'X',
    packages: ['twitter-api-v2', 'twitter-api-sdk', 'twitter-lite', 'twit', '@xdevplatform/xdk'],
    hosts: ['api.x.com', 'api.twitter.com', 'upload.twitter.com', 'upload.x.com'],
    operations: [
      {
        ...post,
        paths: [/\/2\/tweets\/?$/, /\/statuses\/update/, /\/dm_conversations\//, /\/retweets\/?$/],
        calls: [
          'tweet',
          'tweetThread',
          'reply',
          'quote',
          'retweet',
          'createTweet',
          'sendDmToParticipant',
          'sendDmInConversation',
          'posts.create',
          'post',
          'v1.tweet',
        ],
      },
      { ...change, calls: ['like', 'unlike', 'follow', 'unfollow', 'deleteTweet', 'bookmark'] },
    ],
    reads: { paths: [/\/media\/(upload|metadata)/, /\/media\/upload/], calls: ['uploadMedia', 'singleTweet'] },
  },
  {
    // putRecord with a chosen rkey writes the same record again
    provider: 'Bluesky',
    packages: ['@atproto/api', '@skyware/bot', '@atcute/client', '@atcute/bluesky'],
    hosts: ['bsky.social', '*.bsky.network', 'bsky.app'],
    operations: [
      {
        ...post,
        paths: [/\.createRecord$/, /\.applyWrites$/, /\.putRecord$/, /\.sendMessage$/],
        calls: ['post', 'createRecord', 'repost', 'sendMessage', 'repo.putRecord', 'putRecord', 'applyWrites'],
        idempotency: { bodyFields: ['rkey'] },
      },
      {
        ...change,
        calls: ['like', 'follow', 'deletePost', 'deleteRecord', 'deleteFollow', 'deleteLike', 'upsertProfile'],
      },
    ],
    none: { paths: [/\.(createSession|refreshSession|uploadBlob)$/], calls: ['login', 'resumeSession', 'uploadBlob'] },
  },
  {
    provider: 'LinkedIn',
    packages: ['linkedin-api-client'],
    hosts: ['api.linkedin.com'],
    operations: [
      {
        ...post,
        paths: [/\/(ugcPosts|posts|shares|comments|messages)\/?$/],
        calls: ['create', '*.create', 'restliClient.create'],
      },
      { ...change, calls: ['update', 'partialUpdate', 'delete'] },
    ],
    reads: { paths: [/\/assets/, /\/(images|videos|documents)\/?$/] },
  },
  {
    provider: 'TikTok',
    hosts: ['open.tiktokapis.com', 'business-api.tiktok.com'],
    operations: [{ ...post, paths: [/\/publish\//] }, change],
    reads: { paths: [/\/(query|list|info|fetch)\/?$/] },
  },
  {
    provider: 'Pinterest',
    hosts: ['api.pinterest.com', 'api-sandbox.pinterest.com'],
    operations: [{ ...post, paths: [/\/pins\/?$/] }, change],
  },
  {
    provider: 'Reddit',
    packages: ['snoowrap'],
    hosts: ['oauth.reddit.com', 'www.reddit.com'],
    operations: [
      {
        ...post,
        paths: [/\/api\/(submit|comment|compose)/],
        calls: ['submitSelfpost', 'submitLink', 'reply', 'composeMessage'],
      },
      { ...change, calls: ['upvote', 'downvote', 'edit', 'delete'] },
    ],
  },
  {
    provider: 'Mastodon',
    packages: ['masto', 'megalodon', 'mastodon-api'],
    hosts: ['mastodon.social', 'mastodon.online', 'mstdn.social', 'fosstodon.org', 'hachyderm.io'],
    operations: [
      {
        ...post,
        paths: [/\/statuses\/?$/],
        calls: ['statuses.create', 'postStatus'],
        idempotency: { headers: ['idempotency-key'] },
      },
      change,
    ],
    reads: { paths: [/\/media\/?$/] },
  },
  {
    provider: 'Farcaster',
    packages: ['@neynar/nodejs-sdk'],
    hosts: ['api.neynar.com', 'api.warpcast.com'],
    operations: [
      {
        ...post,
        calls: ['publishCast', 'publishReaction', 'publishFrameNotifications'],
        idempotency: { bodyFields: ['idem'] },
      },
    ],
  },
  { provider: 'Medium', hosts: ['api.medium.com'], operations: [{ ...post, paths: [/\/posts\/?$/] }, change] },
  { provider: 'dev.to', hosts: ['dev.to'], operations: [{ ...post, paths: [/\/api\/articles/] }, change] },
  {
    provider: 'WordPress',
    packages: ['wpapi'],
    hosts: ['public-api.wordpress.com'],
    operations: [
      { ...post, paths: [/\/posts/], calls: ['create'] },
      { ...change, calls: ['update', 'delete'] },
    ],
  },
  {
    provider: 'Ghost',
    packages: ['@tryghost/admin-api'],
    hosts: ['*.ghost.io'],
    operations: [{ ...post, calls: ['posts.add', 'posts.edit', 'pages.add'] }],
  },
  { provider: 'Buffer', hosts: ['api.bufferapp.com', 'api.buffer.com', 'graph.buffer.com'], operations: [post] },
  {
    provider: 'Ayrshare',
    packages: ['social-media-api', 'social-post-api'],
    hosts: ['api.ayrshare.com', 'app.ayrshare.com'],
    operations: [
      { ...post, paths: [/\/post\/?$/], calls: ['post'], idempotency: { bodyFields: ['idempotencyKey'] } },
      change,
    ],
  },
  { provider: 'Late', hosts: ['getlate.dev', 'zernio.com'], operations: [post] },
  { provider: 'Publer', hosts: ['app.publer.io', 'app.publer.com'], operations: [post] },
  { provider: 'Upload-Post', hosts: ['api.upload-post.com'], operations: [post] },
  {
    provider: 'Phantombuster',
    hosts: ['api.phantombuster.com'],
    operations: [{ ...post, title: 'agent launch' }],
    reads: { paths: [/\/fetch/] },
  },
]
