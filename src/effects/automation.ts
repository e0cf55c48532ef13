import { HEADER_KEY, type CatalogueEntry } from './entry.js'

const run = { title: 'automation', kind: 'state', latency: 'other-write' } as const
const queue = { title: 'queue message', kind: 'state', latency: 'other-write' } as const

/** What starts something elsewhere: its effect is whatever is started. */
export const AUTOMATION: readonly CatalogueEntry[] = [
  { provider: 'Zapier', hosts: ['hooks.zapier.com'], operations: [{ ...run, byGet: true }] },
  {
    provider: 'Make',
    hosts: ['hook.make.com', 'hook.*.make.com', 'hook.integromat.com'],
    operations: [{ ...run, byGet: true }],
  },
  {
    provider: 'n8n',
    hosts: ['*.n8n.cloud', '*.app.n8n.cloud', '*.hooks.n8n.cloud'],
    operations: [{ ...run, byGet: true, paths: [/\/webhook(-test)?\//] }, run],
  },
  { provider: 'IFTTT', hosts: ['maker.ifttt.com'], operations: [{ ...run, byGet: true }] },
  {
    provider: 'Pipedream',
    hosts: ['*.m.pipedream.net', 'eo*.m.pipedream.net', 'api.pipedream.com'],
    packages: ['@pipedream/sdk'],
    operations: [
      { ...run, byGet: true, paths: [/^\/?$/] },
      { ...run, calls: ['invokeWorkflow', 'runAction', 'actions.run'] },
    ],
  },
  {
    provider: 'Pabbly',
    hosts: ['connect.pabbly.com'],
    operations: [{ ...run, byGet: true, paths: [/\/workflow\/sendwebhookdata/] }, run],
  },
  { provider: 'Activepieces', hosts: ['cloud.activepieces.com'], operations: [run] },
  { provider: 'Relay.app', hosts: ['hook.relay.app'], operations: [run] },
  { provider: 'Google Apps Script', hosts: ['script.google.com'], operations: [run] },
  {
    provider: 'Trigger.dev',
    packages: ['@trigger.dev/sdk'],
    hosts: ['api.trigger.dev'],
    operations: [
      {
        ...run,
        title: 'task',
        paths: [/\/trigger\/?$/, /\/batch\/?$/],
        calls: [
          'trigger',
          'batchTrigger',
          'triggerAndWait',
          'batchTriggerAndWait',
          'tasks.trigger',
          'tasks.batchTrigger',
          'sendEvent',
        ],
        idempotency: { ...HEADER_KEY, options: ['idempotencyKey'] },
      },
      run,
    ],
  },
  {
    provider: 'Inngest',
    packages: ['inngest'],
    hosts: ['inn.gs', 'api.inngest.com'],
    operations: [
      { ...run, title: 'event', calls: ['send', 'step.sendEvent', 'sendEvent'], idempotency: { bodyFields: ['id'] } },
    ],
  },
  {
    provider: 'QStash',
    packages: ['@upstash/qstash', '@upstash/workflow'],
    hosts: ['qstash.upstash.io', 'qstash-*.upstash.io'],
    operations: [
      {
        ...queue,
        calls: [
          'publish',
          'publishJSON',
          'batch',
          'batchJSON',
          'enqueue',
          'enqueueJSON',
          'schedules.create',
          'trigger',
        ],
        idempotency: { headers: ['upstash-deduplication-id'], bodyFields: ['deduplicationId', 'workflowRunId'] },
      },
    ],
  },
  { provider: 'Hookdeck', hosts: ['hkdk.events', 'events.hookdeck.com'], operations: [run] },
  {
    provider: 'Svix',
    packages: ['svix'],
    hosts: ['api.svix.com', 'api.us.svix.com', 'api.eu.svix.com'],
    operations: [
      {
        ...run,
        title: 'webhook',
        calls: ['message.create'],
        idempotency: { ...HEADER_KEY, bodyFields: ['eventId'], options: ['idempotencyKey'] },
      },
    ],
  },
  {
    provider: 'Temporal',
    packages: ['@temporalio/client'],
    operations: [
      {
        ...run,
        title: 'workflow',
        calls: ['workflow.start', 'start', 'execute', 'signal', 'signalWithStart'],
        idempotency: { bodyFields: ['workflowId'], options: ['workflowId'] },
      },
    ],
  },
  {
    provider: 'BullMQ',
    packages: ['bullmq', 'bull'],
    operations: [
      { ...queue, calls: ['add', 'addBulk'], idempotency: { options: ['jobId'], bodyFields: ['opts.jobId'] } },
    ],
  },
  {
    provider: 'Amazon SQS',
    packages: ['@aws-sdk/client-sqs'],
    hosts: ['sqs.*.amazonaws.com', 'queue.amazonaws.com'],
    operations: [
      {
        ...queue,
        commands: ['SendMessageCommand', 'SendMessageBatchCommand'],
        idempotency: { bodyFields: ['MessageDeduplicationId'] },
      },
    ],
  },
  {
    provider: 'AWS Lambda',
    packages: ['@aws-sdk/client-lambda'],
    hosts: ['lambda.*.amazonaws.com', '*.lambda-url.*.on.aws'],
    operations: [
      {
        ...run,
        title: 'function call',
        commands: ['InvokeCommand', 'InvokeAsyncCommand', 'InvokeWithResponseStreamCommand'],
      },
    ],
  },
  {
    provider: 'AWS Step Functions',
    packages: ['@aws-sdk/client-sfn'],
    hosts: ['states.*.amazonaws.com'],
    operations: [
      {
        ...run,
        title: 'execution',
        commands: ['StartExecutionCommand', 'StartSyncExecutionCommand'],
        idempotency: { bodyFields: ['name'] },
      },
    ],
  },
  {
    provider: 'AWS EventBridge',
    packages: ['@aws-sdk/client-eventbridge', '@aws-sdk/client-scheduler'],
    hosts: ['events.*.amazonaws.com', 'scheduler.*.amazonaws.com'],
    operations: [
      {
        ...run,
        title: 'event',
        commands: ['PutEventsCommand', 'CreateScheduleCommand'],
        idempotency: { bodyFields: ['ClientToken'] },
      },
    ],
  },
  {
    provider: 'Amazon S3',
    packages: ['@aws-sdk/client-s3', '@aws-sdk/lib-storage', 's3_lite_client', '@bradenmacdonald/s3-lite-client'],
    hosts: [
      '*.s3.amazonaws.com',
      's3.amazonaws.com',
      's3.*.amazonaws.com',
      '*.s3.*.amazonaws.com',
      '*.r2.cloudflarestorage.com',
    ],
    operations: [
      {
        title: 'stored object',
        kind: 'state',
        latency: 'other-write',
        commands: [
          'PutObjectCommand',
          'DeleteObjectCommand',
          'DeleteObjectsCommand',
          'CopyObjectCommand',
          'CompleteMultipartUploadCommand',
        ],
        calls: ['putObject', 'deleteObject', 'copyObject', 'done'],
      },
    ],
  },
  {
    provider: 'Amazon DynamoDB',
    packages: ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb'],
    hosts: ['dynamodb.*.amazonaws.com'],
    operations: [
      {
        title: 'record',
        kind: 'state',
        latency: 'other-write',
        paths: [],
        commands: [
          'PutItemCommand',
          'UpdateItemCommand',
          'DeleteItemCommand',
          'PutCommand',
          'UpdateCommand',
          'DeleteCommand',
          'BatchWriteCommand',
          'BatchWriteItemCommand',
          'TransactWriteCommand',
          'TransactWriteItemsCommand',
        ],
      },
    ],
  },
  {
    provider: 'Kafka and brokers',
    packages: ['kafkajs', 'amqplib', '@upstash/kafka', 'nats', 'mqtt', '@confluentinc/kafka-javascript'],
    operations: [{ ...queue, calls: ['producer.send', 'send', 'sendBatch', 'publish', 'sendToQueue', 'produce'] }],
  },
  {
    provider: 'Pusher',
    packages: ['pusher'],
    hosts: ['api.pusherapp.com', 'api-*.pusher.com'],
    operations: [
      {
        title: 'realtime event',
        kind: 'state',
        latency: 'other-write',
        calls: ['trigger', 'triggerBatch', 'sendToUser'],
      },
    ],
  },
  {
    provider: 'Ably',
    packages: ['ably'],
    hosts: ['rest.ably.io', 'main.realtime.ably.net'],
    operations: [
      {
        title: 'realtime event',
        kind: 'state',
        latency: 'other-write',
        calls: ['publish'],
        idempotency: { bodyFields: ['id'] },
      },
    ],
  },
]
