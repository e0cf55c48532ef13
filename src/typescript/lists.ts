import type { ts } from './ts.js'
import type { Machine, Site } from './machine.js'
import { fork, write, type ListCell } from './state.js'
import {
  UNDEFINED,
  UNKNOWN,
  altOf,
  anyItem,
  constant,
  joinMaybe,
  mergeFacts,
  textOf,
  unite,
  unknown,
  type Fact,
  type MapRef,
  type Option,
  type Value,
} from './value.js'

/** Calls a function value given to a builtin. */
export function callback(machine: Machine, value: Value, args: readonly Value[], site: Site): Value {
  return machine.apply(value, args, site)
}

const bare = (value: Value): Option => ({ value, facts: [] })

interface Turn {
  readonly value: Value
  readonly item: Value
  readonly facts: readonly Fact[]
}

/** Runs a callback over a list's items and gathers what it gave, with what was known then. */
function walk(
  machine: Machine,
  list: Value,
  fn: Value,
  site: Site,
  width: number | 'all',
  make: (item: Value) => readonly Value[] = (item) => [item, UNKNOWN, list],
): Turn[] {
  const turns: Turn[] = []
  const item = fn.kind === 'function' && fn.node.parameters[0] ? nameOf(fn.node.parameters[0].name) : null
  machine.each(list, { node: site.node, width, item }, site, (value) => {
    const before = machine.state.facts
    const result = callback(machine, fn, make(value), site)
    if (!machine.state.dead)
      turns.push({ value: result, item: value, facts: [...machine.state.facts].filter((fact) => !before.has(fact)) })
  })
  return turns
}

/** Runs a callback over a list and gives what it gave, in a list. */
export function walkList(machine: Machine, list: Value, fn: Value, site: Site, width: number | 'all'): Value {
  const turns = walk(machine, list, fn, site, width)
  if (turns.length === 0) return machine.list({ items: null, element: null })
  const facts = turns[0]!.facts.filter((fact) => turns.every((turn) => turn.facts.includes(fact)))
  return machine.list({
    element: altOf(turns.map((turn) => ({ value: turn.value, facts: turn.facts }))),
    facts,
    like: list,
  })
}

const nameOf = (name: ts.BindingName): string | null => ('text' in name ? name.text : null)

