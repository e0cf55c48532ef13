import type { ts } from './ts.js'
import { altOf, contrary, type Fact, type Value } from './value.js'

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

/**
 * The state on one path: cells and facts. Immutable once shared: `fork` before branching.
 * A child holds only what changed since its base. Links that grow many are merged into one, as in a log-structured tree:
 * a large map is copied only when as much has been written again. A merged state knows its `origin`, so that what two
 * paths have in common is still found.
 */
export interface State {
  readonly base: State | null
  readonly origin: State | null
  /** Links since the last merge. */
  readonly links: number
  /** Links up to the beginning. */
  readonly level: number
  cells: Map<number, Cell>
  facts: ReadonlySet<Fact>
  /** What may have happened on the way here: on some path at least. */
  seen: ReadonlySet<string>
  /** No path leads here. */
  dead: boolean
}

const MOST_LINKS = 12

export const emptyState = (): State => ({
  base: null,
  origin: null,
  links: 0,
  level: 0,
  cells: new Map(),
  facts: new Set(),
  seen: new Set(),
  dead: false,
})

const childOf = (
  base: State,
  cells: Map<number, Cell>,
  facts: ReadonlySet<Fact>,
  seen: ReadonlySet<string>,
  dead: boolean,
): State => ({
  base,
  origin: null,
  links: base.links + 1,
  level: base.level + 1,
  cells,
  facts,
  seen,
  dead,
})

export const fork = (state: State): State =>
  childOf(state.links >= MOST_LINKS ? merged(state) : state, new Map(), state.facts, state.seen, state.dead)

/** A state that no path leads to, beside the one that is left. */
export const deadEnd = (state: State): State => ({ ...fork(state), dead: true })

const mergedStates = new WeakMap<State, State>()

function merged(state: State): State {
  const known = mergedStates.get(state)
  if (known) return known
  const layers: State[] = []
  let size = 0
  let at: State | null = state
  for (; at && (layers.length < MOST_LINKS || at.cells.size <= 2 * size); at = at.base) {
    layers.push(at)
    size += at.cells.size
  }
  const cells = new Map<number, Cell>()
  for (let index = layers.length - 1; index >= 0; index--)
    for (const [cell, value] of layers[index]!.cells) cells.set(cell, value)
  const result: State = { ...state, base: at, origin: state, links: 0, level: state.level + 1, cells }
  mergedStates.set(state, result)
  return result
}

export function read(state: State, cell: number): Cell | undefined {
  for (let at: State | null = state; at; at = at.base) {
    const value = at.cells.get(cell)
    if (value !== undefined) return value
  }
  return undefined
}

export function write(state: State, cell: number, value: Cell): void {
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

const difference = (facts: ReadonlySet<Fact>, common: ReadonlySet<Fact>): Fact[] =>
  [...facts].filter((fact) => !common.has(fact))

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
  const facts = new Set([...a.facts].filter((fact) => b.facts.has(fact)))
  const onlyA = difference(a.facts, facts)
  const onlyB = difference(b.facts, facts)
  const ancestor = commonBase(a, b)
  const changed = changedSince(ancestor, a)
  for (const cell of changedSince(ancestor, b)) changed.add(cell)
  const cells = new Map<number, Cell>()
  for (const cell of changed) {
    const left = read(a, cell)
    const right = read(b, cell)
    if (left === undefined || right === undefined) cells.set(cell, (left ?? right)!)
    else if (left !== right) cells.set(cell, joinCells(left, onlyA, right, onlyB))
    else if (left !== read(ancestor, cell)) cells.set(cell, left)
  }
  return childOf(ancestor.links >= MOST_LINKS ? merged(ancestor) : ancestor, cells, facts, union(a.seen, b.seen), false)
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

const parentOf = (state: State): State => {
  const parent = state.origin ?? state.base
  if (parent === null) throw new Error('states of two machines')
  return parent
}

/** The cells that were written between a state and one that came from it. */
export function changedSince(ancestor: State, state: State): Set<number> {
  const changed = new Set<number>()
  for (let at = state; at !== ancestor; at = parentOf(at))
    if (!at.origin) for (const cell of at.cells.keys()) changed.add(cell)
  return changed
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

export function joinMaybe(a: Value | null, b: Value | null): Value | null {
  if (a === null || a === b) return b
  if (b === null) return a
  return altOf([
    { value: a, facts: [] },
    { value: b, facts: [] },
  ])
}
