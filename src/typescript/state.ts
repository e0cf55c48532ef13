import type { ts } from 'ts-morph'
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
 * A child holds only what changed since its base; chains are flattened when they grow long.
 */
export interface State {
  readonly base: State | null
  readonly depth: number
  cells: Map<number, Cell>
  facts: ReadonlySet<Fact>
  /** No path leads here. */
  dead: boolean
}

const FLATTEN_AT = 24

export const emptyState = (): State => ({ base: null, depth: 0, cells: new Map(), facts: new Set(), dead: false })

export function fork(state: State): State {
  if (state.depth >= FLATTEN_AT) {
    const flat = flatten(state)
    return { base: flat, depth: 1, cells: new Map(), facts: state.facts, dead: state.dead }
  }
  return { base: state, depth: state.depth + 1, cells: new Map(), facts: state.facts, dead: state.dead }
}

const flattened = new WeakMap<State, State>()

function flatten(state: State): State {
  const known = flattened.get(state)
  if (known) return known
  const layers: State[] = []
  for (let at: State | null = state; at; at = at.base) layers.push(at)
  const cells = new Map<number, Cell>()
  for (let index = layers.length - 1; index >= 0; index--)
    for (const [cell, value] of layers[index]!.cells) cells.set(cell, value)
  const flat: State = { base: null, depth: 0, cells, facts: state.facts, dead: state.dead }
  flattened.set(state, flat)
  return flat
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
  if (alive.length === 0) return { ...fork(states[0]!), dead: true }
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
  const changed = new Set<number>()
  for (let at: State | null = a; at && at !== ancestor; at = at.base) for (const cell of at.cells.keys()) changed.add(cell)
  for (let at: State | null = b; at && at !== ancestor; at = at.base) for (const cell of at.cells.keys()) changed.add(cell)
  const cells = new Map<number, Cell>()
  for (const cell of changed) {
    const left = read(a, cell)
    const right = read(b, cell)
    if (left === right) {
      if (left !== undefined && ancestor === null) cells.set(cell, left)
      continue
    }
    if (left === undefined || right === undefined) {
      cells.set(cell, (left ?? right)!)
      continue
    }
    cells.set(cell, joinCells(left, onlyA, right, onlyB))
  }
  if (ancestor === null) {
    // No shared base: carry everything that either side knows.
    for (const side of [a, b])
      for (let at: State | null = side; at; at = at.base)
        for (const cell of at.cells.keys()) if (!cells.has(cell)) cells.set(cell, read(side, cell)!)
  }
  const base = ancestor
  return { base, depth: base ? base.depth + 1 : 0, cells, facts, dead: false }
}

function commonBase(a: State, b: State): State | null {
  const seen = new Set<State>()
  for (let at: State | null = a; at; at = at.base) seen.add(at)
  for (let at: State | null = b; at; at = at.base) if (seen.has(at)) return at
  return null
}

function joinCells(left: Cell, onlyLeft: readonly Fact[], right: Cell, onlyRight: readonly Fact[]): Cell {
  if (left.kind === 'object-cell' && right.kind === 'object-cell') {
    const props = new Map<string, Value>()
    for (const [name, value] of left.props) {
      const other = right.props.get(name) ?? right.rest ?? ABSENT
      props.set(name, other === value ? value : altOf([{ value, facts: onlyLeft }, { value: other, facts: onlyRight }]))
    }
    for (const [name, value] of right.props)
      if (!left.props.has(name))
        props.set(name, altOf([{ value: left.rest ?? ABSENT, facts: onlyLeft }, { value, facts: onlyRight }]))
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
      facts: left.value === null ? right.facts : right.value === null ? left.facts : left.facts.filter((fact) => right.facts.includes(fact)),
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
