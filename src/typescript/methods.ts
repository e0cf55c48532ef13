import { listMethod, mapMethod } from './lists.js'
import type { Machine, Site } from './machine.js'
import { eachOption } from './options.js'
import { maybe, opaqueCall } from './opaque.js'
import { readProperty } from './properties.js'
import { textMethod, timeMethod } from './texts.js'
import { UNDEFINED, UNKNOWN, altOf, type Value } from './value.js'

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