/** Methods of arrays and Sets; undefined: not one of them. */
export function listMethod(
  machine: Machine,
  list: Value,
  name: string,
  args: readonly Value[],
  site: Site,
): Value | undefined {
  const items = machine.items(list)
  if (items === null) return undefined
  const cell = list.kind === 'list' ? machine.listCell(list) : null
  const same = (change: Partial<ListCell>): Value =>
    machine.list({ element: items.element, facts: items.facts, like: null, width: items.width, ...change })
  const fn = args[0]
  switch (name) {
    case 'map':
    case 'flatMap': {
      if (!fn) return UNKNOWN
      const turns = walk(machine, list, fn, site, 'all')
      if (turns.length === 0) return machine.list({ items: items.element === null ? [] : null, element: null })
      let element = altOf(turns.map((turn) => ({ value: turn.value, facts: turn.facts })))
      if (name === 'flatMap') element = machine.items(element)?.element ?? element
      const shared = turns[0]!.facts.filter((fact) => turns.every((turn) => turn.facts.includes(fact)))
      const facts = mergeFacts(items.facts, shared)
      const known = items.items !== null && items.items.length === turns.length && name === 'map'
      return machine.list({
        items: known ? turns.map((turn) => turn.value) : null,
        element,
        facts,
        like: name === 'map' ? (cell?.like ?? list) : null,
        width: items.width,
      })
    }
    case 'forEach':
      if (fn) walk(machine, list, fn, site, 'all')
      return UNDEFINED
    case 'filter': {
      if (!fn) return UNKNOWN
      const kept: Turn[] = []
      const item = fn.kind === 'function' && fn.node.parameters[0] ? nameOf(fn.node.parameters[0].name) : null
      machine.each(list, { node: site.node, width: 1, item }, site, (value) => {
        const before = machine.state.facts
        const result = callback(machine, fn, [value, UNKNOWN, list], site)
        machine.refine(result, true, site)
        if (!machine.state.dead)
          kept.push({ value: result, item: value, facts: [...machine.state.facts].filter((fact) => !before.has(fact)) })
      })
      if (kept.length === 0) return machine.list({ items: [], element: null })
      const facts = kept[0]!.facts.filter((fact) => kept.every((turn) => turn.facts.includes(fact)))
      return same({
        items: null,
        facts: mergeFacts(items.facts, facts),
        element: altOf(kept.map((turn) => bare(turn.item))),
      })
    }
    case 'find':
    case 'findLast': {
      if (!fn) return UNKNOWN
      const results = predicateOver(machine, list, fn, site)
      if (!results) return anyItem(items.element, items.facts)
      return altOf([
        { value: items.element ?? UNDEFINED, facts: mergeFacts(items.facts, results.facts) },
        { value: UNDEFINED, facts: [] },
      ])
    }
    case 'some':
    case 'every': {
      if (!fn) return UNKNOWN
      const results = predicateOver(machine, list, fn, site)
      return results?.test ?? unknown(machine.taints(list))
    }
    case 'reduce':
    case 'reduceRight': {
      if (!fn) return UNKNOWN
      const start = args[1] ?? items.element ?? UNDEFINED
      let value: Value = start
      const item = fn.kind === 'function' && fn.node.parameters[1] ? nameOf(fn.node.parameters[1].name) : null
      machine.each(list, { node: site.node, width: 1, item }, site, (each) => {
        value = altOf([bare(value), bare(callback(machine, fn, [value, each, UNKNOWN, list], site))])
      })
      return value
    }
    case 'push':
    case 'unshift':
    case 'add': {
      if (list.kind === 'list' && cell) {
        // What is known now is known of the new items: `if (claimed) won.push(row)`.
        const facts = [...machine.state.facts]
        const element = args.reduce<Value | null>((all, arg) => joinMaybe(all, arg), cell.element)
        write(machine.state, list.cell, {
          ...cell,
          items: null,
          element,
          facts: cell.element === null ? facts : cell.facts.filter((fact) => facts.includes(fact)),
          like: null,
        })
      }
      return name === 'add' ? list : UNKNOWN
    }
    case 'concat': {
      let element = items.element
      let facts = items.facts
      for (const arg of args) {
        const other = machine.items(arg)
        const part = other ? other.element : arg
        if (part === null) continue
        facts = element === null ? (other?.facts ?? []) : facts.filter((fact) => other?.facts.includes(fact))
        element = joinMaybe(element, part)
      }
      return machine.list({ element, facts })
    }
    case 'pop':
    case 'shift':
    case 'at':
      return list.kind === 'foreign' && (name === 'at' || name === 'shift' || name === 'pop')
        ? machine.property(list, '0', site)
        : cell?.like && name !== 'at'
          ? machine.property(list, '0', site)
          : anyItem(items.element, items.facts)
    case 'slice':
    case 'splice': {
      const [from, to] = args
      const chunk = name === 'slice' ? chunkWidth(from, to) : constantNumber(to)
      return same({
        items: items.items && name === 'slice' && constantNumber(from) === 0 && to === undefined ? items.items : null,
        width: chunk ?? items.width,
      })
    }
    case 'sort':
    case 'toSorted':
    case 'reverse':
    case 'toReversed':
    case 'values':
    case 'fill': {
      if (name === 'fill') return same({ element: items.element ?? fn ?? UNDEFINED, items: null })
      return list
    }
    case 'flat': {
      const inner = items.element ? machine.items(items.element) : null
      return machine.list({
        element: inner?.element ?? items.element,
        facts: mergeFacts(items.facts, inner?.facts ?? []),
      })
    }
    case 'entries': {
      const pair = items.element ? machine.list({ items: [UNKNOWN, items.element], element: items.element }) : null
      return machine.list({ element: pair, facts: items.facts })
    }
    case 'keys':
      return machine.list({ element: list.kind === 'list' ? (items.element ?? null) : UNKNOWN })
    case 'join': {
      if (items.items && items.items.every((item) => item.kind === 'const')) {
        const separator = fn?.kind === 'const' ? String(fn.value) : ','
        return textOf(items.items.flatMap((item, index) => (index === 0 ? [item] : [constant(separator), item])))
      }
      return unknown(unite([machine.taints(list)]))
    }
    case 'includes':
    case 'has':
      return fn ? { kind: 'test', op: 'has', left: list, right: fn } : UNKNOWN
    case 'indexOf':
    case 'findIndex':
      return unknown(machine.taints(list))
    case 'delete':
    case 'clear':
    case 'next':
      return UNKNOWN
    default:
      return undefined
  }
}

