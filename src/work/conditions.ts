import { isResult } from '../clients/results.js'
import { among, asked, statementOf, tested, won } from '../clients/statement.js'
import type { Fact, Machine, Site, Value } from '../typescript/index.js'
import type { Recorder } from './recorder.js'

/** What follows where two values that are both not known are the same. */
export function factsOfEqual(left: Value, right: Value, recorder: Recorder, machine: Machine): Fact[] {
  // The row read again holds the token that this run's claim writes: the claim was won.
  for (const [read, token] of [
    [left, right],
    [right, left],
  ] as const) {
    if (
      read.kind !== 'foreign' ||
      !isResult(read) ||
      read.data.type !== 'column' ||
      !machine.taints(token).has('fresh')
    )
      continue
    const { statement, column } = read.data
    const again = recorder.statements.get(statement)
    for (const claim of recorder.statements.values())
      if (claim.kind === 'update' && claim.table === again?.table && claim.inserted.get(column) === token)
        return [won(claim.id)]
  }
  return []
}

/** What follows where a list has an item, or has it not. */
export function factsOfHas(list: Value, item: Value, wanted: boolean, machine: Machine): Fact[] {
  if (!wanted) {
    // Not among the rows that were read: no record of this one.
    const inside = machine.items(list)?.element
    const read = inside ? [...machine.taints(inside)].flatMap((taint) => statementOf(taint)?.id ?? []) : []
    return read.map((id) => `!${among(id)}`)
  }
  // A row's key among the keys of the rows that a claim gave back: that row was won.
  const column = item.kind === 'foreign' && isResult(item) && item.data.type === 'column' ? item.data.column : null
  if (column === null) return []
  const inside = machine.items(list)?.element
  if (inside?.kind !== 'foreign' || !isResult(inside) || inside.data.type !== 'column' || inside.data.column !== column)
    return []
  // A list of keys that was filled row by row: what was known of each when it went in is known of this one.
  const same = item.kind === 'foreign' && isResult(item) && item.data.statement === inside.data.statement
  return [among(inside.data.statement), ...(same ? (machine.items(list)?.facts ?? []) : [])]
}

/** Writes down that a condition over the value decides the path, and of which rows and columns it speaks. */
export function noteTest(value: Value, recorder: Recorder, machine: Machine, site: Site): void {
  const taints = machine.taints(value)
  const facts: string[] = []
  for (const taint of taints) {
    const found = statementOf(taint)
    if (found) {
      facts.push(tested(found.id))
      if (taints.has('time')) recorder.timeTested.add(found.id)
    } else if (taint.startsWith('module:') && machine.activations.length > 0) {
      facts.push(`m${taint}`)
      if (!recorder.moduleTests.has(taint)) recorder.moduleTests.set(taint, site)
    }
  }
  noteColumns(value, recorder, 0)
  facts.push(...memberships(value, machine, 0).map(asked))
  const fresh = facts.filter((fact) => !machine.state.facts.has(fact))
  if (fresh.length > 0) machine.state.facts = new Set([...machine.state.facts, ...fresh])
}

/** The statements of whose rows a condition asks "is this one among them?". */
function memberships(value: Value, machine: Machine, depth: number): number[] {
  if (depth > 5) return []
  if (value.kind === 'alt') return value.options.flatMap((option) => memberships(option.value, machine, depth + 1))
  if (value.kind !== 'test') return []
  if (value.op === 'not') return memberships(value.left, machine, depth + 1)
  return value.op === 'has' ? [...machine.taints(value.left)].flatMap((taint) => statementOf(taint)?.id ?? []) : []
}

/** Columns of rows over which a condition decides. */
function noteColumns(value: Value, recorder: Recorder, depth: number): void {
  if (depth > 5) return
  if (value.kind === 'foreign' && isResult(value) && value.data.type === 'column') {
    const columns = recorder.testedColumns.get(value.data.statement) ?? new Set<string>()
    columns.add(value.data.column)
    recorder.testedColumns.set(value.data.statement, columns)
  } else if (value.kind === 'test') {
    noteColumns(value.left, recorder, depth + 1)
    noteColumns(value.right, recorder, depth + 1)
  } else if (value.kind === 'alt') for (const option of value.options) noteColumns(option.value, recorder, depth + 1)
  else if (value.kind === 'shifted') noteColumns(value.of, recorder, depth + 1)
}
