import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf } from '../project/folder.js'
import { root, run } from '../release/package.js'
import { isBuilt } from '../strength/child.js'
import { generate } from './generate.mjs'

// The short form of `npm run bench`: that it runs, and that the goals with room to spare hold, where all else runs too.
describe.runIf(isBuilt)('the bench', { timeout: 120_000 }, () => {
  it('tells times, parts and goals, and the goals hold', async () => {
    const quiet = folderOf({})
    const life = folderOf({})
    generate(quiet, { migrations: 300, functions: 100, tickEvery: null })
    generate(life, { migrations: 372, functions: 357, tickEvery: 17, helpers: 22 })
    const bench = join(root, 'test/bench/bench.mjs')
    const { stdout } = await run(process.execPath, [bench, '--alone', '--repeats', '1', quiet, life])
    const goals = stdout.slice(stdout.indexOf('Goals'))
    const rows = goals.split('\n').filter((line) => line.includes(quiet) || line.includes(life))
    expect(rows).toHaveLength(2)
    expect(goals).not.toContain('MISSED')
    expect(rows[0]).toMatch(/× holds +\|$/)
    expect(rows[1]).toMatch(/× holds/)
    expect(stdout).toMatch(/^\| TypeScript: functions +\| 0 ms +\| [1-9]\d* ms +\|$/m)
  })
})
