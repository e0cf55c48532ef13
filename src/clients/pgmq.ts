import type { RoutineSummary } from '../model/index.js'
import { placeOf, type Site, type Value } from '../typescript/index.js'

/**
 * The queue functions that PostgREST exposes (schema pgmq_public, and pgmq where a project exposes it): reading hides a
 * message for its visibility timeout, popping deletes it (pgmq sql/pgmq.sql; Supabase docs guides/queues/api).
 */
export function queueRoutine(
  schema: string | null,
  name: string,
  args: ReadonlyMap<string, Value>,
  site: Site,
): RoutineSummary | null {
  if (schema !== 'pgmq_public' && schema !== 'pgmq') return null
  const number = (key: string): number | null => {
    const value = args.get(key)
    return value?.kind === 'const' && typeof value.value === 'number' ? value.value : null
  }
  if (name === 'read' || name === 'read_with_poll' || name === 'pop') {
    // Hidden for no time at all, a message is handed out again at once.
    const hidden = number('sleep_seconds') ?? number('vt')
    const limit = name === 'pop' ? 1 : (number('n') ?? number('qty'))
    return {
      answer: {
        kind: 'rows',
        taking: {
          table: null,
          where: null,
          change:
            name === 'pop'
              ? { kind: 'delete' }
              : { kind: 'set', assignments: [{ column: 'vt', operand: { kind: 'now', offset: null } }] },
          soundness: name !== 'pop' && hidden !== null && hidden <= 0 ? 'claim-not-self-falsifying' : 'sound',
          location: placeOf(site),
          limit: limit === null ? null : { kind: 'literal', value: limit },
          keys: [],
        },
      },
      writes: [],
      sends: false,
    }
  }
  return { answer: { kind: 'other' }, writes: [], sends: false }
}
