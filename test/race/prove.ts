import { expect } from 'vitest'
import { auditProject } from '../../src/audit.js'
import { LONG } from './able.js'
import { explore, wander } from './explore.js'
import { run } from './project.js'
import type { Shape } from './shapes.js'
import type { World } from './world.js'

/** At most so many schedules over two rows; in the long form all of them. */
const MOST = LONG ? 5000 : 25
const RANDOM = LONG ? 200 : 1

export const LIMIT = LONG ? 3_600_000 : 60_000

/**
 * What really happens: `race` if some schedule of two overlapping invocations has a row's effect twice, `safe` if none
 * has: of all over two rows, and of random ones over 25.
 */
export async function happens(world: World, shape: Shape): Promise<'race' | 'safe'> {
  const running = await run(world, shape.folder)
  try {
    await running.fill(shape.seed, 2)
    const all = await explore(running, MOST)
    expect(world.gaps.splice(0)).toEqual([])
    if (all.witness) return 'race'
    expect(all.effects, 'no effect at all shows nothing').toBeGreaterThan(0)
    if (LONG) expect(all.complete).toBe(true)
    await running.fill(shape.seed, 25)
    const some = await wander(running, RANDOM, 1)
    expect(world.gaps.splice(0)).toEqual([])
    return some.witness ? 'race' : 'safe'
  } finally {
    running.close()
  }
}

/** What tick-audit says of the very same files. */
export async function verdictsOf(shape: Shape): Promise<string[]> {
  const outcome = await auditProject(shape.folder)
  if (outcome.kind !== 'report') throw new Error(outcome.message)
  return outcome.report.functions.map((each) => each.verdict)
}

/** The verdict is what happens, and both are what is known of the shape. */
export async function proves(world: World, shape: Shape): Promise<void> {
  const verdicts = await verdictsOf(shape)
  const happened = await happens(world, shape)
  expect({ happened, verdicts }).toEqual({ happened: shape.expected, verdicts: [shape.expected] })
}
