import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assume,
  changedSince,
  deadEnd,
  emptyState,
  fork,
  joinStates,
  make,
  read,
  see,
  write,
  type State,
} from '../../src/typescript/state.js'
import { constant, type Value } from '../../src/typescript/value.js'

const shown = (value: Value | undefined): string =>
  value === undefined
    ? 'none'
    : value.kind === 'const'
      ? String(value.value)
      : value.kind === 'alt'
        ? value.options
            .map((option) => [shown(option.value), ...option.facts].join(' if '))
            .sort()
            .join(' or ')
        : value.kind

const valueIn = (state: State, cell: number) => shown(read(state, cell) as Value | undefined)

describe('cells', () => {
  it('are seen by what comes after, and not changed by it', () => {
    const start = emptyState()
    const cell = make(start, constant(1))
    const next = fork(start)
    write(next, cell, constant(2))
    expect([valueIn(start, cell), valueIn(next, cell), valueIn(fork(next), cell)]).toEqual(['1', '2', '2'])
  })

  it('have either value where two paths meet, each with what is known on its path', () => {
    const start = emptyState()
    const cell = make(start, constant(0))
    const left = fork(start)
    assume(left, ['a'])
    write(left, cell, constant(1))
    const right = fork(start)
    assume(right, ['!a'])
    expect(valueIn(joinStates([left, right]), cell)).toBe('0 if !a or 1 if a')
  })

  it('that were made on one path keep what that path wrote last', () => {
    const start = emptyState()
    const left = fork(start)
    const cell = make(left, constant(1))
    const inner = fork(left)
    write(inner, cell, constant(2))
    const right = fork(start)
    make(right, constant(9))
    const third = fork(start)
    make(third, constant(9))
    expect(valueIn(joinStates([inner, right, third]), cell)).toBe('2')
    expect(valueIn(joinStates([right, third, inner]), cell)).toBe('2')
  })

  it('of a path that ends count for nothing', () => {
    const start = emptyState()
    const cell = make(start, constant(0))
    const left = fork(start)
    write(left, cell, constant(1))
    expect(valueIn(joinStates([deadEnd(left), start]), cell)).toBe('0')
    expect(joinStates([deadEnd(left), deadEnd(start)]).dead).toBe(true)
  })

  it('that were there before are told from those that are new', () => {
    const start = emptyState()
    const old = make(start, constant(0))
    const next = fork(start)
    const fresh = make(next, constant(0))
    write(next, fresh, constant(1))
    expect(changedSince(start, next)).toEqual([])
    write(next, old, constant(1))
    expect(changedSince(start, fork(next))).toEqual([old])
  })
})

it('what has happened on some path is remembered, what holds on one only is not', () => {
  const start = emptyState()
  const left = fork(start)
  assume(left, ['a', 'b'])
  see(left, 'x')
  const right = fork(start)
  assume(right, ['b'])
  const joined = joinStates([left, right])
  expect([[...joined.facts], [...joined.seen], joined.dead]).toEqual([['b'], ['x'], false])
  assume(joined, ['!b'])
  expect(joined.dead).toBe(true)
})

/** A program over states: what it makes, writes and branches into. */
type Step = { make: number } | { write: [number, number] } | { branch: Step[][] }

const { program } = fc.letrec<{ program: Step[]; step: Step }>((tie) => ({
  program: fc.array(tie('step'), { maxLength: 6 }),
  step: fc.oneof(
    { maxDepth: 5 },
    fc.record({ make: fc.nat(9) }),
    fc.record({ write: fc.tuple(fc.nat(40), fc.nat(9)) }),
    fc.record({ branch: fc.array(tie('program'), { minLength: 1, maxLength: 4 }) }),
  ),
}))

/** The plain way: each path has a map of all of its cells, which is copied where paths part. */
type Plain = Map<number, ReadonlySet<number>>

function runBoth(steps: readonly Step[], state: State, plain: Plain): State {
  for (const step of steps) {
    if ('make' in step) plain.set(make(state, constant(step.make)), new Set([step.make]))
    else if ('write' in step) {
      const cells = [...plain.keys()]
      const cell = cells[step.write[0] % Math.max(1, cells.length)]
      if (cell === undefined) continue
      write(state, cell, constant(step.write[1]))
      plain.set(cell, new Set([step.write[1]]))
    } else {
      const ends = step.branch.map((branch) => {
        const own: Plain = new Map(plain)
        return [runBoth(branch, fork(state), own), own] as const
      })
      state = joinStates(ends.map(([end]) => end))
      for (const [, own] of ends) for (const cell of own.keys()) plain.set(cell, new Set())
      for (const cell of plain.keys()) plain.set(cell, new Set(ends.flatMap(([, own]) => [...(own.get(cell) ?? [])])))
    }
  }
  return state
}

it('programs leave what they leave where every path has a copy of all cells', () => {
  fc.assert(
    fc.property(program, (steps) => {
      const plain: Plain = new Map()
      const end = runBoth(steps, emptyState(), plain)
      for (const [cell, values] of plain)
        // At most eight options are kept
        if (values.size <= 8) expect(valueIn(end, cell)).toBe([...values].map(String).sort().join(' or '))
    }),
    { numRuns: 1000 },
  )
})
