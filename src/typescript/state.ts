import type { ts } from './ts.js'
import { altOf, contrary, joinMaybe, type Fact, type Value } from './value.js'

/** What stands in a cell: a variable's value, or the inside of an object, a list or a map. */
export type Cell = Value | ObjectCell | ListCell | MapCell

export interface ObjectCell {
  readonly kind: 'object-cell'
  readonly props: ReadonlyMap<string, Value>
  /** What properties that are not listed may be; null: there are none. */
  readonly rest: Value | null
  readonly proto: { readonly node: ts.ClassLikeDeclaration; readonly scope: import('./value.js').Scope } | null
}

export interface ListCell {
  readonly kind: 'list-cell'
  /** The items, where all are known. */
  readonly items: readonly Value[] | null
  /** Any item; null: the list is empty. */
  readonly element: Value | null
  /** What is known of every item that is in the list. */
  readonly facts: readonly Fact[]
  /** The list that this one mirrors item by item (`map`), so that its length speaks of both. */
  readonly like: Value | null
  /** At most so many items are taken at once from another list (`slice(i, i + 5)`). */
  readonly width: number | null
}

export interface MapCell {
  readonly kind: 'map-cell'
  readonly key: Value | null
  readonly value: Value | null
  readonly facts: readonly Fact[]
}

/** All cells that were made, on any path: most are never written again, and need no place in a state. */
interface Heap {
  /** What a cell was made with, by its number less one. */
  readonly first: Cell[]
  readonly rewritten: Set<number>
}

/**
 * The state on one path: what was written to cells, and facts. Immutable once shared: `fork` before branching.
 * A child holds only what was written since. What lies below is looked through; links that grow many are merged into one,
 * as in a log-structured tree: a large map is copied only when as much has been written again.
 */
export interface State {
  readonly heap: Heap
  /** The state that this one came from; null at the beginning. */
  readonly parent: State | null
  /** Links up to the beginning. */
  readonly level: number
  /** Cells up to this number were there when the path left its parent. */
  readonly parted: number
  /** The next state down to which something was written. */
  readonly below: State | null
  /** How many of those lie above the last merged one. */
  readonly links: number
  /** Its cells are those of states before it, brought together. */
  readonly merged: boolean
  cells: Map<number, Cell>
  facts: ReadonlySet<Fact>
  /** What may have happened on the way here: on some path at least. */
  seen: ReadonlySet<string>
  /** No path leads here. */
  dead: boolean
}

const MOST_LINKS = 12

export const emptyState = (): State => ({
  heap: { first: [], rewritten: new Set() },
  parent: null,
  level: 0,
  parted: 0,
  below: null,
  links: 0,
  merged: false,
  cells: new Map(),
  facts: new Set(),
  seen: new Set(),
  dead: false,
})

function childOf(parent: State, inherited: Pick<State, 'cells' | 'facts' | 'seen' | 'dead' | 'parted'>): State {
  const from = parent.links >= MOST_LINKS ? merged(parent) : parent
  const isEmpty = from.cells.size === 0
  return {
    heap: from.heap,
    parent: from,
    level: from.level + 1,
    below: isEmpty ? from.below : from,
    links: isEmpty ? from.links : from.links + 1,
    merged: false,
    ...inherited,
  }
}

export const fork = (state: State): State =>
  childOf(state, {
    cells: new Map(),
    facts: state.facts,
    seen: state.seen,
    dead: state.dead,
    parted: state.heap.first.length,
  })

/** A state that no path leads to, beside the one that is left. */
export const deadEnd = (state: State): State => ({ ...fork(state), dead: true })

const mergedStates = new WeakMap<State, State>()

function merged(state: State): State {
  const known = mergedStates.get(state)
  if (known) return known
  const layers: State[] = []
  let size = 0
  let at: State | null = state
  for (; at && (layers.length < MOST_LINKS || at.cells.size <= 2 * size); at = at.below) {
    layers.push(at)
    size += at.cells.size
  }
  const cells = new Map<number, Cell>()
  for (let index = layers.length - 1; index >= 0; index--)
    for (const [cell, value] of layers[index]!.cells) cells.set(cell, value)
  const result: State = {
    ...state,
    parent: state,
    level: state.level + 1,
    parted: state.heap.first.length,
    below: at,
    links: 0,
    merged: true,
    cells,
  }
  mergedStates.set(state, result)
  return result
}

/** Makes a cell and gives its number; they are counted from 1. */
export const make = (state: State, value: Cell): number => state.heap.first.push(value)

/** The number of the last cell that was made. */
export const lastCell = (state: State): number => state.heap.first.length

export function read(state: State, cell: number): Cell | undefined {
  const { heap } = state
  if (heap.rewritten.has(cell))
    for (let at: State | null = state; at; at = at.below) {
      const value = at.cells.get(cell)
      if (value !== undefined) return value
    }
  return heap.first[cell - 1]
}

export function write(state: State, cell: number, value: Cell): void {
  state.heap.rewritten.add(cell)
  state.cells.set(cell, value)
}

/** Adds facts; a fact whose contrary is known makes the path impossible. */
export function assume(state: State, facts: readonly Fact[]): void {
  const fresh = facts.filter((fact) => !state.facts.has(fact))
  if (fresh.length === 0) return
  if (fresh.some((fact) => state.facts.has(contrary(fact)))) {
    state.dead = true
    return
  }
  state.facts = new Set([...state.facts, ...fresh])
}

export function forget(state: State, gone: (fact: Fact) => boolean): void {
  const kept = [...state.facts].filter((fact) => !gone(fact))
  if (kept.length < state.facts.size) state.facts = new Set(kept)
}

