import type { EffectMatch, Reason } from '../model/index.js'
import type { Statement } from '../clients/statement.js'
import type { Fact, Machine, Site, Taints, Value } from '../typescript/index.js'

/** What happened, in control-flow order, as far as the question needs it. */
export type WorkEvent = { readonly kind: 'statement'; readonly statement: Statement } | RowEvent

/** What may be driven by rows. */
export type RowEvent = EffectEvent | LostEvent | HandoffEvent

export interface EffectEvent {
  readonly kind: 'effect'
  readonly match: EffectMatch
  readonly site: Site
  /** From what the items of the loops around were made, outermost first. */
  readonly walked: readonly Taints[]
  /** From what its arguments were made. */
  readonly taints: Taints
  readonly facts: ReadonlySet<Fact>
  /** Statements that may have been sent on a path to it. */
  readonly seen: ReadonlySet<string>
  /** The idempotency key that is passed on. */
  readonly key: Value | null
  /** What the key was made from. */
  readonly keyTaints: Taints
  readonly keyStable: boolean
  readonly timeoutSeconds: number | null
}

/** A call that could not be followed, with what it was given. */
export interface LostEvent {
  readonly kind: 'lost'
  readonly reason: Reason
  readonly site: Site
  readonly walked: readonly Taints[]
  readonly taints: Taints
  readonly facts: ReadonlySet<Fact>
}

/** Another function of the project is called, with something of a row. */
export interface HandoffEvent {
  readonly kind: 'handoff'
  readonly site: Site
  readonly walked: readonly Taints[]
  readonly taints: Taints
  readonly facts: ReadonlySet<Fact>
}

export interface Recorder {
  events: WorkEvent[]
  readonly statements: Map<number, Statement>
  /** Claims whose row was put back before the work. */
  readonly undone: Set<number>
  /** Columns of a statement's rows over which the code decides. */
  readonly testedColumns: Map<number, Set<string>>
  /** Statements whose rows the code chooses by comparing them with the time. */
  readonly timeTested: Set<number>
  /** Module variables: where a condition over them decided, and where they were set. */
  readonly moduleTests: Map<string, Site>
  readonly ids: Map<string, number>
  /** Handlers of other functions of the project that were called: what runs in them is their own work. */
  readonly boundaries: Set<unknown>
}

export const createRecorder = (): Recorder => ({
  events: [],
  statements: new Map(),
  undone: new Set(),
  testedColumns: new Map(),
  timeTested: new Set(),
  moduleTests: new Map(),
  ids: new Map(),
  boundaries: new Set(),
})

/** The same place in the same chain of calls has the same number, however often it is run. */
export function idOf(recorder: Recorder, site: Site, what: string): number {
  const key = [
    ...site.calls.map((call) => `${call.file}:${call.node.pos}`),
    `${site.file}:${site.node.pos}:${site.node.end}`,
    site.variants.join('.'),
    what,
  ].join('|')
  const known = recorder.ids.get(key)
  if (known !== undefined) return known
  const id = recorder.ids.size + 1
  recorder.ids.set(key, id)
  return id
}

export function record(recorder: Recorder, statement: Statement): void {
  recorder.statements.set(statement.id, statement)
  recorder.events.push({ kind: 'statement', statement })
}

/** From what the items of the loops around a place are made, outermost first. */
export const walkedTaints = (machine: Machine, site: Site): Taints[] =>
  site.loops.map((frame) => (frame.element ? machine.taints(frame.element) : new Set<string>()))
