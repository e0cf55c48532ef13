import { classMember } from './classes.js'
import type { Machine, Site } from './machine.js'
import {
  UNDEFINED,
  UNKNOWN,
  altOf,
  anyItem,
  constant,
  contrary,
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
