import type { CatalogueEntry } from './entry.js'

const media = (title: string) => ({ title, kind: 'spend', latency: 'media-model' }) as const

/** Images, speech, video: slow and metered. None takes an idempotency key. */
export const MEDIA: readonly CatalogueEntry[] = [
  {
    provider: 'Replicate',
    packages: ['replicate'],
    hosts: ['api.replicate.com'],
    operations: [
      {
        ...media('prediction'),
        calls: ['run', 'stream', 'predictions.create', 'deployments.predictions.create', 'trainings.create'],
      },
    ],
  },
  {
    provider: 'ElevenLabs',
    packages: ['elevenlabs', '@elevenlabs/elevenlabs-js', 'elevenlabs-node'],
    hosts: ['api.elevenlabs.io', 'api.eu.elevenlabs.io', 'api.us.elevenlabs.io'],
    operations: [
      {
        title: 'call',
        kind: 'message',
        latency: 'text-message',
        paths: [/\/convai\/(twilio|sip-trunk)\/outbound-call/, /\/batch-calling\/submit/],
        calls: ['twilio.outboundCall', 'sipTrunk.outboundCall', 'batchCalls.create'],
      },
      {
        ...media('speech'),
        calls: [
          'textToSpeech.convert',
          'textToSpeech.stream',
          'textToSpeech.convertAsStream',
          'textToSpeech.convertWithTimestamps',
          'speechToText.convert',
          'dubbing.create',
          'music.compose',
          'textToSoundEffects.convert',
          'speechToSpeech.convert',
          'generate',
          'textToDialogue.convert',
        ],
      },
    ],
  },
  {
    provider: 'Deepgram',
    packages: ['@deepgram/sdk'],
    hosts: ['api.deepgram.com'],
    operations: [
      {
        ...media('transcription'),
        calls: [
          'transcribeUrl',
          'transcribeFile',
          'transcribeUrlCallback',
          'transcribeFileCallback',
          'preRecorded',
          'speak.request',
          'analyzeText',
          'listen.live',
        ],
      },
    ],
  },
  {
    provider: 'AssemblyAI',
    packages: ['assemblyai'],
    hosts: ['api.assemblyai.com', 'api.eu.assemblyai.com'],
    operations: [
      {
        ...media('transcription'),
        calls: [
          'transcripts.transcribe',
          'transcripts.submit',
          'transcripts.create',
          'lemur.task',
          'lemur.summary',
          'lemur.questionAnswer',
        ],
      },
    ],
    none: { paths: [/\/upload\/?$/], calls: ['files.upload'] },
  },
  {
    provider: 'fal',
    packages: ['@fal-ai/client', '@fal-ai/serverless-client', '@fal-ai/serverless'],
    hosts: ['fal.run', 'queue.fal.run', 'ws.fal.run', '*.fal.run', 'rest.alpha.fal.ai'],
    operations: [{ ...media('generation'), calls: ['subscribe', 'run', 'stream', 'queue.submit'] }],
    reads: { calls: ['queue.status', 'queue.result'] },
  },
  { provider: 'Stability AI', hosts: ['api.stability.ai'], operations: [media('image')] },
  {
    provider: 'Runway',
    packages: ['@runwayml/sdk'],
    hosts: ['api.dev.runwayml.com', 'api.runwayml.com'],
    operations: [
      {
        ...media('video'),
        calls: [
          'imageToVideo.create',
          'textToImage.create',
          'textToVideo.create',
          'videoToVideo.create',
          'videoUpscale.create',
        ],
      },
    ],
  },
  {
    provider: 'Luma',
    packages: ['lumaai'],
    hosts: ['api.lumalabs.ai'],
    operations: [{ ...media('video'), calls: ['generations.create', 'generations.*.create'] }],
  },
  { provider: 'HeyGen', hosts: ['api.heygen.com', 'upload.heygen.com'], operations: [media('video')] },
  { provider: 'D-ID', hosts: ['api.d-id.com'], operations: [media('video')] },
  { provider: 'Synthesia', hosts: ['api.synthesia.io'], operations: [media('video')] },
  { provider: 'Shotstack', hosts: ['api.shotstack.io'], operations: [media('render')] },
  {
    provider: 'Creatomate',
    packages: ['creatomate'],
    hosts: ['api.creatomate.com'],
    operations: [{ ...media('render'), calls: ['render', 'startRender'] }],
  },
  { provider: 'Black Forest Labs', hosts: ['api.bfl.ai', 'api.bfl.ml', '*.api.bfl.ai'], operations: [media('image')] },
  { provider: 'Leonardo', hosts: ['cloud.leonardo.ai'], operations: [media('image')] },
  { provider: 'Ideogram', hosts: ['api.ideogram.ai'], operations: [media('image')] },
  { provider: 'Kling', hosts: ['api.klingai.com', 'api-singapore.klingai.com'], operations: [media('video')] },
  {
    provider: 'Cartesia',
    packages: ['@cartesia/cartesia-js'],
    hosts: ['api.cartesia.ai'],
    operations: [{ ...media('speech'), calls: ['tts.bytes', 'tts.sse', 'tts.generate', 'stt.transcribe'] }],
  },
  {
    provider: 'PlayHT',
    packages: ['playht'],
    hosts: ['api.play.ht'],
    operations: [{ ...media('speech'), calls: ['generate', 'stream'] }],
  },
  { provider: 'Suno', hosts: ['api.sunoapi.org', 'apibox.erweima.ai'], operations: [media('music')] },
  { provider: 'KIE', hosts: ['api.kie.ai'], operations: [media('generation')] },
  {
    provider: 'Rev AI',
    packages: ['revai-node-sdk'],
    hosts: ['api.rev.ai'],
    operations: [{ ...media('transcription'), calls: ['submitJob', 'submitJobUrl', 'submitJobAudioData'] }],
  },
  { provider: 'Gladia', hosts: ['api.gladia.io'], operations: [media('transcription')] },
  { provider: 'remove.bg', hosts: ['api.remove.bg'], operations: [media('image')] },
  {
    provider: 'Google Cloud speech',
    packages: ['@google-cloud/text-to-speech', '@google-cloud/speech'],
    hosts: ['texttospeech.googleapis.com', 'speech.googleapis.com', '*-speech.googleapis.com'],
    operations: [
      { ...media('speech'), calls: ['synthesizeSpeech', 'recognize', 'longRunningRecognize', 'batchRecognize'] },
    ],
  },
  {
    provider: 'Azure speech',
    packages: ['microsoft-cognitiveservices-speech-sdk'],
    hosts: ['*.tts.speech.microsoft.com', '*.stt.speech.microsoft.com'],
    operations: [{ ...media('speech'), calls: ['speakTextAsync', 'speakSsmlAsync', 'recognizeOnceAsync'] }],
  },
  {
    provider: 'AWS speech',
    packages: ['@aws-sdk/client-polly', '@aws-sdk/client-transcribe'],
    hosts: ['polly.*.amazonaws.com', 'transcribe.*.amazonaws.com'],
    operations: [
      {
        ...media('speech'),
        commands: ['SynthesizeSpeechCommand', 'StartSpeechSynthesisTaskCommand', 'StartTranscriptionJobCommand'],
      },
    ],
  },
]
