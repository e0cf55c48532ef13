import type { ts } from './ts.js'
import type { Cell, ListCell, MapCell, ObjectCell, State } from './state.js'
import type { Alt, Const, External, Fact, Foreign, Func, Scope, Taints, Value } from './value.js'

/** Where something happens: the node, and the calls and loops around it, outermost first. */
export interface Site {
  /** Tells runs of the same code apart: which items of unrolled lists are walked. */
  readonly variants: readonly number[]
  readonly node: ts.Node
  readonly file: string
  readonly calls: readonly CallSite[]
  readonly loops: readonly LoopFrame[]
}

export interface CallSite {
  readonly node: ts.Node
  readonly file: string
  /** The function that was entered, and its file. */
  readonly target: ts.Node
  readonly targetFile: string
}

export interface LoopFrame {
  readonly id: number
  readonly node: ts.Node
  readonly file: string
  /** What the loop walks over, one at a time; null where it only repeats. */
  readonly element: Value | null
  /** Turns that run at once: 1 where each is awaited, all of them, or a number. */
  readonly width: number | 'all'
  /** How many calls deep the loop stands. */
  readonly depth: number
  /** The name that the code gives to the item. */
  readonly item: string | null
  /** Cells of the heap from this number on were made in the turn. */
  readonly since: number
}

/**
 * What the rooms above know: values of other kinds, and what calls mean.
 * Every method gets the machine, whose `state` it may read (facts) and change (assume, forget).
 */
export interface Host {
  property(value: Foreign, name: string | null, machine: Machine, site: Site): Value
  /** Calls a method of a foreign value; undefined: it has none of that name. */
  method(value: Foreign, name: string, args: readonly Value[], machine: Machine, site: Site): Value | undefined
  call(value: Foreign, args: readonly Value[], machine: Machine, site: Site): Value
  await(value: Foreign, machine: Machine, site: Site): Value
  /** The items of a foreign list; undefined: it is none. */
  items(value: Foreign, machine: Machine): { element: Value; facts: readonly Fact[] } | undefined
  /** What follows where the value is truthy (or falsy); null: it never is. */
  truth(value: Foreign, wanted: boolean, machine: Machine): readonly Fact[] | null
  /** What follows where `value op constant` holds (or does not). */
  compare(
    value: Foreign,
    op: '==' | '<' | '<=' | '>' | '>=',
    other: Const,
    wanted: boolean,
    machine: Machine,
  ): readonly Fact[] | null
  /** A loop comes to an item of a list: what was known of another one does not hold for it. */
  turn?(element: Value, list: Value, machine: Machine): void
  /** What follows where two values that are both not known are the same (or are not). */
  equal(left: Value, right: Value, wanted: boolean, machine: Machine): readonly Fact[]
  /** What follows where a list or Set has an item (or has it not). */
  has(list: Value, item: Value, wanted: boolean, machine: Machine): readonly Fact[]
  taints(value: Foreign): Taints
  /** A call or `new` of something of a package; undefined: nothing is known of it. */
  external(
    value: External,
    args: readonly Value[],
    made: 'call' | 'new',
    machine: Machine,
    site: Site,
  ): Value | undefined
  global(
    path: readonly string[],
    args: readonly Value[],
    made: 'call' | 'new',
    machine: Machine,
    site: Site,
  ): Value | undefined
  template(
    tag: Value,
    strings: readonly string[],
    values: readonly Value[],
    machine: Machine,
    site: Site,
  ): Value | undefined
  /** One value for several that were built up on different paths (a query with optional filters); undefined: keep them apart. */
  merge?(value: Alt, machine: Machine): Value | undefined
  /** A method of a value of which nothing is known; undefined: the name says nothing either. */
  opaque(value: Value, name: string | null, args: readonly Value[], machine: Machine, site: Site): Value | undefined
  /** A value that nobody awaits, returns or keeps. */
  dropped(value: Value, machine: Machine, site: Site): void
  /** A condition over a value decides the path. */
  tested(value: Value, machine: Machine, site: Site): void
  /** A variable of a module that functions assign to gets a value. */
  moduleVariable(name: string, value: Value, machine: Machine, site: Site): void
  /** So many events were recorded; and: forget those that came after. */
  mark(): number
  rollback(mark: number): void
}

/** Raised when a function is too large to follow to its end; the caller reports it. */
export class TooLarge extends Error {}

export interface Jump {
  readonly label: string | null
  readonly loop: boolean
  readonly breaks: State[]
  readonly continues: State[]
}

/**
 * How a try block may be left by a throw: by a `throw` of its own, or by a call that reaches outside. Of those only the
 * last is kept: what is known at the start of the block bounds what may be known in between.
 */
export interface Try {
  readonly thrown: State[]
  last: State | null
}

export interface Exit {
  readonly state: State
  readonly value: Value
}

/** What one call of a function gathers while its body runs. */
export interface Activation {
  readonly node: ts.Node
  readonly returns: Exit[]
  readonly yields: Exit[]
  readonly jumps: Jump[]
  /** Facts when the function was entered. */
  readonly facts: ReadonlySet<Fact>
}

/** The items of something that can be walked: any of them, what is known of each, and all where they are known. */
export interface Items {
  readonly element: Value | null
  readonly facts: readonly Fact[]
  readonly items: readonly Value[] | null
  readonly width: number | null
}

export interface Machine {
  state: State
  readonly host: Host
  /** Replaced, never changed: a site keeps the list that stood when it was made. So are `loops` and `variants`. */
  calls: readonly CallSite[]
  loops: readonly LoopFrame[]
  readonly activations: Activation[]
  /** The try blocks around, innermost last. */
  readonly tries: Try[]
  steps: number
  /** Which item of an unrolled list is walked: keeps the same code apart that runs for each. */
  variants: readonly number[]

  evaluate(node: ts.Expression, scope: Scope): Value
  execute(node: ts.Statement, scope: Scope): void
  /** Calls a value with arguments. */
  apply(callee: Value, args: readonly Value[], site: Site, self?: Value | null): Value
  enter(func: Func, args: readonly Value[], site: Site): Value
  construct(callee: Value, args: readonly Value[], site: Site): Value
  property(value: Value, name: string | null, site: Site): Value
  method(value: Value, name: string, args: readonly Value[], site: Site): Value
  await(value: Value, site: Site): Value
  bind(pattern: ts.BindingName, value: Value, scope: Scope): void
  assign(target: ts.Expression, value: Value, scope: Scope): void
  /** Runs `body` as a loop's turn over the items of a list; returns what it gathered. */
  each(
    list: Value,
    loop: { node: ts.Node; width: number | 'all'; item: string | null },
    site: Site,
    body: (item: Value) => void,
  ): void
  refine(value: Value, wanted: boolean, site: Site): void
  taints(value: Value): Taints
  site(node: ts.Node, scope: Scope): Site
  import(specifier: string, from: string): Value

  /** What stands in a list, a Set, a Map or a foreign list; null: nothing, or no list. */
  items(value: Value): Items | null

  alloc(cell: Cell): number
  /** The number of the last cell. */
  cells(): number
  /** Runs one of several runs of the same code: sites made in it bear its number. */
  variant<T>(number: number, act: () => T): T
  object(props: Iterable<readonly [string, Value]>, rest?: Value | null): Value
  list(cell: Partial<ListCell>): Value
  objectCell(value: Value): ObjectCell | null
  listCell(value: Value): ListCell | null
  mapCell(value: Value): MapCell | null
}
