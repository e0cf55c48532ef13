import type { Items, Machine } from './machine.js'
import { UNKNOWN, altOf, contrary, unite, unknown, type Value } from './value.js'

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
