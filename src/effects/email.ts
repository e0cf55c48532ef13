import { HEADER_KEY, type CatalogueEntry, type Operation } from './entry.js'

const mail = { title: 'e-mail', kind: 'message', latency: 'email' } as const
/** Contacts, lists, domains: a third party's record. */
const record: Operation = {
  title: 'change',
  kind: 'state',
  latency: 'other-write',
  calls: ['*.create', '*.update', '*.remove', '*.delete'],
}

/** E-mail: a person receives it twice. */
export const EMAIL: readonly CatalogueEntry[] = [
  {
    // Idempotency-Key on POST /emails and /emails/batch, 24 h; SDK: second argument (resend-node 3f67459)
    provider: 'Resend',
    packages: ['resend'],
    hosts: ['api.resend.com'],
    operations: [
      {
        ...mail,
        paths: [/^\/emails(\/batch)?\/?$/],
        calls: ['emails.send', 'emails.create', 'batch.send', 'batch.create'],
        idempotency: { ...HEADER_KEY, options: ['idempotencyKey'] },
      },
      {
        ...mail,
        title: 'broadcast',
        paths: [/^\/broadcasts/],
        calls: ['broadcasts.send', 'broadcasts.create', 'emails.update', 'emails.cancel'],
      },
      record,
    ],
    none: { calls: ['webhooks.verify'] },
  },
  {
    provider: 'SendGrid',
    packages: ['@sendgrid/mail', '@sendgrid/client', '@sendgrid/helpers'],
    hosts: ['api.sendgrid.com', 'api.eu.sendgrid.com'],
    operations: [{ ...mail, paths: [/\/mail\/send/], calls: ['send', 'sendMultiple', 'request'] }, record],
    none: {
      calls: [
        'setApiKey',
        'setDefaultHeader',
        'setDefaultRequest',
        'setClient',
        'setTimeout',
        'setSubstitutionWrappers',
      ],
    },
  },
  {
    provider: 'Postmark',
    packages: ['postmark'],
    hosts: ['api.postmarkapp.com'],
    operations: [
      {
        ...mail,
        paths: [/^\/email/],
        calls: ['sendEmail', 'sendEmailWithTemplate', 'sendEmailBatch', 'sendEmailBatchWithTemplates'],
      },
      record,
    ],
  },
  {
    provider: 'Mailgun',
    packages: ['mailgun.js', 'mailgun-js'],
    hosts: ['api.mailgun.net', 'api.eu.mailgun.net'],
    operations: [
      { ...mail, paths: [/\/messages(\.mime)?\/?$/], calls: ['messages.create', 'messages.send', 'send'] },
      record,
    ],
  },
  {
    // headers.idempotencyKey (a UUID) in the body, 15 to 30 minutes
    provider: 'Brevo',
    packages: ['@getbrevo/brevo', 'sib-api-v3-sdk', '@sendinblue/client'],
    hosts: ['api.brevo.com', 'api.sendinblue.com'],
    operations: [
      {
        ...mail,
        paths: [/\/smtp\/email/],
        calls: ['sendTransacEmail', 'transactionalEmails.sendTransacEmail'],
        idempotency: { bodyFields: ['headers.idempotencyKey', 'idempotencyKey'] },
      },
      {
        title: 'text message',
        kind: 'message',
        latency: 'text-message',
        paths: [/\/transactionalSMS/i, /\/whatsapp\/sendMessage/i],
        calls: ['sendTransacSms', 'sendAsyncTransactionalSms', 'sendWhatsappMessage'],
      },
      {
        ...mail,
        title: 'campaign',
        paths: [/\/(emailCampaigns|smsCampaigns)\/[^/]+\/sendNow/],
        calls: ['sendEmailCampaignNow', 'sendSmsCampaignNow'],
      },
      {
        ...record,
        calls: [
          'createContact',
          'updateContact',
          'addContactToList',
          'removeContactFromList',
          'deleteContact',
          'createDoiContact',
        ],
      },
    ],
  },
  {
    provider: 'Amazon SES',
    packages: ['@aws-sdk/client-sesv2', '@aws-sdk/client-ses'],
    hosts: ['email.*.amazonaws.com', 'email-smtp.*.amazonaws.com'],
    operations: [
      {
        ...mail,
        commands: [
          'SendEmailCommand',
          'SendTemplatedEmailCommand',
          'SendRawEmailCommand',
          'SendBulkEmailCommand',
          'SendBulkTemplatedEmailCommand',
          'SendCustomVerificationEmailCommand',
          'SendBounceCommand',
        ],
      },
    ],
  },
  {
    // Idempotency-Key, 1 h
    provider: 'Nylas',
    packages: ['nylas'],
    hosts: ['api.us.nylas.com', 'api.eu.nylas.com', 'api.nylas.com'],
    operations: [
      {
        ...mail,
        paths: [/\/messages\/send\/?$/, /\/drafts\/[^/]+\/?$/, /\/send\/?$/],
        calls: ['messages.send', 'drafts.send'],
        idempotency: HEADER_KEY,
      },
      record,
    ],
    reads: { paths: [/\/free-busy\/?$/, /\/availability\/?$/, /\/clean\/?$/] },
  },
  {
    provider: 'SMTP',
    packages: [
      'nodemailer',
      'denomailer',
      'smtp',
      'emailjs',
      'smtp-client',
      '@workingdevshero/deno-smtp',
      'worker-mailer',
    ],
    operations: [{ ...mail, calls: ['sendMail', 'send', 'sendAsync', 'sendTemplate'] }],
  },
  {
    provider: 'Mandrill',
    packages: ['@mailchimp/mailchimp_transactional'],
    hosts: ['mandrillapp.com'],
    operations: [
      { ...mail, paths: [/\/messages\/send/], calls: ['messages.send', 'messages.sendTemplate', 'messages.sendRaw'] },
      record,
    ],
    reads: { paths: [/\/(info|list|search|ping2?|time-series)(\.json)?\/?$/] },
  },
  {
    provider: 'Plunk',
    packages: ['@plunk/node'],
    hosts: ['api.useplunk.com', 'next-api.useplunk.com'],
    operations: [{ ...mail, paths: [/\/send\/?$/, /\/track\/?$/], calls: ['emails.send', 'events.track'] }, record],
  },
  {
    provider: 'ZeptoMail',
    packages: ['zeptomail'],
    hosts: ['api.zeptomail.com', 'api.zeptomail.eu', 'api.zeptomail.in'],
    operations: [{ ...mail, calls: ['sendMail', 'sendMailWithTemplate', 'sendBatchMail', 'mailBatchWithTemplate'] }],
  },
  {
    provider: 'MailerSend',
    packages: ['mailersend'],
    hosts: ['api.mailersend.com'],
    operations: [
      { ...mail, paths: [/\/(email|bulk-email|sms)\/?$/], calls: ['email.send', 'email.sendBulk', 'sms.send', 'send'] },
      record,
    ],
  },
  {
    provider: 'SparkPost',
    packages: ['sparkpost'],
    hosts: ['api.sparkpost.com', 'api.eu.sparkpost.com'],
    operations: [{ ...mail, paths: [/\/transmissions/], calls: ['transmissions.send'] }, record],
  },
  {
    provider: 'Mailjet',
    packages: ['node-mailjet'],
    hosts: ['api.mailjet.com', 'api.us.mailjet.com'],
    operations: [{ ...mail, paths: [/\/send\/?$/, /\/sms-send\/?$/], calls: ['request', 'post.request'] }, record],
  },
  {
    provider: 'Mailtrap',
    packages: ['mailtrap'],
    hosts: ['send.api.mailtrap.io', 'bulk.api.mailtrap.io', 'sandbox.api.mailtrap.io'],
    operations: [{ ...mail, calls: ['send', 'batchSend'] }],
  },
  {
    provider: 'Elastic Email',
    packages: ['@elasticemail/elasticemail-client'],
    hosts: ['api.elasticemail.com'],
    operations: [
      { ...mail, paths: [/\/emails/, /\/email\/send/], calls: ['emailsPost', 'emailsTransactionalPost'] },
      record,
    ],
  },
  {
    provider: 'SMTP2GO',
    hosts: ['api.smtp2go.com'],
    operations: [{ ...mail, paths: [/\/email\/(send|mime|batch)/, /\/sms\/send/] }, record],
  },
  {
    provider: 'Scaleway e-mail',
    hosts: ['api.scaleway.com'],
    operations: [{ ...mail, paths: [/\/transactional-email\/.*\/emails\/?$/] }, record],
  },
  {
    provider: 'Azure e-mail',
    packages: ['@azure/communication-email'],
    hosts: ['*.communication.azure.com'],
    operations: [
      { title: 'text message', kind: 'message', latency: 'text-message', paths: [/\/sms/] },
      {
        ...mail,
        paths: [/\/emails:send/],
        calls: ['beginSend', 'send'],
        idempotency: { headers: ['repeatability-request-id', 'operation-id'] },
      },
    ],
  },
  {
    provider: 'EmailJS',
    packages: ['@emailjs/nodejs', '@emailjs/browser'],
    hosts: ['api.emailjs.com'],
    operations: [{ ...mail, calls: ['send', 'sendForm'] }],
  },
  {
    provider: 'Unisender',
    hosts: ['api.unisender.com', 'go1.unisender.ru', 'go2.unisender.ru'],
    operations: [{ ...mail, paths: [/send/i] }, record],
  },
  {
    // Own project: a mail to a person. `generateLink` sends none.
    provider: 'Supabase Auth',
    packages: ['@supabase/supabase-js', '@supabase/auth-js', '@supabase/gotrue-js', '@supabase/ssr'],
    operations: [
      {
        ...mail,
        calls: [
          'auth.admin.inviteUserByEmail',
          'auth.resetPasswordForEmail',
          'auth.signInWithOtp',
          'auth.resend',
          'auth.reauthenticate',
          'auth.signUp',
          'api.inviteUserByEmail',
          'admin.inviteUserByEmail',
        ],
      },
    ],
  },
]
