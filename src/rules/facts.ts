import { showPredicate } from '../claims/index.js'
import type { AttemptFlaw, ClaimAttempt, EffectSite, Predicate, WorkLoop } from '../model/index.js'
import type { Match } from './rule.js'

/** The effects of a loop that nothing takes, in control-flow order. */
export function unowned(loop: WorkLoop): readonly EffectSite[] {
  return loop.effects.filter((effect) => effect.ownedBy === null)
}

export function attemptOf(loop: WorkLoop, flaw: AttemptFlaw): ClaimAttempt | null {
  return loop.attempts.find((attempt) => attempt.flaw === flaw) ?? null
}

/** A check that speaks where a loop has an attempt of this flaw, and stands at the attempt. */
export function onAttempt(flaw: AttemptFlaw, say: (loop: WorkLoop, attempt: ClaimAttempt) => string) {
  return (loop: WorkLoop): Match | null => {
    const attempt = attemptOf(loop, flaw)
    return attempt === null ? null : { location: attempt.location, message: say(loop, attempt), attempt }
  }
}

/** A match that stands at the first effect that nothing takes. */
export function atFirstEffect(loop: WorkLoop, message: string, attempt?: ClaimAttempt | null): Match | null {
  const first = unowned(loop)[0]
  if (first === undefined) return null
  return { location: first.location, message, ...(attempt ? { attempt } : {}) }
}

/** "a", "a and b", "a, b and c". */
export function list(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? ''
  return `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`
}

export function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The table as a reader calls it: the schema only where it is not `public`. */
export function tableName(table: string | null): string {
  return table === null ? 'its rows' : table.replace(/^public\./, '')
}

/** "OpenAI embedding and Resend e-mail": the titles of what nothing takes, each once. */
export function effectsText(loop: WorkLoop): string {
  return list([...new Set(unowned(loop).map((effect) => effect.match.title))])
}

/** "OpenAI embedding follows", "OpenAI embedding and Resend e-mail follow". */
export function effectsFollow(loop: WorkLoop): string {
  const one = new Set(unowned(loop).map((effect) => effect.match.title)).size < 2
  return `${effectsText(loop)} ${one ? 'follows' : 'follow'}`
}

/** " where status in ('pending', 'failed')", cut where it is too long for a sentence; empty where no condition is known. */
export function conditionText(where: Predicate | null): string {
  if (where === null) return ''
  const text = showPredicate(where).replace(/\s+/g, ' ')
  return ` where ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`
}

const LONGEST = 160

/** "each row of embedding_jobs where status = 'pending'". */
export function rowsText(loop: WorkLoop): string {
  const { table, where } = loop.source
  return table === null ? 'each row' : `each row of ${tableName(table)}${conditionText(where)}`
}

/** "embedding_jobs", of the attempt where it names one, else of the pick. */
export function attemptTable(loop: WorkLoop, attempt: ClaimAttempt): string {
  return tableName(attempt.table ?? loop.source.table)
}
