/** What an effect costs or does; domain: money charges a person, message reaches a person, spend is metered, state changes a third party's record. */
export type EffectKind = 'money' | 'message' | 'spend' | 'state'

/** The latency classes of the contract, by which typical and worst seconds are looked up. */
export type LatencyClass =
  | 'chat-model'
  | 'embedding'
  | 'media-model'
  | 'email'
  | 'text-message'
  | 'push'
  | 'payment'
  | 'other-write'
  | 'edge-function'

/** One entry of the effect catalogue, after matching: what a call does at the other end. */
export interface EffectMatch {
  /** For people: "OpenAI chat completion", "Resend e-mail", "write to events.example". */
  readonly title: string
  readonly provider: string
  readonly kind: EffectKind
  readonly latency: LatencyClass
  /** The host is not in the catalogue: confidence and severity are lower. */
  readonly unknownHost: boolean
  /** How the provider takes an idempotency key, if it does. */
  readonly idempotency: IdempotencyForm | null
}

/** Where an idempotency key is passed: a request header, a field of the body, or an option of the SDK call's last argument. */
export type IdempotencyForm = {
  readonly headers: readonly string[]
  readonly bodyFields: readonly string[]
  readonly options: readonly string[]
}

/** Seconds that one call takes. */
export interface Latency {
  readonly typicalSeconds: number
  readonly worstSeconds: number
}

export type LatencyOverrides = Partial<Readonly<Record<LatencyClass, Partial<Latency>>>>

/** An effect that the catalogue does not know, as a user's configuration names it. */
export interface CustomEffect {
  /** The end of a dotted call path: `mailer.deliver`, also of a function of the project itself. */
  readonly call?: string
  /** `api.acme.dev` or `*.acme.dev`. */
  readonly host?: string
  readonly package?: string
  readonly class: LatencyClass
  readonly kind?: EffectKind
  readonly title?: string
  /** Where the provider takes an idempotency key, if it does: a header's name. */
  readonly idempotencyHeader?: string
}

/** What a user's configuration says is no effect. */
export type CustomNonEffect = Pick<CustomEffect, 'call' | 'host' | 'package'>
