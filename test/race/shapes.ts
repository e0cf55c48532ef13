import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A project to run, and what is known of it. */
export interface Shape {
  readonly name: string
  readonly about: string
  readonly expected: 'race' | 'safe'
  /** The folder that holds `supabase`. */
  readonly folder: string
  /** SQL that makes `$rows` rows to work on, each with its `row-N`. */
  readonly seed: string
}

const SHAPES = fileURLToPath(new URL('./shapes', import.meta.url))

/** The names of all shapes: s… are sound claims, x… false cures, x05 and so on by the case of test/claims/truth.test.ts. */
export async function shapeNames(): Promise<string[]> {
  return (await readdir(SHAPES)).map((name) => name.replace(/\.txtar$/, '')).sort()
}

/** Unpacks the archives (`-- path --`, then the file) into a folder of its own; `remove` takes it away again. */
export async function unpackShapes(): Promise<{
  shape: (name: string) => Promise<Shape>
  remove: () => Promise<void>
}> {
  const home = await mkdtemp(join(tmpdir(), 'tick-audit-shapes-'))
  return {
    shape: async (name) => {
      const [head = '', ...parts] = (await readFile(join(SHAPES, `${name}.txtar`), 'utf8')).split(/^-- (.*) --\n/m)
      const [, expected, about = ''] = /^(race|safe): (.*)/.exec(head) ?? []
      if (expected === undefined) throw new Error(`${name}: neither race nor safe`)
      const folder = join(home, name)
      let seed = ''
      for (let at = 0; at < parts.length; at += 2) {
        const [path = '', text = ''] = [parts[at], parts[at + 1]]
        if (path === 'seed.sql') seed = text
        await mkdir(dirname(join(folder, path)), { recursive: true })
        await writeFile(join(folder, path), text)
      }
      return { name, about, expected: expected as 'race' | 'safe', folder, seed }
    },
    remove: () => rm(home, { recursive: true, force: true }),
  }
}
