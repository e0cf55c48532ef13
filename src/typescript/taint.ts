import type { Machine } from './machine.js'
import { NO_TAINTS, unite, type Taints, type Value } from './value.js'

const TIME: Taints = new Set(['time'])
const DEEPEST = 16

/** From what a value was made: the union over everything that stands in it. */
export function taintsOf(value: Value, machine: Machine, depth = 0): Taints {
  if (depth > DEEPEST) return NO_TAINTS
  const inner = (part: Value) => taintsOf(part, machine, depth + 1)
  switch (value.kind) {
    case 'unknown':
      return value.taints
    case 'time':
      return TIME
    case 'text':
      return unite(value.parts.map(inner))
    case 'shifted':
    case 'json':
      return inner(value.of)
    case 'foreign':
      return depth === 0 ? machine.host.taints(value) : machine.taints(value)
    case 'test':
      return unite([inner(value.left), inner(value.right)])
    case 'alt':
      return unite(value.options.map((option) => inner(option.value)))
    case 'object': {
      const cell = machine.objectCell(value)
      if (!cell) return NO_TAINTS
      return unite([...[...cell.props.values()].map(inner), ...(cell.rest ? [inner(cell.rest)] : [])])
    }
    case 'list': {
      const cell = machine.listCell(value)
      return cell?.element ? inner(cell.element) : NO_TAINTS
    }
    case 'map': {
      const cell = machine.mapCell(value)
      return unite([cell?.key, cell?.value].map((part) => (part ? inner(part) : NO_TAINTS)))
    }
    case 'external':
      return value.made.length === 0 ? NO_TAINTS : unite(value.made.map(inner))
    default:
      return NO_TAINTS
  }
}
