import fs, { cpSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { lazyServices } from '../../src/cli/services.js'
import { formatNames } from '../../src/report/index.js'
import { projectOf, removeProjects, write, racing, migration } from '../gate/project.js'
import { runWith } from './run.js'

const fixtures = fileURLToPath(new URL('../../src/fixtures', import.meta.url))

let folder = ''
let copy = ''

beforeAll(() => {
  folder = projectOf({})
  cpSync(join(fixtures, 'embedding-drain', 'racing', 'supabase'), join(folder, 'supabase'), { recursive: true })
  // More of everything that has an order: functions, jobs, files, comments, baseline entries, diagnostics.
  for (const name of ['alpha', 'beta', 'gamma'])
    write(folder, {
      [`supabase/migrations/0100_${name}.sql`]: `${migration.replaceAll('letters', `${name}s`)}\n-- tick-audit-ignore no-claim: unused\n`,
      [`supabase/functions/post-${name}s/index.ts`]: racing.replaceAll('letters', `${name}s`),
      [`supabase/functions/post-${name}s/old.ts`]: '// tick-audit-ignore no-claim\n',
    })
  copy = join(projectOf({}), 'some', 'where', 'else')
  cpSync(folder, copy, { recursive: true })
})
afterEach(() => vi.restoreAllMocks())
afterAll(removeProjects)

const all = async (path: string): Promise<string[]> => {
  const outputs: string[] = []
  for (const format of formatNames)
    outputs.push((await runWith(['-f', format, path, '--show-suppressed'], lazyServices)).stdout)
  return outputs
}

/** Listings of folders in another order, as another file system may give them. */
async function reversed<T>(work: () => Promise<T>): Promise<T> {
  const before = fs.readdirSync
  const turned = ((...args: Parameters<typeof before>) => [...before(...args)].reverse()) as unknown as typeof before
  fs.readdirSync = turned
  syncBuiltinESMExports()
  try {
    return await work()
  } finally {
    fs.readdirSync = before
    syncBuiltinESMExports()
  }
}

describe('the same input gives the same bytes in every format', () => {
  let first: string[] = []
  beforeAll(async () => void (first = await all(folder)))

  it('a second time', async () => {
    expect(first.every((document) => document.length > 100)).toBe(true)
    expect(await all(folder)).toEqual(first)
  })

  it('with folders listed in another order', async () => {
    expect(await reversed(() => all(folder))).toEqual(first)
  })

  it('on a copy at another path', async () => {
    expect(await all(copy)).toEqual(first)
    expect(first.join('').includes(folder)).toBe(false)
  })

  it('with a baseline, and its file is the same as well', async () => {
    const file = (path: string) => fs.readFileSync(join(path, 'tick-audit-baseline.json'), 'utf8')
    await runWith(['baseline', folder], lazyServices)
    await reversed(() => runWith(['baseline', copy], lazyServices))
    expect(file(folder)).toBe(file(copy))
    expect(await all(folder)).toEqual(await all(copy))
  })
})
