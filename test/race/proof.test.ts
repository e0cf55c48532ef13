import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditProject } from '../../src/audit.js'
import { canRun, LONG, whyNot } from './able.js'
import { explore, wander } from './explore.js'
import { run } from './project.js'
import { REFERENCE, SMALL } from './fixtures.js'
import { shapeNames, unpackShapes, type Shape } from './shapes.js'
import { startWorld, type World } from './world.js'

/**
 * Every verdict is what really happens: `race` if some schedule of two overlapping invocations has a row's effect twice,
 * `safe` if none has: of all over two rows, and of random ones over 25.
 */

/** At most so many schedules over two rows; in the long form all. */
const MOST = LONG ? 5000 : 40
const RANDOM = LONG ? 200 : 1

/** Where the verdict is known to be wrong; the schedule stays until it is right. */
const WRONG = ['x51-not-exists']

const LIMIT = LONG ? 3_600_000 : 60_000

const names = await shapeNames()

describe.skipIf(!canRun)(`two invocations over one backlog${whyNot}`, () => {
  let world: World
  let shapes: Awaited<ReturnType<typeof unpackShapes>>
  beforeAll(async () => {
    world = await startWorld()
    shapes = await unpackShapes()
  }, 60_000)
  afterAll(async () => {
    await world.stop()
    await shapes.remove()
  })

  async function happens(shape: Shape): Promise<string> {
    const pair = await run(world, shape.folder, shape.seed, 2)
    const all = await explore(pair, MOST)
    await pair.close()
    expect(world.gaps.splice(0)).toEqual([])
    if (all.witness) return 'race'
    expect(all.effects, 'no effect at all shows nothing').toBeGreaterThan(0)
    if (LONG) expect(all.complete).toBe(true)
    const many = await run(world, shape.folder, shape.seed, 25)
    const some = await wander(many, RANDOM, 1)
    await many.close()
    return some.witness ? 'race' : 'safe'
  }

  async function agrees(shape: Shape): Promise<void> {
    const outcome = await auditProject(shape.folder)
    if (outcome.kind !== 'report') throw new Error(outcome.message)
    const verdicts = outcome.report.functions.map((each) => each.verdict)
    const happened = await happens(shape)
    expect({ happened, verdicts }).toEqual({ happened: shape.expected, verdicts: [shape.expected] })
  }

  it.each([...REFERENCE, ...SMALL])('$name', agrees, LIMIT)

  const right = names.filter((name) => !WRONG.includes(name))
  it.each(right)('%s', async (name) => agrees(await shapes.shape(name)), LIMIT)

  it.fails.each(WRONG)('%s: the verdict is wrong', async (name) => agrees(await shapes.shape(name)), LIMIT)
})
