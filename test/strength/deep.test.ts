import { beforeAll, expect, it } from 'vitest'
import { loadParser, parseStatements } from '../../src/sql/index.js'
import { fileText } from '../../src/sql/source.js'

beforeAll(loadParser)

const sound = `create table a (id int); select ${Array.from({ length: 300 }, (_, n) => `f(a${n}, (b))`).join(' || ')}`
const parse = (text: string) => parseStatements(fileText('a.sql', text))
const trees = () => JSON.stringify(parse(sound).map((each) => (each.ok ? each.tree : each.message)))

it('statements that are nested too deeply do not spoil those after them', () => {
  const before = trees()
  for (let n = 0; n < 60; n++) {
    const deep = parse(`select ${'a||'.repeat(14_000 + n)}1`)[0]!
    expect(deep.ok ? '' : deep.message).toContain('nested too deeply')
  }
  expect(trees()).toBe(before)
})
