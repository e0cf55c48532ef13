import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canRun, LONG, whyNot } from './able.js'
import { happens, LIMIT, proves, verdictsOf } from './prove.js'
import { shapeNames, unpackShapes } from './shapes.js'
import { startWorld, type World } from './world.js'

/** Where the verdict is known to be wrong; the shape stays until it is right. */
// The verdict on it is unknown: whether the row falls under the partial index is not followed.
const WRONG = ['x-partial-unique']

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
    const right = names.filter((name, index) => !WRONG.includes(name) && (LONG || index % 3 === 0))
    it.each(right)('%s', async (name) => proves(world, await shapes.shape(name)), LIMIT)

    describe.each(WRONG)('%s, of which the verdict is wrong', (name) => {
      it('happens', async () => {
        const shape = await shapes.shape(name)
        expect(await happens(world, shape)).toBe(shape.expected)
      })

      it.fails('is what the verdict says', async () => {
        const shape = await shapes.shape(name)
        expect(await verdictsOf(shape)).toEqual([shape.expected])
      })
    })
  },
)