/** What holds on both paths; where a cell differs, either value, each with what is known only on its path. */
export function joinStates(states: readonly State[]): State {
  const alive = states.filter((state) => !state.dead)
  if (alive.length === 0) return deadEnd(states[0]!)
  let joined = alive[0]!
  for (const state of alive.slice(1)) joined = joinTwo(joined, state)
  return joined === alive[0] ? fork(joined) : joined
}

function joinTwo(a: State, b: State): State {
  if (a === b) return a
  const [facts, onlyA, onlyB] = split(a.facts, b.facts)
  const ancestor = commonBase(a, b)
  const writtenA = writtenSince(ancestor, a)
  const writtenB = writtenSince(ancestor, b)
  const parted = Math.min(writtenA.parted, writtenB.parted)
  const cells = new Map<number, Cell>()
  for (const cell of new Set([...writtenA.cells, ...writtenB.cells])) {
    // What was made after the paths had parted is on the one that writes to it, and on the other only if that writes too
    const isShared = cell <= parted
    const left = isShared || writtenA.cells.has(cell) ? read(a, cell) : undefined
    const right = isShared || writtenB.cells.has(cell) ? read(b, cell) : undefined
    if (left === undefined || right === undefined) cells.set(cell, (left ?? right)!)
    else if (left !== right) cells.set(cell, joinCells(left, onlyA, right, onlyB))
    else if (!isShared || left !== read(ancestor, cell)) cells.set(cell, left)
  }
  return childOf(ancestor, { cells, facts, seen: union(a.seen, b.seen), dead: false, parted })
}

/** What is in both sets, and what is only in the first or the second. */
function split(a: ReadonlySet<Fact>, b: ReadonlySet<Fact>): [ReadonlySet<Fact>, readonly Fact[], readonly Fact[]] {
  if (a === b) return [a, [], []]
  const both = new Set<Fact>()
  const onlyA: Fact[] = []
  for (const fact of a)
    if (b.has(fact)) both.add(fact)
    else onlyA.push(fact)
  const onlyB: Fact[] = []
  for (const fact of b) if (!a.has(fact)) onlyB.push(fact)
  return [both, onlyA, onlyB]
}

const union = (a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> =>
  a === b || b.size === 0 ? a : a.size === 0 ? b : new Set([...a, ...b])

/** Remembers that something happened on this path. */
export function see(state: State, what: string): void {
  if (!state.seen.has(what)) state.seen = new Set([...state.seen, what])
}

/** The last state that both paths went through. All states of a machine begin at one. */
function commonBase(a: State, b: State): State {
  let left = a
  let right = b
  while (left !== right) {
    if (left.level >= right.level) left = parentOf(left)
    else right = parentOf(right)
  }
  return left
}

function parentOf(state: State): State {
  if (state.parent === null) throw new Error('states of two machines')
  return state.parent
}

/** The cells that were written between a state and one that came from it, and which were there when the path left it. */
function writtenSince(ancestor: State, state: State): { readonly cells: ReadonlySet<number>; readonly parted: number } {
  const cells = new Set<number>()
  let parted = Number.POSITIVE_INFINITY
  for (let at = state; at !== ancestor; at = parentOf(at)) {
    parted = at.parted
    if (!at.merged) for (const cell of at.cells.keys()) cells.add(cell)
  }
  return { cells, parted }
}

/** The cells of a state that were written between it and one that came from it. */
export function changedSince(ancestor: State, state: State): number[] {
  const { cells, parted } = writtenSince(ancestor, state)
  return [...cells].filter((cell) => cell <= parted)
}

function joinCells(left: Cell, onlyLeft: readonly Fact[], right: Cell, onlyRight: readonly Fact[]): Cell {
  if (left.kind === 'object-cell' && right.kind === 'object-cell') {
    const props = new Map<string, Value>()
    for (const [name, value] of left.props) {
      const other = right.props.get(name) ?? right.rest ?? ABSENT
      props.set(
        name,
        other === value
          ? value
          : altOf([
              { value, facts: onlyLeft },
              { value: other, facts: onlyRight },
            ]),
      )
    }
    for (const [name, value] of right.props)
      if (!left.props.has(name))
        props.set(
          name,
          altOf([
            { value: left.rest ?? ABSENT, facts: onlyLeft },
            { value, facts: onlyRight },
          ]),
        )
    return { kind: 'object-cell', props, rest: joinMaybe(left.rest, right.rest), proto: left.proto ?? right.proto }
  }
  if (left.kind === 'list-cell' && right.kind === 'list-cell') {
    // An empty list says nothing of its items, so the facts of the other side stand.
    const facts =
      left.element === null
        ? right.facts
        : right.element === null
          ? left.facts
          : left.facts.filter((fact) => right.facts.includes(fact))
    return {
      kind: 'list-cell',
      items: null,
      element: joinMaybe(left.element, right.element),
      facts,
      like: left.like === right.like ? left.like : null,
      width: left.width === right.width ? left.width : null,
    }
  }
  if (left.kind === 'map-cell' && right.kind === 'map-cell')
    return {
      kind: 'map-cell',
      key: joinMaybe(left.key, right.key),
      value: joinMaybe(left.value, right.value),
      facts:
        left.value === null
          ? right.facts
          : right.value === null
            ? left.facts
            : left.facts.filter((fact) => right.facts.includes(fact)),
    }
  if (isInside(left) || isInside(right)) return left
  return altOf([
    { value: left, facts: onlyLeft },
    { value: right, facts: onlyRight },
  ])
}

const ABSENT: Value = { kind: 'const', value: undefined }

const isInside = (cell: Cell): cell is ObjectCell | ListCell | MapCell =>
  cell.kind === 'object-cell' || cell.kind === 'list-cell' || cell.kind === 'map-cell'
