import { HEADER_KEY, type CatalogueEntry, type Operation } from './entry.js'

const mail = { title: 'e-mail', kind: 'message', latency: 'email' } as const
/** Contacts and lists: a third party's record. */
const record: Operation = {
  title: 'change',
  kind: 'state',
  latency: 'other-write',
  calls: ['*.create', '*.update', '*.remove', '*.delete'],
}

/** Marketing and life-cycle mail: an event may set off a mail, so it counts as one. */
export const CAMPAIGNS: readonly CatalogueEntry[] = [
  {
    provider: 'Loops',
    packages: ['loops'],
    hosts: ['app.loops.so'],
    operations: [
      {
        ...mail,
        paths: [/\/transactional\/?$/, /\/events\/send\/?$/],
        calls: ['sendTransactionalEmail', 'sendEvent'],
        idempotency: { ...HEADER_KEY, bodyFields: ['headers.Idempotency-Key'] },
      },
      { ...record, calls: ['createContact', 'updateContact', 'deleteContact'] },
    ],
  },
  {
    provider: 'Mailchimp',
    packages: ['@mailchimp/mailchimp_marketing'],
    hosts: ['*.api.mailchimp.com'],
    operations: [
      {
        ...mail,
        title: 'campaign',
        paths: [/\/campaigns\/[^/]+\/actions\/send\/?$/],
        calls: ['campaigns.send', 'campaigns.sendTestEmail'],
      },
      {
        ...record,
        calls: [
          '*.addListMember',
          '*.setListMember',
          '*.updateListMember',
          '*.batchListMembers',
          '*.updateListMemberTags',
          '*.create',
          '*.createListMemberEvent',
        ],
      },
    ],
  },
  {
    // unique_id makes an event count once
    provider: 'Klaviyo',
    packages: ['klaviyo-api'],
    hosts: ['a.klaviyo.com'],
    operations: [
      {
        ...mail,
        title: 'event',
        paths: [/\/events?\/?$/, /\/track\/?$/],
        calls: ['createEvent', 'bulkCreateEvents'],
        idempotency: { bodyFields: ['unique_id', 'uniqueId'] },
      },
      { ...mail, title: 'campaign', paths: [/\/campaign-send-jobs/], calls: ['sendCampaign', 'createCampaignSendJob'] },
      {
        ...record,
        calls: [
          'createProfile',
          'createOrUpdateProfile',
          'updateProfile',
          'subscribeProfiles',
          'bulkSubscribeProfiles',
        ],
      },
    ],
  },
  {
    provider: 'Customer.io',
    packages: ['customerio-node'],
    hosts: ['track.customer.io', 'track-eu.customer.io', 'api.customer.io', 'api-eu.customer.io', 'cdp.customer.io'],
    operations: [
      {
        ...mail,
        paths: [/\/send\/(email|push|sms)/, /\/campaigns\/[^/]+\/triggers/],
        calls: ['sendEmail', 'sendPush', 'sendSMS', 'triggerBroadcast'],
      },
      {
        ...mail,
        title: 'event',
        paths: [/\/events/],
        calls: ['track', 'trackAnonymous', 'trackPageView'],
        idempotency: { bodyFields: ['id'] },
      },
      { ...record, calls: ['identify', 'destroy', 'suppress', 'mergeCustomers'] },
    ],
  },
  {
    provider: 'MailerLite',
    packages: ['@mailerlite/mailerlite-nodejs'],
    hosts: ['connect.mailerlite.com', 'api.mailerlite.com'],
    operations: [
      { ...mail, title: 'campaign', paths: [/\/campaigns\/[^/]+\/schedule/], calls: ['campaigns.schedule'] },
      { ...record, calls: ['subscribers.createOrUpdate', '*.create', '*.update', '*.assignSubscriber'] },
    ],
  },
  {
    provider: 'ConvertKit',
    hosts: ['api.convertkit.com', 'api.kit.com'],
    operations: [{ ...mail, title: 'broadcast', paths: [/\/broadcasts/] }, record],
  },
  {
    provider: 'Beehiiv',
    hosts: ['api.beehiiv.com'],
    operations: [{ ...mail, title: 'post', paths: [/\/posts\/?$/] }, record],
  },
  { provider: 'ActiveCampaign', hosts: ['*.api-us1.com', '*.activehosted.com'], operations: [record] },
  {
    provider: 'Instantly',
    hosts: ['api.instantly.ai'],
    operations: [{ ...mail, paths: [/\/emails\/(reply|send|forward)/] }, record],
    reads: { paths: [/\/(list|search)\/?$/] },
  },
  { provider: 'Smartlead', hosts: ['server.smartlead.ai'], operations: [mail] },
  { provider: 'Lemlist', hosts: ['api.lemlist.com'], operations: [mail] },
]
