import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeOf } from './nodes.js'
import { cleanCopy, install, pack, root, run } from './package.js'

/** Versions of Node, with blanks between: `npm run nodes` says which. Not in the suite: each is a download of 190 MB once. */
const VERSIONS = (process.env.TICK_AUDIT_NODES ?? '').split(' ').filter((version) => version !== '')
const PROJECTS = ['embedding-drain/racing', 'inbox-reply/claimed', 'rules/sql-fanout-unclaimed/racing']

const paths = PROJECTS.map((project) => join(root, 'src/fixtures', project))

const LIBRARY = `import { audit } from 'tick-audit'
for (const path of process.argv.slice(2)) console.log(JSON.stringify(await audit(path)))\n`

describe.runIf(VERSIONS.length > 0)('the package, installed from its tarball', () => {
  let folder: string
  let here: readonly string[]
  beforeAll(async () => {
    folder = await cleanCopy()
    const { filename } = await pack(folder)
    writeFileSync(join(folder, 'package.json'), '{"name": "empty", "private": true, "type": "module"}')
    await install(folder, `./${filename}`)
    writeFileSync(join(folder, 'use.mjs'), LIBRARY)
    here = await reports(process.execPath)
    for (const report of here) expect(report).toContain('"schemaVersion"')
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** What the command line says of each project, and what the library says of all. A warning of this Node would be heard. */
  async function reports(node: string): Promise<readonly string[]> {
    const cli = join(folder, 'node_modules/tick-audit/bin/tick-audit.js')
    const runs = [...paths.map((path) => [cli, path, '-f', 'json', '--fail-on', 'none']), ['use.mjs', ...paths]]
    const said: string[] = []
    for (const args of runs) {
      const { stdout, stderr } = await run(node, args, { cwd: folder })
      expect(stderr).toBe('')
      said.push(stdout)
    }
    return said
  }

  it.each(VERSIONS)(
    'says the same under Node %s, byte for byte',
    async (version) => {
      const node = await nodeOf(version)
      expect((await run(node, ['--version'])).stdout.trim()).toBe(`v${version}`)
      expect(await reports(node)).toEqual(here)
    },
    300_000,
  )
})
