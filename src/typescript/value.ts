import type { ts } from './ts.js'

/**
 * Abstract values: what the analysis knows of a value of the audited program.
 * Values are immutable; objects, lists and maps are references to cells of the state (state.ts), so that they can change.
 */
export type Value =
  | Const
  | Text
  | Time
  | Shifted
  | Json
  | ObjectRef
  | ListRef
  | MapRef
  | Func
  | ClassValue
  | Global
  | External
  | Foreign
  | Test
  | Alt
  | Unknown

export interface Const {
  readonly kind: 'const'
  readonly value: string | number | boolean | bigint | null | undefined
}

/** A string of parts of which at least one is not known. */
export interface Text {
  readonly kind: 'text'
  readonly parts: readonly Value[]
}

/** A moment: that of the run plus `offset` milliseconds; null where the shift is not known. */
export interface Time {
  readonly kind: 'time'
  readonly offset: number | null
  /** Only its day (or hour …) is left: two runs that overlap have the same one. */
  readonly coarse?: boolean
}

/** A value plus a number: `row.attempts + 1`. `delta` null: changed in an unknown way. */
export interface Shifted {
  readonly kind: 'shifted'
  readonly of: Value
  readonly delta: number | null
}

/** The JSON text of a value. */
export interface Json {
  readonly kind: 'json'
  readonly of: Value
}

export interface ObjectRef {
  readonly kind: 'object'
  readonly cell: number
}

/** An array or a Set. */
export interface ListRef {
  readonly kind: 'list'
  readonly cell: number
}

export interface MapRef {
  readonly kind: 'map'
  readonly cell: number
}

export interface Func {
  readonly kind: 'function'
  readonly node: ts.FunctionLikeDeclaration
  readonly scope: Scope
  /** `this` of a method. */
  readonly self: Value | null
  /** Arguments that `bind` gave it beforehand. */
  readonly bound?: readonly Value[]
}

export interface ClassValue {
  readonly kind: 'class'
  readonly node: ts.ClassLikeDeclaration
  readonly scope: Scope
}

/** Something of the runtime: `Deno.env.get`, `Math.floor`, `fetch`. */
export interface Global {
  readonly kind: 'global'
  readonly path: readonly string[]
}

/** Something of a package: the import itself, a property of it, what it returned or constructed. */
export interface External {
  readonly kind: 'external'
  readonly specifier: string
  readonly path: readonly string[]
  /** Arguments of the construction or factory call that made it. */
  readonly made: readonly Value[]
  /** Which of the things that its package makes it is, where another room numbers them. */
  readonly which?: number
}

/** A value whose meaning another room knows (a query, a row, a response). */
export interface Foreign {
  readonly kind: 'foreign'
  readonly data: ForeignData
}

/** Rooms extend this by declaring their own shapes with a `type`. */
export interface ForeignData {
  readonly type: string
}

/** A boolean that depends on other values. */
export interface Test {
  readonly kind: 'test'
  readonly op: 'not' | '==' | '<' | '<=' | '>' | '>=' | 'has'
  readonly left: Value
  readonly right: Value
}

/** One of several values; `facts` hold where that one is the value. */
export interface Alt {
  readonly kind: 'alt'
  readonly options: readonly Option[]
}

export interface Option {
  readonly value: Value
  readonly facts: readonly Fact[]
}

/** Not known. `taints` says from what it was made. */
export interface Unknown {
  readonly kind: 'unknown'
  readonly taints: Taints
  /** The code that the analysis could not follow, where the value was lost. */
  readonly lost?: string
}

/**
 * Something that is known on a path, as a name; `!name` is its contrary.
 * The rooms above give names their meaning ("w12": statement 12 brought its row back).
 */
export type Fact = string

/** From what a value was made: names that the rooms above give a meaning; `time` and `fresh` are this room's own. */
export type Taints = ReadonlySet<string>

export interface Scope {
  readonly names: Map<string, number>
  readonly parent: Scope | null
  readonly self: Value | null
  /** The class whose code this is, for `super`. */
  readonly home?: Pick<ClassValue, 'node' | 'scope'>
  /** The module's path, for places. */
  readonly file: string
  readonly module: boolean
}

export const NO_TAINTS: Taints = new Set()
export const UNDEFINED: Const = { kind: 'const', value: undefined }
export const NULL: Const = { kind: 'const', value: null }
export const TRUE: Const = { kind: 'const', value: true }
export const FALSE: Const = { kind: 'const', value: false }
export const UNKNOWN: Unknown = { kind: 'unknown', taints: NO_TAINTS }

export const constant = (value: Const['value']): Const => ({ kind: 'const', value })
export const unknown = (taints: Taints): Unknown => (taints.size === 0 ? UNKNOWN : { kind: 'unknown', taints })
export const foreign = (data: ForeignData): Foreign => ({ kind: 'foreign', data })

