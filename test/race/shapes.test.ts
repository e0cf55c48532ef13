import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canRun, LONG, whyNot } from './able.js'
import { LIMIT, proves, verdictsOf } from './prove.js'
import { shapeNames, unpackShapes } from './shapes.js'
import { startWorld, type World } from './world.js'

const names = await shapeNames()

describe.skipIf(!canRun)(
  `the verdict on each shape of a claim, and on each false cure, is what happens${whyNot}`,
  () => {
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

    // A third of them in a run of the suite; all of them in the long form (npm run proof).
    const chosen = names.filter((_name, index) => LONG || index % 3 === 0)
    it.each(chosen)('%s', async (name) => proves(world, await shapes.shape(name)), LIMIT)
  },
)

// What happened on each of them stands in its first line, as the long form found it; here only the verdict is asked.
it(
  'the verdict on every shape is what the long form saw happen',
  async () => {
    const shapes = await unpackShapes()
    try {
      for (const name of names) {
        const shape = await shapes.shape(name)
        expect([name, ...(await verdictsOf(shape))]).toEqual([name, shape.expected])
      }
    } finally {
      await shapes.remove()
    }
  },
  LIMIT,
)
