import type { CatalogueEntry } from './entry.js'
import { chat, embedding, image, OPENAI_LIKE, speech, transcription, video } from './gateways.js'

/** Model providers: a repeated call costs again. None of them takes an idempotency key (openai-node and anthropic-sdk: slot unset). */
export const MODELS: readonly CatalogueEntry[] = [
  {
    provider: 'OpenAI',
    packages: ['openai', '@openai/openai', '@openai/agents'],
    hosts: ['api.openai.com', '*.api.openai.com', '*.openai.azure.com', 'oai.helicone.ai', 'gateway.ai.cloudflare.com'],
    operations: [
      ...OPENAI_LIKE,
      {
        ...chat,
        calls: [
          'chat.completions.create',
          'chat.completions.parse',
          'chat.completions.stream',
          'chat.completions.runTools',
          'responses.create',
          'responses.parse',
          'responses.stream',
          'completions.create',
          'createChatCompletion',
          'createCompletion',
          'run',
        ],
        paths: [],
      },
      {
        ...chat,
        title: 'assistant run',
        calls: [
          'runs.create',
          'runs.createAndPoll',
          'runs.stream',
          'threads.createAndRun',
          'threads.createAndRunPoll',
          'runs.submitToolOutputs',
        ],
        paths: [/\/threads\/[^/]+\/runs/, /\/threads\/runs\/?$/],
      },
      { ...embedding, calls: ['embeddings.create', 'createEmbedding'], paths: [] },
      { ...image, calls: ['images.generate', 'images.edit', 'images.createVariation', 'createImage'], paths: [] },
      {
        ...transcription,
        calls: ['audio.transcriptions.create', 'audio.translations.create', 'createTranscription'],
        paths: [],
      },
      { ...speech, calls: ['audio.speech.create'], paths: [] },
      { ...video, calls: ['videos.create', 'videos.remix'], paths: [/\/videos\/?$/] },
      {
        title: 'batch',
        kind: 'spend',
        latency: 'other-write',
        calls: ['batches.create', 'fineTuning.jobs.create'],
        paths: [/\/batches\/?$/, /\/fine_tuning\/jobs\/?$/],
      },
      {
        title: 'stored object',
        kind: 'state',
        latency: 'other-write',
        calls: [
          'files.create',
          'files.del',
          'vectorStores.*',
          'threads.create',
          'messages.create',
          'assistants.create',
          'vectorStores.files.create',
          'conversations.create',
        ],
      },
    ],
    reads: {
      paths: [/\/moderations\/?$/, /\/vector_stores\/[^/]+\/search\/?$/],
      calls: ['moderations.create', 'vectorStores.search', 'vectorStores.retrieve', 'vectorStores.list'],
    },
  },
  {
    provider: 'Anthropic',
    packages: ['@anthropic-ai/sdk', '@anthropic-ai/bedrock-sdk', '@anthropic-ai/vertex-sdk'],
    hosts: ['api.anthropic.com', 'anthropic.helicone.ai'],
    operations: [
      {
        ...chat,
        title: 'message',
        paths: [/\/messages\/?$/, /\/complete\/?$/, /\/chat\/completions\/?$/],
        calls: ['messages.create', 'messages.stream', 'messages.parse', 'completions.create', 'messages.toolRunner'],
      },
      {
        title: 'message batch',
        kind: 'spend',
        latency: 'other-write',
        calls: ['batches.create'],
        paths: [/\/messages\/batches\/?$/],
      },
      { title: 'file', kind: 'state', latency: 'other-write', calls: ['files.upload', 'files.delete'] },
    ],
    reads: { paths: [/\/count_tokens\/?$/], calls: ['messages.countTokens'] },
  },
  {
    provider: 'Google Gemini',
    packages: ['@google/genai', '@google/generative-ai', '@google-cloud/vertexai'],
    hosts: ['generativelanguage.googleapis.com', 'aiplatform.googleapis.com', '*-aiplatform.googleapis.com'],
    operations: [
      {
        ...image,
        paths: [/image[^/:]*:(generateContent|streamGenerateContent|predict)/i, /imagen[^/]*:predict/i],
        calls: ['models.generateImages', 'models.editImage', 'models.upscaleImage', 'generateImages'],
      },
      { ...video, paths: [/:predictLongRunning/], calls: ['models.generateVideos', 'generateVideos'] },
      {
        ...embedding,
        paths: [
          /:(embedContent|batchEmbedContents|asyncBatchEmbedContent)/,
          /embedding[^/]*:predict/i,
          /\/embeddings\/?$/,
        ],
        calls: ['models.embedContent', 'embedContent', 'batchEmbedContents'],
      },
      {
        ...chat,
        title: 'model call',
        paths: [
          /:(generateContent|streamGenerateContent|rawPredict|streamRawPredict|predict|generateAnswer|generateMessage|generateText)/,
          /\/chat\/completions\/?$/,
          /\/interactions\/?$/,
        ],
        calls: [
          'models.generateContent',
          'models.generateContentStream',
          'generateContent',
          'generateContentStream',
          'sendMessage',
          'sendMessageStream',
          'interactions.create',
        ],
      },
      {
        title: 'stored object',
        kind: 'state',
        latency: 'other-write',
        calls: ['files.upload', 'files.delete', 'caches.create', 'batches.create'],
      },
    ],
    reads: {
      paths: [/:countTokens/, /:computeTokens/],
      calls: ['models.countTokens', 'countTokens', 'models.computeTokens'],
    },
  },
  {
    provider: 'AI SDK',
    packages: ['ai', '@ai-sdk/*'],
    hosts: ['ai-gateway.vercel.sh'],
    operations: [
      { ...OPENAI_LIKE[1]! },
      {
        ...chat,
        title: 'model call',
        calls: [
          'generateText',
          'streamText',
          'generateObject',
          'streamObject',
          'experimental_streamObject',
          'generate',
          'stream',
        ],
      },
      { ...embedding, calls: ['embed', 'embedMany', 'rerank'], paths: [] },
      { ...image, calls: ['generateImage', 'experimental_generateImage'], paths: [] },
      { ...transcription, calls: ['transcribe', 'experimental_transcribe'], paths: [] },
      { ...speech, calls: ['generateSpeech', 'experimental_generateSpeech'], paths: [] },
      { ...video, calls: ['generateVideo', 'experimental_generateVideo'], paths: [] },
    ],
  },
  {
    provider: 'LangChain',
    packages: [
      'langchain',
      '@langchain/*',
      'llamaindex',
      '@llamaindex/*',
      '@mastra/core',
      '@genkit-ai/*',
      'genkit',
      'ollama',
    ],
    operations: [
      {
        ...embedding,
        calls: ['embedQuery', 'embedDocuments', 'getTextEmbedding', 'getTextEmbeddings', 'embed', 'embeddings'],
      },
      {
        ...chat,
        title: 'model call',
        calls: [
          'invoke',
          'stream',
          'batch',
          'call',
          'predict',
          'generate',
          'generateStream',
          'chat',
          'complete',
          'streamEvents',
        ],
      },
    ],
    none: { calls: ['loadMemoryVariables', 'saveContext'] },
  },
  {
    provider: 'Voyage AI',
    packages: ['voyageai'],
    hosts: ['api.voyageai.com'],
    operations: [{ ...embedding, calls: ['embed', 'rerank', 'multimodalEmbed', 'contextualizedEmbed'] }],
  },
  {
    provider: 'Jina AI',
    hosts: ['api.jina.ai', 'r.jina.ai', 's.jina.ai', 'deepsearch.jina.ai'],
    operations: [
      { ...chat, paths: [/\/chat\/completions\/?$/] },
      { ...embedding, title: 'model call' },
    ],
  },
  {
    provider: 'AWS Bedrock',
    packages: ['@aws-sdk/client-bedrock-runtime', '@aws-sdk/client-bedrock-agent-runtime'],
    hosts: ['bedrock-runtime.*.amazonaws.com', 'bedrock-agent-runtime.*.amazonaws.com'],
    operations: [
      {
        ...chat,
        title: 'model call',
        commands: [
          'InvokeModelCommand',
          'InvokeModelWithResponseStreamCommand',
          'ConverseCommand',
          'ConverseStreamCommand',
          'InvokeAgentCommand',
          'RetrieveAndGenerateCommand',
        ],
      },
    ],
  },
  {
    provider: 'Cloudflare',
    hosts: ['api.cloudflare.com'],
    operations: [
      { ...chat, title: 'model call', paths: [/\/ai\/run\//, /\/ai\/v1\//] },
      { title: 'change', kind: 'state', latency: 'other-write' },
    ],
    reads: {
      paths: [
        /\/graphql\/?$/,
        /\/vectorize\/.*\/(query|get-by-ids|get_by_ids)\/?$/,
        /\/d1\/database\/[^/]+\/query\/?$/,
      ],
    },
  },
]
