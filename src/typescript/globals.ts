import { callback } from './lists.js'
import type { Machine, Site } from './machine.js'
import { read } from './state.js'
import { NULL, UNDEFINED, UNKNOWN, altOf, constant, textOf, unite, unknown, type Option, type Value } from './value.js'

/** Functions of the runtime that change nothing outside: what they give for what they are given. */
type Builtin = (machine: Machine, args: readonly Value[], site: Site) => Value

const FRESH = unknown(new Set(['fresh']))
const NOW: Value = { kind: 'time', offset: 0 }

const taintedBy: Builtin = (machine, args) => unknown(unite(args.map((arg) => machine.taints(arg))))
const first: Builtin = (_machine, args) => args[0] ?? UNDEFINED
const bare = (value: Value): Option => ({ value, facts: [] })

/** Promise.all and its kin: each item is awaited. */
const all =
  (wrap: (machine: Machine, value: Value) => Value): Builtin =>
  (machine, args, site) => {
    const list = args[0]
    const items = list ? machine.items(list) : null
    if (!list || !items || items.element === null) return machine.list({ items: items ? [] : null, element: null })
    if (items.items) {
      const awaited = items.items.map((item, index) =>
        machine.variant(200 + index, () => wrap(machine, machine.await(item, site))),
      )
      return machine.list({
        items: awaited,
        element: awaited.length > 0 ? altOf(awaited.map(bare)) : null,
        facts: items.facts,
      })
    }
    const cell = list.kind === 'list' ? machine.listCell(list) : null
    return machine.list({
      element: wrap(machine, machine.await(items.element, site)),
      facts: items.facts,
      like: cell?.like ?? null,
    })
  }

const settled = (machine: Machine, value: Value): Value =>
  machine.object([
    ['status', UNKNOWN],
    ['value', value],
    ['reason', UNKNOWN],
  ])

const anyOf: Builtin = (machine, args, site) => {
  const items = args[0] ? machine.items(args[0]) : null
  if (!items?.element) return UNKNOWN
  return machine.await(items.element, site)
}

const entries: Builtin = (machine, args) => {
  const value = args[0]
  const cell = value ? machine.objectCell(value) : null
  if (!cell) {
    if (!value) return UNKNOWN
    const pair = machine.list({
      items: [unknown(machine.taints(value)), unknown(machine.taints(value))],
      element: unknown(machine.taints(value)),
    })
    return machine.list({ element: pair })
  }
  const pairs = [...cell.props].map(([name, item]) => machine.list({ items: [constant(name), item], element: item }))
  if (cell.rest) {
    const pair = machine.list({ items: [UNKNOWN, cell.rest], element: cell.rest })
    return machine.list({ element: altOf([...pairs, pair].map(bare)) })
  }
  return machine.list({ items: pairs, element: pairs.length > 0 ? altOf(pairs.map(bare)) : null })
}

const values: Builtin = (machine, args) => {
  const cell = args[0] ? machine.objectCell(args[0]) : null
  if (!cell) return args[0] ? machine.list({ element: unknown(machine.taints(args[0])) }) : UNKNOWN
  const items = [...cell.props.values(), ...(cell.rest ? [cell.rest] : [])]
  return machine.list({ items: cell.rest ? null : items, element: items.length > 0 ? altOf(items.map(bare)) : null })
}

const keys: Builtin = (machine, args) => {
  const cell = args[0] ? machine.objectCell(args[0]) : null
  if (!cell || cell.rest) return machine.list({ element: args[0] ? unknown(machine.taints(args[0])) : UNKNOWN })
  const names = [...cell.props.keys()].map((name) => constant(name))
  return machine.list({ items: names, element: names.length > 0 ? altOf(names.map(bare)) : null })
}

const assign: Builtin = (machine, args) => {
  const props = new Map<string, Value>()
  let rest: Value | null = null
  for (const arg of args) {
    const cell = machine.objectCell(arg)
    for (const [name, value] of cell?.props ?? []) props.set(name, value)
    if (cell?.rest) rest = cell.rest
  }
  return machine.object(props, rest)
}

const fromEntries: Builtin = (machine, args) => {
  const items = args[0] ? machine.items(args[0]) : null
  const pair = items?.element ? machine.items(items.element) : null
  return machine.object([], pair?.items?.[1] ?? pair?.element ?? UNKNOWN)
}

