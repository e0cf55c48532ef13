import { callback, listMethod, mapMethod, walkList } from './lists.js'
import { classMember } from './classes.js'
import { GLOBAL_METHODS } from './globals.js'
import type { Items, Machine, Site } from './machine.js'
import { assume, deadEnd, fork, joinStates, type State } from './state.js'
import { textMethod, timeMethod } from './texts.js'
import {
  UNDEFINED,
  UNKNOWN,
  altOf,
  anyItem,
  constant,
  contrary,
  unite,
  unknown,
  type Alt,
  type Option,
  type Value,
} from './value.js'

/** Reads a property; `name` null: which one is not known. */
export function readProperty(machine: Machine, value: Value, name: string | null, site: Site): Value {
  switch (value.kind) {
    case 'const':
      if (typeof value.value === 'string' && name === 'length') return constant(value.value.length)
      return value.value == null ? UNDEFINED : UNKNOWN
    case 'object': {
      const cell = machine.objectCell(value)
      if (!cell) return UNKNOWN
      if (name === null) {
        const all = [...cell.props.values(), ...(cell.rest ? [cell.rest] : []), UNDEFINED]
        return altOf(all.map((item) => ({ value: item, facts: [] })))
      }
      const own = cell.props.get(name)
      if (own !== undefined) return own
      const member = cell.proto ? classMember(machine, cell.proto, name, value, false, site) : undefined
      return member ?? cell.rest ?? UNDEFINED
    }
    case 'list': {
      const cell = machine.listCell(value)
      if (!cell) return UNKNOWN
      if (name === 'length' || name === 'size') {
        if (cell.items) return constant(cell.items.length)
        if (cell.like) return readProperty(machine, cell.like, 'length', site)
        return unknown(machine.taints(value))
      }
      if (name !== null && !/^\d+$/.test(name)) return UNKNOWN
      if (cell.items && name !== null) return cell.items[Number(name)] ?? UNDEFINED
      if (cell.like?.kind === 'foreign' && cell.element && name === '0') {
        const original = machine.host.property(cell.like, '0', machine, site)
        const present =
          original.kind === 'alt' ? original.options.find((option) => option.value.kind === 'foreign') : undefined
        const absent =
          original.kind === 'alt' ? original.options.find((option) => option.value.kind === 'const') : undefined
        if (present && absent)
          return altOf([
            { value: cell.element, facts: present.facts },
            { value: UNDEFINED, facts: absent.facts },
          ])
      }
      return anyItem(cell.element, cell.facts)
    }
    case 'map':
      return name === 'size' ? unknown(machine.taints(value)) : UNKNOWN
    case 'function':
      return UNKNOWN
    case 'class':
      return name === null ? UNKNOWN : (classMember(machine, value, name, value, true, site) ?? UNKNOWN)
    case 'global':
      if (value.path.join('.') === 'process.env' && name !== null) return unknown(new Set([`env:${name}`]))
      return name === null ? UNKNOWN : { kind: 'global', path: [...value.path, name] }
    case 'external':
      return name === null ? UNKNOWN : { ...value, path: [...value.path, name] }
    case 'foreign':
      return machine.host.property(value, name, machine, site)
    case 'alt':
      return overOptions(machine, value, (option) => readProperty(machine, option, name, site))
    case 'time':
      // `toISOString().split('T')[0]`
      return value.coarse ? value : unknown(machine.taints(value))
    default:
      return lostTaints(machine, value)
  }
}

/** Properties of a value that is not known are not known either, and come from where it came from. */
function lostTaints(machine: Machine, value: Value): Value {
  if (value.kind === 'unknown') return value
  return unknown(machine.taints(value))
}

/** What `read` gives for each option that can be; nothing has no properties, so it is passed over where there is more. */
function overOptions(machine: Machine, value: Alt, read: (option: Value) => Value): Value {
  const possible = value.options.filter(
    (option) => !option.facts.some((fact) => machine.state.facts.has(contrary(fact))),
  )
  const real = possible.filter((option) => !(option.value.kind === 'const' && option.value.value == null))
  const options: Option[] = real.map((option) => ({ value: read(option.value), facts: option.facts }))
  if (real.length < possible.length) {
    const nothing = possible.filter((option) => !real.includes(option))
    for (const option of nothing) options.push({ value: UNDEFINED, facts: option.facts })
  }
  return options.length === 0 ? UNDEFINED : altOf(options)
}

