import type { Job } from './jobs.js'
import { enterArm, Raised, withinArms, type Frame } from './machine.js'
import { anyOf, fingerprint, NULL, type RowsValue, type Value } from './value.js'
import type { RowSource } from './rows.js'

/** How a statement ends: the next one follows, or control goes elsewhere. */
export type Flow = 'next' | 'return' | { readonly leave: 'exit' | 'continue'; readonly label: string | null }

interface Outcome {
  readonly flow: Flow
  readonly variables: ReadonlyMap<string, Value>
  readonly jobs: readonly Job[]
}

/**
 * Runs several ways that control may take, and goes on with what may be true after any of them. A way that raises is taken not to
 * be taken; where one way goes on and another returns early, the guard is taken to let through. A job is there if any way leaves it.
 */
export function either(frame: Frame, ways: readonly (() => Flow)[]): Flow {
  if (ways.length === 1) return ways[0]!()
  const { jobs, path } = frame.machine
  const before = { variables: new Map(frame.variables), jobs: jobs.rows }
  const outcomes: Outcome[] = []
  let error: Raised | null = null
  for (const way of ways) {
    restore(frame, before.variables)
    jobs.rows = before.jobs
    const sent = frame.machine.sends.length
    try {
      const flow = withinArms(path, () => {
        enterArm(path)
        return way()
      })
      outcomes.push({ flow, variables: new Map(frame.variables), jobs: jobs.rows })
    } catch (raised) {
      if (!(raised instanceof Raised)) throw raised
      frame.machine.sends.length = sent
      error = raised
    }
  }
  if (outcomes.length === 0) {
    jobs.rows = before.jobs
    restore(frame, before.variables)
    throw error ?? new Raised('no way on')
  }
  jobs.rows = mergedJobs(
    before.jobs,
    outcomes.map((outcome) => outcome.jobs),
  )
  const goingOn = outcomes.filter((outcome) => outcome.flow === 'next')
  const after = goingOn.length > 0 ? goingOn : outcomes
  // What follows runs only where no way left.
  if (goingOn.length > 0 && goingOn.length < ways.length) enterArm(path)
  restore(frame, joinedVariables(after.map((outcome) => outcome.variables)))
  return after[0]!.flow
}

function restore(frame: Frame, variables: ReadonlyMap<string, Value>): void {
  frame.variables.clear()
  for (const [name, value] of variables) frame.variables.set(name, value)
}

function joinedVariables(all: readonly ReadonlyMap<string, Value>[]): Map<string, Value> {
  const [first, ...others] = all
  const result = new Map(first)
  for (const [name, value] of result) {
    const rest = others.map((other) => other.get(name) ?? NULL)
    if (rest.every((each) => each === value)) continue
    result.set(name, anyOf([value, ...rest]))
  }
  return result
}

/** A job that any way leaves is left; one that a way changed is as changed; two of one name are one with either command. */
function mergedJobs(before: readonly Job[], after: readonly (readonly Job[])[]): readonly Job[] {
  if (after.every((jobs) => jobs === after[0])) return after[0]!
  const result = new Map<number, Job>()
  const unchanged = new Set(before)
  for (const jobs of after) {
    for (const job of jobs) {
      const known = result.get(job.id)
      if (!known || unchanged.has(known)) result.set(job.id, job)
    }
  }
  const named = new Map<string, Job>()
  for (const job of [...result.values()].sort((a, b) => a.id - b.id)) {
    const key = job.name === null ? `#${job.id}` : `${job.name}\n${job.username}`
    const twin = named.get(key)
    named.set(key, twin ? { ...twin, command: anyOf([twin.command, job.command]) } : job)
  }
  return [...named.values()]
}

/**
 * After a loop over rows of which one stood for all: what was collected in it is a list of unknown length, what was otherwise
 * changed may be as before or as after.
 */
export function afterLoop(frame: Frame, before: ReadonlyMap<string, Value>, sources: readonly RowSource[]): void {
  for (const [name, value] of frame.variables) {
    const old = before.get(name) ?? NULL
    if (old === value || fingerprint(old) === fingerprint(value)) continue
    const collected = collectedIn(old, value, sources)
    frame.variables.set(name, collected ?? anyOf([old, value]))
  }
}

function collectedIn(old: Value, value: Value, sources: readonly RowSource[]): RowsValue | null {
  const start = old.kind === 'null' ? 0 : old.kind === 'list' ? old.items.length : -1
  if (value.kind !== 'list' || start < 0 || value.items.length <= start) return null
  return { kind: 'rows', element: anyOf(value.items.slice(start)), sources }
}
