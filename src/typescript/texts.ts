import type { Machine } from './machine.js'
import { UNKNOWN, constant, textOf, unite, unknown, type Time, type Value } from './value.js'

/** Methods of Date. A part of a date (its day, its text cut short) is still that moment, shifted by we know not what. */
export function timeMethod(value: Time, name: string): Value {
  switch (name) {
    case 'toISOString':
    case 'getTime':
    case 'valueOf':
    case 'toJSON':
    case 'toString':
    case 'toUTCString':
    case 'toZonedDateTimeISO':
      return value
    case 'slice':
    case 'substring':
    case 'toDateString':
    case 'toLocaleDateString':
    case 'split':
    case 'startOf':
    case 'endOf':
      return { kind: 'time', offset: null, coarse: true }
    case 'toLocaleString':
    case 'replace':
      return { kind: 'time', offset: null }
    case 'getFullYear':
    case 'getUTCFullYear':
    case 'getMonth':
    case 'getUTCMonth':
    case 'getDate':
    case 'getUTCDate':
    case 'getDay':
    case 'getUTCDay':
    case 'getUTCHours':
    case 'getHours':
      return unknown(new Set(['time', 'day']))
    default:
      return unknown(new Set(['time']))
  }
}

const SAME = new Set(['toString', 'toLowerCase', 'toUpperCase', 'trim', 'normalize', 'valueOf', 'trimStart', 'trimEnd'])

/** Methods of strings; undefined: not one of them. */
export function textMethod(machine: Machine, value: Value, name: string, args: readonly Value[]): Value | undefined {
  if (value.kind === 'const' && typeof value.value === 'string') return constantText(machine, value.value, name, args)
  const taints = unite([machine.taints(value), ...args.map((arg) => machine.taints(arg))])
  switch (name) {
    case 'toString':
    case 'valueOf':
      return value
    case 'trim':
      return value.kind === 'text' || value.kind === 'unknown' ? value : unknown(taints)
    case 'concat':
      return value.kind === 'text' ? textOf([value, ...args]) : undefined
    case 'replace':
    case 'replaceAll': {
      if (value.kind !== 'text' && value.kind !== 'unknown') return unknown(taints)
      // A trailing slash that is cut off leaves the address what it was.
      const into = args[1]
      return into?.kind === 'const' && into.value === '' ? value : unknown(taints)
    }
    case 'split':
      return machine.list({ element: unknown(taints) })
    case 'includes':
    case 'startsWith':
    case 'endsWith':
    case 'slice':
    case 'substring':
    case 'match':
    case 'charAt':
    case 'padStart':
    case 'padEnd':
    case 'toFixed':
    case 'localeCompare':
    case 'charCodeAt':
    case 'test':
      return unknown(taints)
    default:
      return SAME.has(name) ? unknown(taints) : undefined
  }
}

function constantText(machine: Machine, text: string, name: string, args: readonly Value[]): Value | undefined {
  const given = args.map((arg) => (arg.kind === 'const' ? arg.value : undefined))
  const allKnown = args.every((arg) => arg.kind === 'const')
  const taints = unite(args.map((arg) => machine.taints(arg)))
  switch (name) {
    case 'toString':
    case 'valueOf':
      return constant(text)
    case 'toLowerCase':
      return constant(text.toLowerCase())
    case 'toUpperCase':
      return constant(text.toUpperCase())
    case 'trim':
      return constant(text.trim())
    case 'concat':
      return textOf([constant(text), ...args])
    case 'split':
      if (allKnown && typeof given[0] === 'string') {
        const parts = text.split(given[0]).map((part) => constant(part))
        return machine.list({ items: parts, element: parts[0] ?? null })
      }
      return machine.list({ element: unknown(taints) })
    case 'replace':
    case 'replaceAll':
      if (typeof given[0] === 'string' && typeof given[1] === 'string')
        return constant(
          name === 'replace'
            ? text.replace(given[0], () => String(given[1]))
            : text.replaceAll(given[0], () => String(given[1])),
        )
      return unknown(taints)
    case 'slice':
    case 'substring':
      if (allKnown)
        return constant(
          name === 'slice'
            ? text.slice(given[0] as number, given[1] as number)
            : text.substring(given[0] as number, given[1] as number),
        )
      return unknown(taints)
    case 'includes':
    case 'startsWith':
    case 'endsWith':
      if (allKnown && typeof given[0] === 'string')
        return constant(
          name === 'includes'
            ? text.includes(given[0])
            : name === 'startsWith'
              ? text.startsWith(given[0])
              : text.endsWith(given[0]),
        )
      return unknown(taints)
    case 'padStart':
    case 'padEnd':
    case 'repeat':
    case 'charAt':
    case 'match':
    case 'localeCompare':
    case 'normalize':
    case 'charCodeAt':
    case 'indexOf':
      return unknown(taints)
    case 'map':
    case 'then':
    case 'catch':
    case 'finally':
      return undefined
    default:
      return UNKNOWN
  }
}