/** Calls a method. */
export function callMethod(machine: Machine, value: Value, name: string, args: readonly Value[], site: Site): Value {
  switch (value.kind) {
    case 'alt':
      return eachOption(machine, value, (option) => callMethod(machine, option, name, args, site))
    case 'foreign': {
      const known = machine.host.method(value, name, args, machine, site)
      if (known !== undefined) return known
      if (machine.host.items(value, machine)) {
        const listed = listMethod(machine, value, name, args, site)
        if (listed !== undefined) return listed
      }
      return promiseMethod(machine, value, name, args, site) ?? opaqueCall(machine, [value, ...args], args, site)
    }
    case 'list': {
      const known = listMethod(machine, value, name, args, site)
      return (
        known ?? promiseMethod(machine, value, name, args, site) ?? opaqueCall(machine, [value, ...args], args, site)
      )
    }
    case 'map':
      return mapMethod(machine, value, name, args, site) ?? opaqueCall(machine, [value, ...args], args, site)
    case 'object': {
      const member = readProperty(machine, value, name, site)
      if (member.kind === 'const') {
        const known = promiseMethod(machine, value, name, args, site)
        if (known !== undefined) return known
        if (name === 'hasOwnProperty') return UNKNOWN
        return opaqueCall(machine, [value, ...args], args, site)
      }
      return machine.apply(member, args, site, value)
    }
    case 'global':
    case 'external': {
      const target = readProperty(machine, value, name, site)
      if (value.kind === 'external') {
        const known = promiseMethod(machine, value, name, args, site)
        if (known !== undefined) return known
      }
      return machine.apply(target, args, site)
    }
    case 'class': {
      const member = readProperty(machine, value, name, site)
      return machine.apply(member, args, site, value)
    }
    case 'function': {
      if (name === 'call') return machine.apply(value, args.slice(1), site, args[0] ?? null)
      if (name === 'bind')
        return args.length < 2 ? value : { ...value, bound: [...(value.bound ?? []), ...args.slice(1)] }
      if (name === 'apply') {
        const list = args[1] ? machine.listCell(args[1]) : null
        return machine.apply(value, list?.items ?? (list?.element ? [list.element] : []), site, args[0] ?? null)
      }
      return UNKNOWN
    }
    case 'time':
      return timeMethod(value, name)
    case 'const':
    case 'text':
    case 'json':
      return (
        textMethod(machine, value, name, args) ??
        promiseMethod(machine, value, name, args, site) ??
        opaqueCall(machine, [value, ...args], args, site)
      )
    default: {
      const known = machine.host.opaque(value, name, args, machine, site)
      if (known !== undefined) return known
      const listed =
        machine.items(value) && hasCallback(args) ? listMethod(machine, value, name, args, site) : undefined
      if (listed !== undefined && name !== 'then') return listed
      return (
        promiseMethod(machine, value, name, args, site) ??
        textMethod(machine, value, name, args) ??
        opaqueCall(machine, [value, ...args], args, site)
      )
    }
  }
}

const hasCallback = (args: readonly Value[]): boolean => args.some((arg) => arg.kind === 'function')

/**
 * Runs `act` for each option that can be, each on a path of its own. Options of which nothing is known are passed over
 * where another is known: `client ?? makeClient()` is that client.
 */
export function eachOption(machine: Machine, value: Alt, act: (option: Value) => Value): Value {
  const possible = value.options.filter(
    (option) =>
      !(option.value.kind === 'const' && option.value.value == null) &&
      !option.facts.some((fact) => machine.state.facts.has(contrary(fact))),
  )
  const used = possible.some((option) => isService(option.value, machine))
    ? possible.filter((option) => option.value.kind !== 'unknown')
    : possible
  if (used.length === 0) return UNDEFINED
  if (used.length === 1 && value.options.length === 1) return act(used[0]!.value)
  const base = machine.state
  const ends: State[] = []
  const results: Option[] = []
  used.forEach((option, index) => {
    machine.state = fork(base)
    assume(machine.state, option.facts)
    if (machine.state.dead) return
    const result = used.length > 1 ? machine.variant(100 + index, () => act(option.value)) : act(option.value)
    if (machine.state.dead) return
    results.push({ value: result, facts: mergeOwn(machine, base, option.facts) })
    ends.push(machine.state)
  })
  if (ends.length === 0) {
    machine.state = deadEnd(base)
    return UNKNOWN
  }
  const nothing = value.options.filter((option) => option.value.kind === 'const' && option.value.value == null)
  if (nothing.length > 0) {
    // `rows?.map(…)`: where there is nothing, nothing happens.
    const without = fork(base)
    ends.push(without)
    for (const option of nothing) results.push({ value: UNDEFINED, facts: option.facts })
  }
  machine.state = joinStates(ends)
  return altOf(results)
}

