import { afterAll, beforeAll, describe, it } from 'vitest'
import { canRun, whyNot } from './able.js'
import { REFERENCE, SMALL } from './fixtures.js'
import { LIMIT, proves } from './prove.js'
import { startWorld, type World } from './world.js'

describe.skipIf(!canRun)(`the verdict on each fixture is what happens${whyNot}`, () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  }, 60_000)
  afterAll(() => world.stop())

  it.each([...REFERENCE, ...SMALL])('$name', (shape) => proves(world, shape), LIMIT)
})