export function unite(sets: Iterable<Taints>): Taints {
  let only: Taints = NO_TAINTS
  let merged: Set<string> | null = null
  for (const set of sets) {
    if (set.size === 0 || set === only) continue
    if (only.size === 0) only = set
    else {
      merged ??= new Set(only)
      for (const name of set) merged.add(name)
    }
  }
  return merged ?? only
}

const contraries = new Map<Fact, Fact>()

/** The contrary of a fact. Kept, as it is asked for at every turn: there are few facts, and making a name costs more. */
export function contrary(fact: Fact): Fact {
  let other = contraries.get(fact)
  if (other === undefined) {
    if (contraries.size > MOST_KEPT) contraries.clear()
    contraries.set(fact, (other = fact.startsWith('!') ? fact.slice(1) : `!${fact}`))
  }
  return other
}

const MOST_KEPT = 100_000

/** A string made of parts: folded where all are known, neighbouring constants merged. */
export function textOf(parts: readonly Value[]): Const | Text {
  const merged: Value[] = []
  const add = (part: Value) => {
    if (part.kind === 'text') return part.parts.forEach(add)
    const last = merged[merged.length - 1]
    if (part.kind === 'const' && last?.kind === 'const')
      merged[merged.length - 1] = constant(`${String(last.value)}${String(part.value)}`)
    else merged.push(part.kind === 'const' ? constant(String(part.value)) : part)
  }
  parts.forEach(add)
  if (merged.length === 0) return constant('')
  const first = merged[0]!
  if (merged.length === 1 && first.kind === 'const') return first
  return { kind: 'text', parts: merged }
}

/** The same value, seen from outside: cheap, and false where in doubt. */
export function sameValue(a: Value, b: Value): boolean {
  if (a === b) return true
  if (a.kind !== b.kind) return false
  switch (a.kind) {
    case 'const':
      return Object.is(a.value, (b as Const).value)
    case 'object':
    case 'list':
    case 'map':
      return a.cell === (b as ObjectRef).cell
    case 'time':
      return a.offset === (b as Time).offset
    case 'unknown': {
      const other = b as Unknown
      if (a.taints.size !== other.taints.size || a.lost !== other.lost) return false
      for (const name of a.taints) if (!other.taints.has(name)) return false
      return true
    }
    case 'function':
      return a.node === (b as Func).node && a.scope === (b as Func).scope && a.bound === (b as Func).bound
    case 'class':
      return a.node === (b as ClassValue).node
    case 'global':
      return a.path.join('.') === (b as Global).path.join('.')
    case 'external':
      return (
        a.specifier === (b as External).specifier &&
        a.path.join('.') === (b as External).path.join('.') &&
        a.which === (b as External).which
      )
    case 'foreign':
      return a.data === (b as Foreign).data
    default:
      return false
  }
}

const MOST_OPTIONS = 8

/** One of the options; a single value where they agree, options merged where they are the same. */
export function altOf(options: readonly Option[]): Value {
  const kept: { value: Value; facts: readonly Fact[] }[] = []
  const add = (option: Option) => {
    if (option.value.kind === 'alt') {
      for (const inner of option.value.options)
        add({
          value: inner.value,
          facts: option.facts.length === 0 ? inner.facts : mergeFacts(inner.facts, option.facts),
        })
      return
    }
    const twin = kept.find((other) => sameValue(other.value, option.value))
    if (!twin) kept.push({ value: option.value, facts: option.facts })
    else if (twin.facts.length > 0) twin.facts = twin.facts.filter((fact) => option.facts.includes(fact))
  }
  options.forEach(add)
  if (kept.length === 1) return kept[0]!.value
  if (kept.length > MOST_OPTIONS) {
    // Keep what is most telling: values that another room knows, then the rest as they came.
    kept.sort((a, b) => rank(a.value) - rank(b.value))
    kept.length = MOST_OPTIONS
  }
  return { kind: 'alt', options: kept }
}

const rank = (value: Value): number => (value.kind === 'foreign' ? 0 : value.kind === 'unknown' ? 2 : 1)

export function mergeFacts(a: readonly Fact[], b: readonly Fact[]): readonly Fact[] {
  if (a.length === 0) return b
  if (b.length === 0) return a
  return [...new Set([...a, ...b])]
}

/** Either of two values, where both are there. */
export function joinMaybe(a: Value | null, b: Value | null): Value | null {
  if (a === null || a === b) return b
  if (b === null) return a
  return altOf([
    { value: a, facts: [] },
    { value: b, facts: [] },
  ])
}

/** Some item of a list, or none. */
export function anyItem(element: Value | null, facts: readonly Fact[]): Value {
  if (element === null) return UNDEFINED
  return altOf([
    { value: element, facts },
    { value: UNDEFINED, facts: [] },
  ])
}
