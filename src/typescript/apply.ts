import { GLOBAL_METHODS } from './globals.js'
import { walkList } from './lists.js'
import type { Machine, Site } from './machine.js'
import { eachOption } from './options.js'
import { opaqueCall } from './opaque.js'
import { UNKNOWN, type Value } from './value.js'

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
