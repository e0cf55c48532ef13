import type { Operand } from '../model/index.js'
import type { Machine, Value } from '../typescript/index.js'
import { isResult } from './results.js'

let opaqueIds = 0
const opaqueOf = new WeakMap<object, string>()

/** A value of the program as a value in a condition. `own`: is the value one that was read from the row itself? */
export function operandOf(value: Value, machine: Machine, own: (statement: number) => boolean): Operand {
  switch (value.kind) {
    case 'const':
      if (typeof value.value === 'bigint') return { kind: 'literal', value: Number(value.value) }
      return { kind: 'literal', value: value.value ?? null }
    case 'time':
      return { kind: 'now', offset: value.offset }
    case 'shifted': {
      const base = operandOf(value.of, machine, own)
      if (base.kind === 'read')
        return { ...base, delta: base.delta === null || value.delta === null ? null : base.delta + value.delta }
      return opaque(value, true)
    }
    case 'foreign':
      if (isResult(value) && value.data.type === 'column' && own(value.data.statement))
        return { kind: 'read', column: value.data.column, delta: 0 }
      return opaque(value, true)
    case 'alt': {
      const parts = value.options.map((option) => operandOf(option.value, machine, own))
      const real = parts.filter((part) => !(part.kind === 'literal' && part.value === null))
      // `job.attempts ?? 0` is the value that was read, where there is one.
      if (real.length === 1 || (real.length === 2 && real[0]!.kind === 'read' && real[1]!.kind === 'literal')) {
        const only = real[0]!
        if (real.length === parts.length || only.kind === 'read') return only
      }
      return opaque(value, real.length === parts.length && parts.every(isNonNull))
    }
    case 'unknown':
      if (value.taints.has('fresh')) return { kind: 'fresh' }
      return opaque(value, true)
    case 'text':
      if (machine.taints(value).has('fresh')) return { kind: 'fresh' }
      return opaque(value, true)
    default:
      return opaque(value, true)
  }
}

const isNonNull = (operand: Operand): boolean =>
  operand.kind === 'literal' ? operand.value !== null : operand.kind === 'opaque' ? operand.nonNull : true

/** One value has one id: the same variable in a condition and in a SET is the same operand. */
export function opaque(value: Value, nonNull: boolean): Operand {
  let id = opaqueOf.get(value)
  if (id === undefined) {
    opaqueIds += 1
    id = `#${opaqueIds}`
    opaqueOf.set(value, id)
  }
  return { kind: 'opaque', id, nonNull }
}