/** `some(c => c.id === row.id)` asks whether a list has an item: the two sides are told apart by the item. */
function predicateOver(
  machine: Machine,
  list: Value,
  fn: Value,
  site: Site,
): { test: Value; facts: readonly Fact[] } | null {
  let test: Value | null = null
  let facts: readonly Fact[] = []
  const before = machine.state
  machine.each(list, { node: site.node, width: 1, item: null }, site, (item) => {
    const result = callback(machine, fn, [item, UNKNOWN, list], site)
    const known = machine.state.facts
    const base = machine.state
    machine.state = fork(base)
    machine.refine(result, true, site)
    facts = [...machine.state.facts].filter((fact) => !known.has(fact))
    machine.state = fork(base)
    if (result.kind === 'test' && result.op === '==' && result.left.kind !== 'const' && result.right.kind !== 'const') {
      const own = machine.taints(item)
      const leftIsItem = [...machine.taints(result.left)].some((taint) => own.has(taint))
      const [inside, outside] = leftIsItem ? [result.left, result.right] : [result.right, result.left]
      test = { kind: 'test', op: 'has', left: machine.list({ element: inside }), right: outside }
      facts = mergeFacts(facts, machine.host.has(machine.list({ element: inside }), outside, true, machine))
    }
  })
  if (before.dead) return null
  return { test: test ?? unknown(machine.taints(list)), facts }
}

const constantNumber = (value: Value | undefined): number | null =>
  value?.kind === 'const' && typeof value.value === 'number' ? value.value : null

/** `slice(i, i + 5)` takes five at a time. */
function chunkWidth(from: Value | undefined, to: Value | undefined): number | null {
  if (to?.kind === 'shifted' && from && to.delta !== null && to.delta > 0) return to.delta
  return null
}

/** Methods of Map. */
export function mapMethod(
  machine: Machine,
  map: MapRef,
  name: string,
  args: readonly Value[],
  site: Site,
): Value | undefined {
  const cell = machine.mapCell(map)
  if (!cell) return undefined
  switch (name) {
    case 'get': {
      if (cell.value === null) return UNDEFINED
      const facts =
        cell.key && args[0]
          ? machine.host.has(machine.list({ element: cell.key, facts: cell.facts }), args[0], true, machine)
          : []
      return altOf([
        { value: cell.value, facts: mergeFacts(cell.facts, facts) },
        { value: UNDEFINED, facts: [] },
      ])
    }
    case 'set': {
      const facts = [...machine.state.facts]
      write(machine.state, map.cell, {
        kind: 'map-cell',
        key: joinMaybe(cell.key, args[0] ?? UNKNOWN),
        value: joinMaybe(cell.value, args[1] ?? UNKNOWN),
        facts: cell.value === null ? facts : cell.facts.filter((fact) => facts.includes(fact)),
      })
      return map
    }
    case 'has':
      return { kind: 'test', op: 'has', left: machine.list({ element: cell.key }), right: args[0] ?? UNKNOWN }
    case 'values':
      return machine.list({ element: cell.value, facts: cell.facts })
    case 'keys':
      return machine.list({ element: cell.key, facts: cell.facts })
    case 'entries':
      return map
    case 'forEach': {
      const fn = args[0]
      if (fn)
        machine.each(map, { node: site.node, width: 'all', item: null }, site, () => {
          callback(machine, fn, [cell.value ?? UNKNOWN, cell.key ?? UNKNOWN], site)
        })
      return UNDEFINED
    }
    case 'delete':
    case 'clear':
      return UNKNOWN
    default:
      return undefined
  }
}
