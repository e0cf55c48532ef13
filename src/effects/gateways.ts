import type { CatalogueEntry, Operation } from './entry.js'

export const chat = { title: 'chat completion', kind: 'spend', latency: 'chat-model' } as const
export const embedding = { title: 'embedding', kind: 'spend', latency: 'embedding' } as const
export const image = { title: 'image', kind: 'spend', latency: 'media-model' } as const
export const speech = { title: 'speech', kind: 'spend', latency: 'media-model' } as const
export const transcription = { title: 'transcription', kind: 'spend', latency: 'media-model' } as const
export const video = { title: 'video', kind: 'spend', latency: 'media-model' } as const

/** The paths that OpenAI's API and all that imitate it have. */
export const OPENAI_LIKE: readonly Operation[] = [
  { ...chat, paths: [/\/chat\/completions\/?$/, /\/responses\/?$/, /\/completions\/?$/, /\/v1\/messages\/?$/] },
  { ...embedding, paths: [/\/embeddings?\/?$/] },
  { ...embedding, title: 'reranking', paths: [/\/rerank\/?$/] },
  { ...image, paths: [/\/images\/(generations|edits|variations)\/?$/] },
  { ...transcription, paths: [/\/audio\/(transcriptions|translations)\/?$/] },
  { ...speech, paths: [/\/audio\/speech\/?$/] },
]
const modelCall = { ...chat, title: 'model call' }

/** A provider of models with an API like OpenAI's; what it has besides is a model call too. */
function gateway(provider: string, hosts: readonly string[], packages: readonly string[] = []): CatalogueEntry {
  const calls = [
    'chat.completions.create',
    'chat.completions.stream',
    'chat.completions.parse',
    'chat.complete',
    'chat.stream',
    'chat.send',
    'chat',
    'chatStream',
    'completions.create',
    'completion',
    'generate',
    'responses.create',
    'agents.complete',
    'ocr.process',
  ]
  return {
    provider,
    hosts,
    packages,
    operations: [
      ...OPENAI_LIKE,
      { ...embedding, calls: ['embeddings.create', 'embed', 'embeddings.generate'], paths: [] },
      { ...embedding, title: 'reranking', calls: ['rerank'], paths: [] },
      { ...image, calls: ['images.create', 'images.generate'], paths: [] },
      { ...transcription, calls: ['audio.transcriptions.create'], paths: [] },
      { ...speech, calls: ['audio.speech.create'], paths: [] },
      { ...modelCall, calls },
    ],
    reads: { paths: [/\/(models|tokenize|detokenize|classifications)\/?$/] },
  }
}

/** Providers whose API is like OpenAI's. None takes an idempotency key. */
export const GATEWAYS: readonly CatalogueEntry[] = [
  gateway('OpenRouter', ['openrouter.ai'], ['@openrouter/sdk', '@openrouter/ai-sdk-provider']),
  gateway('Lovable AI', ['ai.gateway.lovable.dev']),
  gateway('Groq', ['api.groq.com'], ['groq-sdk']),
  gateway('Mistral', ['api.mistral.ai', 'codestral.mistral.ai'], ['@mistralai/mistralai']),
  gateway('Cohere', ['api.cohere.com', 'api.cohere.ai'], ['cohere-ai']),
  gateway('DeepSeek', ['api.deepseek.com']),
  gateway('Together AI', ['api.together.xyz', 'api.together.ai'], ['together-ai']),
  gateway('Perplexity', ['api.perplexity.ai'], ['@perplexity-ai/perplexity_ai']),
  gateway('xAI', ['api.x.ai']),
  gateway('Fireworks AI', ['api.fireworks.ai']),
  gateway('Cerebras', ['api.cerebras.ai'], ['@cerebras/cerebras_cloud_sdk']),
  gateway(
    'Hugging Face',
    ['api-inference.huggingface.co', 'router.huggingface.co', '*.endpoints.huggingface.cloud'],
    ['@huggingface/inference'],
  ),
  gateway('Moonshot', ['api.moonshot.cn', 'api.moonshot.ai']),
  gateway('Alibaba Qwen', ['dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com']),
  gateway(
    'Azure AI',
    ['*.services.ai.azure.com', '*.inference.ai.azure.com', 'models.inference.ai.azure.com', 'models.github.ai'],
    ['@azure-rest/ai-inference', '@azure/openai'],
  ),
  gateway('Novita', ['api.novita.ai']),
  gateway('NVIDIA', ['integrate.api.nvidia.com']),
  gateway('Portkey', ['api.portkey.ai'], ['portkey-ai']),
  gateway('Dify', ['api.dify.ai']),
  gateway('MiniMax', ['api.minimax.io', 'api.minimaxi.com', 'api.minimax.chat']),
]