/** Array.from(list, fn), Array.from({ length: n }, fn): a pool of n runs of fn. */
const arrayFrom: Builtin = (machine, args, site) => {
  const [source, fn] = args
  if (!source) return UNKNOWN
  const cell = machine.objectCell(source)
  const length = cell?.props.get('length')
  const list: Value = length
    ? machine.list({
        element: UNKNOWN,
        width: length.kind === 'const' && typeof length.value === 'number' ? length.value : null,
      })
    : source
  if (!fn) return length ? list : copy(machine, source)
  return machine.method(list, 'map', [{ ...fn }], site)
}

function copy(machine: Machine, source: Value): Value {
  const items = machine.items(source)
  return items ? machine.list({ ...items, like: source }) : UNKNOWN
}

const parseJson: Builtin = (machine, args) => {
  const text = args[0]
  if (text?.kind === 'json') return text.of
  if (text?.kind === 'const' && typeof text.value === 'string') {
    try {
      return fromJson(machine, JSON.parse(text.value), 0)
    } catch {
      return UNKNOWN
    }
  }
  return text ? unknown(machine.taints(text)) : UNKNOWN
}

export function fromJson(machine: Machine, value: unknown, depth: number): Value {
  if (depth > 8) return UNKNOWN
  if (value === null) return NULL
  if (Array.isArray(value)) {
    const items = value.slice(0, 100).map((item) => fromJson(machine, item, depth + 1))
    return machine.list({ items, element: items.length > 0 ? altOf(items.map(bare)) : null })
  }
  if (typeof value === 'object')
    return machine.object(
      Object.entries(value as object).map(([name, item]) => [name, fromJson(machine, item, depth + 1)] as const),
    )
  return constant(value as string | number | boolean)
}

const environment: Builtin = (_machine, args) => {
  const name = args[0]
  return unknown(new Set([name?.kind === 'const' ? `env:${String(name.value)}` : 'env:']))
}

const later: Builtin = (machine, args, site) => {
  if (args[0]?.kind === 'function') callback(machine, args[0], [], site)
  return UNKNOWN
}

export const GLOBAL_METHODS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['Deno.env.get', environment],
  ['Date.now', () => NOW],
  ['Date.UTC', () => ({ kind: 'time', offset: null })],
  ['Date.parse', first],
  ['performance.now', () => unknown(new Set(['time']))],
  ['Math.random', () => FRESH],
  ['crypto.randomUUID', () => FRESH],
  ['crypto.getRandomValues', () => FRESH],
  ['Promise.resolve', first],
  ['Promise.all', all((_machine, value) => value)],
  ['Promise.allSettled', all(settled)],
  ['Promise.race', anyOf],
  ['Promise.any', anyOf],
  ['Object.entries', entries],
  ['Object.values', values],
  ['Object.keys', keys],
  ['Object.assign', assign],
  ['Object.freeze', first],
  ['Object.fromEntries', fromEntries],
  ['Array.from', arrayFrom],
  [
    'Array.of',
    (machine, args) => machine.list({ items: args, element: args.length > 0 ? altOf(args.map(bare)) : null }),
  ],
  ['Array.isArray', taintedBy],
  ['Array', (machine, args) => poolOf(machine, args)],
  ['JSON.stringify', (_machine, args) => (args[0] ? { kind: 'json', of: args[0] } : UNDEFINED)],
  ['JSON.parse', parseJson],
  ['structuredClone', first],
  [
    'String',
    (machine, args) =>
      args[0]?.kind === 'const'
        ? constant(String(args[0].value))
        : (args[0] ?? taintedBy(machine, args, undefined as never)),
  ],
  ['Number', (machine, args) => numberOf(machine, args)],
  ['BigInt', (machine, args) => numberOf(machine, args)],
  ['parseInt', (machine, args) => numberOf(machine, args)],
  ['parseFloat', (machine, args) => numberOf(machine, args)],
  ['Number.parseInt', (machine, args) => numberOf(machine, args)],
  [
    'Boolean',
    (_machine, args) => ({
      kind: 'test',
      op: 'not',
      left: { kind: 'test', op: 'not', left: args[0] ?? UNDEFINED, right: UNDEFINED },
      right: UNDEFINED,
    }),
  ],
  ['encodeURIComponent', first],
  ['decodeURIComponent', first],
  ['encodeURI', first],
  ['setTimeout', later],
  ['queueMicrotask', later],
  ['EdgeRuntime.waitUntil', (machine, args, site) => (args[0] ? machine.await(args[0], site) : UNDEFINED)],
])

