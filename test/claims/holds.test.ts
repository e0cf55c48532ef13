import { beforeAll, describe, expect, it } from 'vitest'
import { conditionOf, holdsFor } from '../../src/claims/index.js'
import type { Operand } from '../../src/model/index.js'
import { loadParser } from '../../src/sql/index.js'

beforeAll(loadParser)

const row = (values: Readonly<Record<string, string | number | boolean | null>>): Map<string, Operand> =>
  new Map(Object.entries(values).map(([column, value]) => [column, { kind: 'literal', value }]))

describe('a condition of the schema, for a row that is partly known', () => {
  it.each<[string, Parameters<typeof row>[0], string]>([
    ['final', { final: true }, 'yes'],
    ['final', { final: false }, 'no'],
    ['final', { final: null }, 'no'],
    ['final', {}, 'unknown'],
    ['not final', { final: null }, 'no'],
    ['not final', { final: false }, 'yes'],
    ["state = 'new'", { state: 'new' }, 'yes'],
    ["state = 'new' and deleted_at is null", { state: 'new', deleted_at: null }, 'yes'],
    ["state = 'new' and deleted_at is null", { state: 'new' }, 'unknown'],
    ["state = 'new' and deleted_at is null", { state: 'old' }, 'no'],
    ["(state in ('new', 'open')) or kind = 'x'", { state: 'open' }, 'yes'],
    ["state in ('new', 'open') or kind = 'x'", { state: 'old' }, 'unknown'],
    ['n > 3', { n: 4 }, 'yes'],
    ['length(note) > 3', { note: 'abcd' }, 'unknown'],
  ])('%s with %j: %s', (text, values, expected) => {
    expect(holdsFor(conditionOf(text, 't')!, row(values))).toBe(expected)
  })

  it('that cannot be read is none', () => {
    expect(conditionOf('where where', 't')).toBeNull()
    expect(conditionOf('', 't')).toBeNull()
  })
})