/** Something that is there to be called, rather than data: a client, a package, a function. */
const isService = (value: Value, machine: Machine): boolean =>
  value.kind === 'function' ||
  value.kind === 'class' ||
  value.kind === 'external' ||
  (value.kind === 'foreign' && machine.taints(value).size === 0)

const mergeOwn = (machine: Machine, base: State, facts: readonly string[]): readonly string[] => [
  ...new Set([...facts, ...[...machine.state.facts].filter((fact) => !base.facts.has(fact))]),
]

/** `.then`, `.catch`, `.finally` of anything: a promise's value is the value itself here. */
function promiseMethod(
  machine: Machine,
  value: Value,
  name: string,
  args: readonly Value[],
  site: Site,
): Value | undefined {
  if (name === 'then') {
    const awaited = machine.await(value, site)
    return args[0] ? machine.await(machine.apply(args[0], [awaited], site), site) : awaited
  }
  if (name === 'catch') {
    const awaited = machine.await(value, site)
    const other = args[0] ? maybe(machine, () => machine.apply(args[0]!, [UNKNOWN], site)) : UNDEFINED
    return altOf([
      { value: awaited, facts: [] },
      { value: other, facts: [] },
    ])
  }
  if (name === 'finally') {
    const awaited = machine.await(value, site)
    if (args[0]) machine.apply(args[0], [], site)
    return awaited
  }
  return undefined
}

/** Something that may or may not happen. */
export function maybe(machine: Machine, act: () => Value): Value {
  const base = machine.state
  machine.state = fork(base)
  const value = act()
  machine.state = joinStates([base, machine.state])
  return value
}

/** A call of which nothing is known: functions among its arguments may be called, and its value comes from all of them. */
export function opaqueCall(machine: Machine, from: readonly Value[], args: readonly Value[], site: Site): Value {
  const taints = unite(from.map((value) => machine.taints(value)))
  const results: Value[] = []
  const run = (value: Value) => {
    if (value.kind === 'function')
      results.push(maybe(machine, () => callback(machine, value, [unknown(taints), unknown(taints)], site)))
    else if (value.kind === 'object')
      for (const inner of machine.objectCell(value)?.props.values() ?? []) if (inner.kind === 'function') run(inner)
  }
  for (const arg of args) run(arg)
  const telling = results.filter((value) => value.kind !== 'const' && value.kind !== 'unknown')
  if (telling.length > 0)
    return altOf([...telling.map((value) => ({ value, facts: [] })), { value: unknown(taints), facts: [] }])
  return unknown(unite([taints, ...results.map((value) => machine.taints(value))]))
}

/** The items of anything that can be walked. */
export function itemsOf(machine: Machine, value: Value): Items | null {
  switch (value.kind) {
    case 'list': {
      const cell = machine.listCell(value)
      return cell && { element: cell.element, facts: cell.facts, items: cell.items, width: cell.width }
    }
    case 'map': {
      const cell = machine.mapCell(value)
      if (!cell || cell.value === null) return { element: null, facts: [], items: [], width: null }
      // Either of the two may be what comes from the rows: `set(row.id, true)`.
      const items = [cell.key ?? UNKNOWN, cell.value]
      const pair = machine.list({ items, element: altOf(items.map((item) => ({ value: item, facts: [] }))) })
      return { element: pair, facts: cell.facts, items: null, width: null }
    }
    case 'foreign': {
      const items = machine.host.items(value, machine)
      return items ? { ...items, items: null, width: null } : null
    }
    case 'alt': {
      const parts = value.options
        .filter((option) => !option.facts.some((fact) => machine.state.facts.has(contrary(fact))))
        .map((option) => ({ option, items: itemsOf(machine, option.value) }))
        .filter((part) => part.items !== null && part.items.element !== null)
      if (parts.length === 0)
        return value.options.some((option) => itemsOf(machine, option.value))
          ? { element: null, facts: [], items: [], width: null }
          : null
      if (parts.length === 1) {
        const { option, items } = parts[0]!
        return { ...items!, facts: [...new Set([...items!.facts, ...option.facts])], items: null }
      }
      return {
        element: altOf(
          parts.map(({ option, items }) => ({ value: items!.element!, facts: [...option.facts, ...items!.facts] })),
        ),
        facts: [],
        items: null,
        width: null,
      }
    }
    case 'unknown':
      return { element: value, facts: [], items: null, width: null }
    case 'external':
      return {
        element: unknown(unite([machine.taints(value), new Set([`package:${value.specifier}`])])),
        facts: [],
        items: null,
        width: null,
      }
    case 'text':
    case 'shifted':
    case 'json':
      return { element: unknown(machine.taints(value)), facts: [], items: null, width: null }
    default:
      return null
  }
}

