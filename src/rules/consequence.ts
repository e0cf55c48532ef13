import type { EffectSite, LatencyClass, Overlap, WorkLoop } from '../model/index.js'
import { list, tableName, unowned } from './facts.js'

/**
 * What happens when two runs overlap: which rows, and what is repeated for each. No prices: one more model call is one
 * more model call.
 */
export function consequence(loop: WorkLoop, overlap: Overlap | null): string {
  const picked = `Two overlapping runs pick the same ${rows(loop, overlap)}, and each costs ${repeated(unowned(loop))}.`
  return [picked, ...later(loop)].join(' ')
}

/** "rows of jobs, up to 50 of them". */
function rows(loop: WorkLoop, overlap: Overlap | null): string {
  const limit = loop.source.limit ?? (overlap !== null && !overlap.batchAssumed ? overlap.batch : null)
  const table = loop.source.table === null ? '' : ` of ${tableName(loop.source.table)}`
  if (limit === 1) return `row${table}`
  return limit === null ? `rows${table}, without a limit` : `rows${table}, up to ${limit} of them`
}

/** What the next runs do, overlap or not. */
function later({ marks, attempts }: WorkLoop): readonly string[] {
  if (marks.some(({ leavesPick }) => leavesPick === 'yes')) {
    return ['The write that records the work comes after it: where that write fails, every later tick does it again.']
  }
  if (marks.length === 0 && attempts.length === 0) {
    return ['Nothing records the work, so every later run that still picks the row does it again as well.']
  }
  const unread = marks.length > 0 && marks.every(({ leavesPick }) => leavesPick === 'no')
  return unread ? ['The work is recorded, but nothing asks for the record before the work is done again.'] : []
}

/** "one more model call and one more e-mail". */
function repeated(effects: readonly EffectSite[]): string {
  const counts = new Map<string, number>()
  for (const effect of effects) counts.set(noun(effect), (counts.get(noun(effect)) ?? 0) + 1)
  return list(
    [...counts].map(([what, count]) => (count === 1 ? `one more ${what}` : `${count} times one more ${what}`)),
  )
}

const nouns: Partial<Record<LatencyClass, string>> = {
  'chat-model': 'model call',
  embedding: 'embedding call',
  'media-model': 'model call',
  email: 'e-mail',
  'text-message': 'message',
  push: 'push message',
  payment: 'payment call',
}

function noun({ match }: EffectSite): string {
  return nouns[match.latency] ?? match.title
}
