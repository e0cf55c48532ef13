import type { EffectSite, IdempotencyForm, Operand, WorkLoop } from '../../model/index.js'
import { sentence, unowned } from '../facts.js'
import { LEASE_MINUTES, type PrintableClaim } from './claim.js'
import { member, namesOf } from './typescript.js'

/** Who takes the rows: the loop itself, the SQL that hands them out, or the SQL that sends the requests. */
export type Taker = 'loop' | 'routine' | 'fanout'

/** At most five sentences: take the row, the way back after a crash and after a failure, time limits, key and final write. */
export function claimSteps(loop: WorkLoop, claim: PrintableClaim, taker: Taker): readonly string[] {
  return [takeStep(claim, taker), wayBack(loop, claim), giveBack(loop), timeLimits(loop), lastStep(loop)]
}

/** The same for a record under a unique key. */
export function recordSteps(loop: WorkLoop, first: string): readonly string[] {
  const back = charges(loop)
    ? 'A run that dies between the record and the effect leaves a record without an effect: stamp the effect in the record, and have a person look at old records without a stamp.'
    : `A run that dies between the record and the effect leaves a record without an effect: stamp the effect in the record, and let a record without a stamp be tried again after ${LEASE_MINUTES} minutes, which is longer than a run can last.`
  const failure =
    'When the call fails before anything went out, delete the record, so that the next tick can try again.'
  return [first, back, failure, timeLimits(loop), lastStep(loop)]
}

const takes: Readonly<Record<Taker, string>> = {
  loop: 'Take the row before the first call that costs something, ask for it back, and leave it alone when none comes.',
  routine: 'Find and take the rows in one statement, and work on what it returned and on nothing else.',
  fanout:
    'Take the rows in the statement that sends the requests, so that a row is taken exactly if its request goes out.',
}

function takeStep({ newState }: PrintableClaim, taker: Taker): string {
  if (newState === null) return takes[taker]
  const value = typeof newState.value === 'string' ? `'${newState.value}'` : String(newState.value)
  return `${takes[taker]} If a CHECK constraint or an enum lists the values of ${newState.column}, add ${value} in a migration.`
}

function wayBack(loop: WorkLoop, claim: PrintableClaim): string {
  const bound = `${LEASE_MINUTES} minutes is safe: a run lasts 150 s at most on the free plan and 400 s on a paid one, plus the longest call`
  if (claim.lease)
    return `A row whose run died can be taken again once its claim is older than a run can last; ${bound}.`
  const end = endColumn(loop, claim)
  if (end !== null) {
    return `From now on ${end} does not tell finished work from a run that died: record the end in a column of its own (the provider's id, say), and let a sweeper put back what has none and was taken longer ago than a run can last; ${bound}.`
  }
  if (charges(loop)) {
    return `A row whose run died stays taken: stamp the claim, and list rows whose stamp is older than a run can last for a person to check, since the charge may have been made; ${bound}.`
  }
  const stamp = claim.change.assignments.find(({ operand }) => operand.kind === 'now')
  const age = stamp === undefined ? 'Stamp the claim in the same update, and' : `${stamp.column} says since when:`
  return `A row whose run died stays taken. ${age} let the pick or a sweeper bring back what was taken longer ago than a run can last; ${bound}.`
}

/** The column by which the claim sets the very value that finished work has; null: the claim has a value of its own. */
function endColumn(loop: WorkLoop, { change }: PrintableClaim): string | null {
  const ends = loop.marks.flatMap((mark) => (mark.change?.kind === 'set' ? mark.change.assignments : []))
  const unlike = change.assignments.filter(
    ({ column, operand }) => !ends.some((end) => end.column === column && sameValue(end.operand, operand)),
  )
  const isEnd = loop.marks.length === 0 || unlike.length === 0
  return isEnd ? (change.assignments[0]?.column ?? null) : null
}

function sameValue(one: Operand, other: Operand): boolean {
  if (one.kind === 'literal' && other.kind === 'literal') return one.value === other.value
  return one.kind === 'now' && other.kind === 'now'
}

function giveBack(loop: WorkLoop): string {
  return charges(loop)
    ? 'Put the row back only when it is certain that no charge was made; when in doubt, leave it for a person.'
    : 'When a call fails before anything went out, put the row back, and count attempts so that a bad row does not cost a call per tick for ever.'
}

function timeLimits(loop: WorkLoop): string {
  const { limit } = loop.source
  const call =
    'give every call a time limit (30 s, one retry at most), so that one stuck call does not strand what is taken'
  if (limit === 1) return `${sentence(call)}.`
  const batch = limit === null ? 'Limit the pick, so' : `Keep the batch (now ${limit}) so small`
  return `${batch} that a run ends within half of a worker's life, and ${call}.`
}

function lastStep(loop: WorkLoop): string {
  const read = 'Read `error` of the write that records the work: supabase-js does not throw.'
  const keyed = unowned(loop).find(({ match }) => match.idempotency !== null && !match.unknownHost)
  return keyed === undefined ? read : `${keySentence(loop, keyed)} ${read}`
}

function keySentence(loop: WorkLoop, { match }: EffectSite): string {
  const { row, key } = namesOf(loop)
  const example = `\`${loop.function}/\${${member(row, key)}}\``
  const again = loop.source.timeBound ? ', and from the period where a row comes round again' : ''
  return `Pass ${match.provider} a key made from the row${again} (${where(match.idempotency)}, such as ${example}), so that a repeat within its window has no effect.`
}

function where(form: IdempotencyForm | null): string {
  const places = [
    ...(form?.headers.slice(0, 1) ?? []).map((name) => `header ${name}`),
    ...(form?.options.slice(0, 1) ?? []).map((name) => `SDK option ${name}`),
    ...(form?.bodyFields.slice(0, 1) ?? []).map((name) => `field ${name}`),
  ]
  return places.join(' or ')
}

function charges(loop: WorkLoop): boolean {
  return unowned(loop).some((effect) => effect.match.kind === 'money')
}
