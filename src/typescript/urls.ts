import type { Machine } from './machine.js'
import { read, write } from './state.js'
import { UNDEFINED, constant, textOf, type Foreign, type ForeignData, type Value } from './value.js'

/** URL, URLSearchParams and the resolve function of a promise: small objects of the runtime that code changes in place. */
interface CellData extends ForeignData {
  readonly type: 'url' | 'params' | 'resolver'
  readonly cell: number
}

export const isRuntimeObject = (value: Foreign): boolean =>
  value.data.type === 'url' || value.data.type === 'params' || value.data.type === 'resolver'

const inside = (value: Foreign, machine: Machine): Value =>
  (read(machine.state, (value.data as CellData).cell) as Value | undefined) ?? UNDEFINED

/** The text that a URL or its parameters stand for. */
export function runtimeText(value: Foreign, machine: Machine): Value {
  return inside(value, machine)
}

export function runtimeProperty(value: Foreign, name: string | null, machine: Machine): Value {
  if (value.data.type === 'url') {
    if (name === 'searchParams') return value
    if (name === 'href') return inside(value, machine)
    const url = knownUrl(value, machine)
    if (url && name !== null && PARTS.has(name)) return constant(url[name as 'pathname'])
  }
  return { kind: 'unknown', taints: machine.taints(inside(value, machine)) }
}

export function runtimeMethod(
  value: Foreign,
  name: string,
  args: readonly Value[],
  machine: Machine,
): Value | undefined {
  const cell = (value.data as CellData).cell
  const text = inside(value, machine)
  switch (name) {
    case 'toString':
      return text
    case 'set':
    case 'append': {
      const separator = value.data.type === 'params' ? '&' : hasQuery(text) ? '&' : '?'
      write(
        machine.state,
        cell,
        textOf([text, constant(separator), args[0] ?? constant(''), constant('='), args[1] ?? constant('')]),
      )
      return UNDEFINED
    }
    case 'get':
    case 'has':
      {
        const key = args[0]
        const url = knownUrl(value, machine)
        if (url && key?.kind === 'const') return constant(url.searchParams[name](String(key.value)))
      }
      // falls through
      return { kind: 'unknown', taints: machine.taints(text) }
    default:
      return undefined
  }
}

export function runtimeCall(value: Foreign, args: readonly Value[], machine: Machine): Value {
  if (value.data.type === 'resolver') write(machine.state, (value.data as CellData).cell, args[0] ?? UNDEFINED)
  return UNDEFINED
}

const PARTS = new Set(['pathname', 'search', 'host', 'hostname', 'hash', 'origin', 'protocol'])

/** The URL, where every part of it is known. */
function knownUrl(value: Foreign, machine: Machine): URL | null {
  const text = inside(value, machine)
  if (value.data.type !== 'url' || text.kind !== 'const') return null
  return URL.canParse(String(text.value)) ? new URL(String(text.value)) : null
}

const hasQuery = (value: Value): boolean =>
  value.kind === 'const'
    ? String(value.value).includes('?')
    : value.kind === 'text' && value.parts.some((part) => part.kind === 'const' && String(part.value).includes('?'))
