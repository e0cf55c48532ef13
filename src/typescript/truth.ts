import type { Machine } from './machine.js'
import { contrary, mergeFacts, type Const, type Fact, type Test, type Value } from './value.js'

/**
 * What follows on a path where `value` is truthy (or falsy); null: it cannot be.
 * A union says only what all its possible options say.
 */
export function truthFacts(value: Value, wanted: boolean, machine: Machine): readonly Fact[] | null {
  switch (value.kind) {
    case 'const':
      return Boolean(value.value) === wanted ? [] : null
    case 'object':
    case 'list':
    case 'map':
    case 'function':
    case 'class':
    case 'time':
      return wanted ? [] : null
    case 'foreign':
      return machine.host.truth(value, wanted, machine)
    case 'test':
      return testFacts(value, wanted, machine)
    case 'alt': {
      let common: readonly Fact[] | null = null
      for (const option of value.options) {
        if (option.facts.some((fact) => machine.state.facts.has(contrary(fact)))) continue
        const inner = truthFacts(option.value, wanted, machine)
        if (inner === null) continue
        if (inner.some((fact) => option.facts.includes(contrary(fact)) || machine.state.facts.has(contrary(fact))))
          continue
        const facts = mergeFacts(option.facts, inner)
        common = common === null ? facts : common.filter((fact) => facts.includes(fact))
      }
      return common
    }
    default:
      return []
  }
}

function testFacts(test: Test, wanted: boolean, machine: Machine): readonly Fact[] | null {
  if (test.op === 'not') return truthFacts(test.left, !wanted, machine)
  if (test.op === 'has') return machine.host.has(test.left, test.right, wanted, machine)
  if (test.right.kind === 'const') return compareFacts(test.left, test.op, test.right, wanted, machine)
  if (test.left.kind === 'const') return compareFacts(test.right, mirrored(test.op), test.left, wanted, machine)
  return test.op === '==' ? machine.host.equal(test.left, test.right, wanted, machine) : []
}

const mirrored = (op: Exclude<Test['op'], 'not' | 'has'>): Exclude<Test['op'], 'not' | 'has'> =>
  op === '<' ? '>' : op === '>' ? '<' : op === '<=' ? '>=' : op === '>=' ? '<=' : op

function compareFacts(
  left: Value,
  op: '==' | '<' | '<=' | '>' | '>=',
  right: Const,
  wanted: boolean,
  machine: Machine,
): readonly Fact[] | null {
  switch (left.kind) {
    case 'const':
      return holds(left.value, op, right.value) === wanted ? [] : null
    case 'foreign':
      return machine.host.compare(left, op, right, wanted, machine)
    case 'object':
    case 'list':
    case 'map':
    case 'function':
    case 'class':
      return op === '==' && isNothing(right) && wanted ? null : []
    case 'test':
      // `flag === true`, `flag !== false`
      if (op === '==' && typeof right.value === 'boolean') return truthFacts(left, right.value === wanted, machine)
      return []
    case 'alt': {
      let common: readonly Fact[] | null = null
      for (const option of left.options) {
        if (option.facts.some((fact) => machine.state.facts.has(contrary(fact)))) continue
        const inner = compareFacts(option.value, op, right, wanted, machine)
        if (inner === null) continue
        if (inner.some((fact) => option.facts.includes(contrary(fact)) || machine.state.facts.has(contrary(fact))))
          continue
        const facts = mergeFacts(option.facts, inner)
        common = common === null ? facts : common.filter((fact) => facts.includes(fact))
      }
      return common
    }
    default:
      return []
  }
}

const isNothing = (value: Const): boolean => value.value === null || value.value === undefined

function holds(left: Const['value'], op: '==' | '<' | '<=' | '>' | '>=', right: Const['value']): boolean {
  if (op === '==') return left === right || (left == null && right == null)
  if (left == null || right == null) return false
  if (op === '<') return left < right
  if (op === '<=') return left <= right
  if (op === '>') return left > right
  return left >= right
}