const numberOf = (machine: Machine, args: readonly Value[]): Value => {
  const value = args[0]
  if (value?.kind === 'const') {
    const number = Number(value.value)
    return Number.isNaN(number) ? UNKNOWN : constant(number)
  }
  if (value?.kind === 'foreign' || value?.kind === 'time' || value?.kind === 'shifted' || value?.kind === 'alt')
    return value
  return taintedBy(machine, args, undefined as never)
}

function poolOf(machine: Machine, args: readonly Value[]): Value {
  const length = args[0]
  return machine.list({
    element: UNKNOWN,
    width: length?.kind === 'const' && typeof length.value === 'number' ? length.value : null,
  })
}

/** `new X(…)` of the runtime. */
export function constructGlobal(machine: Machine, name: string, args: readonly Value[], site: Site): Value | undefined {
  switch (name) {
    case 'Date': {
      const given = args[0]
      if (!given) return NOW
      if (args.length > 1)
        return machine.taints(given).has('time')
          ? { kind: 'time', offset: null }
          : unknown(unite(args.map((arg) => machine.taints(arg))))
      if (given.kind === 'time' || given.kind === 'foreign') return given
      if (given.kind === 'text' && given.parts.some((part) => part.kind === 'time'))
        return { kind: 'time', offset: null }
      return unknown(machine.taints(given))
    }
    case 'Set': {
      const items = args[0] ? machine.items(args[0]) : null
      return machine.list(
        items
          ? { element: items.element, facts: items.facts, items: null, like: args[0] ?? null }
          : { items: null, element: null },
      )
    }
    case 'WeakSet':
      return machine.list({ items: null, element: null })
    case 'Map':
    case 'WeakMap': {
      const items = args[0] ? machine.items(args[0]) : null
      const pair = items?.element ? machine.items(items.element) : null
      return {
        kind: 'map',
        cell: machine.alloc({
          kind: 'map-cell',
          key: pair?.items?.[0] ?? pair?.element ?? null,
          value: pair?.items?.[1] ?? pair?.element ?? null,
          facts: items?.facts ?? [],
        }),
      }
    }
    case 'Array':
      return poolOf(machine, args)
    case 'Promise': {
      const fn = args[0]
      if (fn?.kind !== 'function') return UNKNOWN
      // The executor's resolve hands its argument on; a cell of its own gathers what it was.
      const cell = machine.alloc(UNDEFINED)
      const resolve: Value = { kind: 'foreign', data: { type: 'resolver', cell } as { type: string } }
      callback(machine, fn, [resolve, UNKNOWN], site)
      return (read(machine.state, cell) as Value | undefined) ?? UNKNOWN
    }
    case 'URL': {
      const [path, base] = args
      const href = base && path ? textOf([base, path]) : (path ?? UNKNOWN)
      return { kind: 'foreign', data: { type: 'url', cell: machine.alloc(href) } as { type: string } }
    }
    case 'URLSearchParams':
      return {
        kind: 'foreign',
        data: { type: 'params', cell: machine.alloc(paramsText(machine, args[0])) } as { type: string },
      }
    case 'Headers':
      return args[0] ? assign(machine, [args[0]], site) : machine.object([])
    case 'Error':
      return taintedBy(machine, args, site)
    default:
      return undefined
  }
}

/** `{ a: x, b: y }` as `a=x&b=y`. */
export function paramsText(machine: Machine, value: Value | undefined): Value {
  if (!value) return constant('')
  if (value.kind === 'const' || value.kind === 'text') return value
  const cell = machine.objectCell(value)
  if (!cell) return unknown(machine.taints(value))
  const parts: Value[] = []
  for (const [name, item] of cell.props) {
    if (parts.length > 0) parts.push(constant('&'))
    parts.push(constant(`${name}=`), item)
  }
  return textOf(parts)
}
