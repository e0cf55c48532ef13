import type { EffectMatch, Latency, LatencyClass, LatencyOverrides } from '../model/index.js'

/**
 * Seconds that one call takes, typically and at worst. Estimates, documented and configurable; a function of the project counts as the sum
 * of its own effects, and as another write where those are not known.
 */
export const LATENCIES: Readonly<Record<LatencyClass, Latency>> = {
  'chat-model': { typicalSeconds: 8, worstSeconds: 60 },
  embedding: { typicalSeconds: 0.5, worstSeconds: 30 },
  'media-model': { typicalSeconds: 30, worstSeconds: 120 },
  email: { typicalSeconds: 0.5, worstSeconds: 10 },
  'text-message': { typicalSeconds: 0.5, worstSeconds: 10 },
  push: { typicalSeconds: 0.2, worstSeconds: 10 },
  payment: { typicalSeconds: 1, worstSeconds: 30 },
  'other-write': { typicalSeconds: 1, worstSeconds: 30 },
  'edge-function': { typicalSeconds: 1, worstSeconds: 30 },
}

/** The latency of an effect: the configuration's, else the class's default. The worst is never less than the typical. */
export function latencyOf(match: Pick<EffectMatch, 'latency'>, overrides: LatencyOverrides = {}): Latency {
  const { typicalSeconds, worstSeconds } = { ...LATENCIES[match.latency], ...overrides[match.latency] }
  return { typicalSeconds, worstSeconds: Math.max(typicalSeconds, worstSeconds) }
}