/** Calls any value. */
export function applyValue(
  machine: Machine,
  callee: Value,
  args: readonly Value[],
  site: Site,
  self: Value | null,
): Value {
  if (machine.state.dead) return UNKNOWN
  switch (callee.kind) {
    case 'function':
      return machine.enter(self && !callee.self ? { ...callee, self } : callee, args, site)
    case 'alt':
      return eachOption(machine, callee, (option) => applyValue(machine, option, args, site, self))
    case 'foreign':
      return machine.host.call(callee, args, machine, site)
    case 'external': {
      const known = machine.host.external(callee, args, 'call', machine, site)
      if (known !== undefined) return known
      return externalCall(machine, callee, args, site)
    }
    case 'global': {
      const known = machine.host.global(callee.path, args, 'call', machine, site)
      if (known !== undefined) return known
      const builtin = GLOBAL_METHODS.get(callee.path.join('.'))
      return builtin ? builtin(machine, args, site) : opaqueCall(machine, args, args, site)
    }
    case 'class':
      return machine.construct(callee, args, site)
    default:
      return (
        machine.host.opaque(callee, null, args, machine, site) ?? opaqueCall(machine, [callee, ...args], args, site)
      )
  }
}

/** What a package makes of its arguments is again something of the package; validators give back what they were given. */
function externalCall(
  machine: Machine,
  callee: Extract<Value, { kind: 'external' }>,
  args: readonly Value[],
  site: Site,
): Value {
  const last = callee.path[callee.path.length - 1]
  if ((last === 'parse' || last === 'parseAsync') && args[0]) return args[0]
  if ((last === 'safeParse' || last === 'safeParseAsync') && args[0])
    return machine.object([
      ['data', args[0]],
      ['success', UNKNOWN],
      ['error', UNKNOWN],
    ])
  // A wrapper around a handler, while the module is set up: what it returns is called when a request comes.
  const handler = args.findLast((arg) => arg.kind === 'function')
  if (handler && machine.activations.length === 0) return handler
  const walked = walkByPackage(machine, [callee.specifier, ...callee.path].join('.'), args, site)
  if (walked) return walked
  const ran = args.some((arg) => arg.kind === 'function') ? opaqueCall(machine, args, args, site) : null
  if (ran && ran.kind === 'alt') return ran
  return { ...callee, path: [], made: args }
}

/** `pMap(rows, work, { concurrency })`, `_.forEach(rows, work)`: a list and what is called for each of its items. */
function walkByPackage(machine: Machine, name: string, args: readonly Value[], site: Site): Value | null {
  const work = args.find((arg) => arg.kind === 'function')
  const list = args.find((arg) => arg.kind !== 'function' && isListOfRows(machine, arg))
  if (!work || !list) return null
  const limit = args.map((arg) => (machine.objectCell(arg) ? machine.property(arg, 'concurrency', site) : arg))
  const width = limit.find((value) => value.kind === 'const' && typeof value.value === 'number')
  const results = walkList(machine, list, work, site, width?.kind === 'const' ? Number(width.value) : 'all')
  return /map/i.test(name) ? results : list
}

function isListOfRows(machine: Machine, value: Value): boolean {
  const element = machine.items(value)?.element
  return element?.kind === 'foreign' || element?.kind === 'object'
}
