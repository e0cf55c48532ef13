import type { Running } from './project.js'
import { randomFrom } from './random.js'
import { play, type Choice, type Chooser, type Played } from './schedule.js'

export interface Explored {
  /** The first schedule found under which a row got its effect twice. */
  readonly witness: Played | null
  readonly schedules: number
  /** Every schedule was tried, or one from which the same would have followed. */
  readonly complete: boolean
  /** The most effects of one schedule: none at all would prove nothing. */
  readonly effects: number
}

/**
 * All interleavings, until one repeats an effect. Two schedules that lead to the same rows and the same answers heard
 * have the same future: it is tried once.
 *
 * @param most Gives up after so many schedules.
 */
export async function explore(running: Running, most: number): Promise<Explored> {
  const seen = new Set<string>()
  const open: Choice[][] = [[]]
  let schedules = 0
  let effects = 0
  while (open.length > 0 && schedules < most) {
    const prefix = open.pop()!
    const played = await play(running, follow(prefix, open, seen))
    schedules++
    effects = Math.max(effects, played.effects)
    if (played.repeated.size > 0) return { witness: played, schedules, complete: false, effects }
  }
  return { witness: null, schedules, complete: open.length === 0, effects }
}

/** The given steps, then always the first one; the others are left for later, from each state that is new. */
function follow(prefix: readonly Choice[], open: Choice[][], seen: Set<string>): Chooser {
  const steps: Choice[] = []
  return async ({ choices, free, key }) => {
    const choice = prefix[steps.length] ?? free ?? choices[0]!
    // Where only one can go on nothing is chosen.
    if (steps.length >= prefix.length && free === null && choices.length > 1) {
      const state = await key()
      if (seen.has(state)) return null
      seen.add(state)
      open.push(...choices.slice(1).map((other) => [...steps, other]))
    }
    steps.push(choice)
    return choice
  }
}

/** Random schedules, with a clock that moves on, until one repeats an effect. The same seed gives the same choices. */
export async function wander(running: Running, count: number, seed: number): Promise<Explored> {
  const random = randomFrom(seed)
  const { world } = running
  let effects = 0
  for (let at = 1; at <= count; at++) {
    const start = world.now
    const played = await play(running, async ({ choices }) => {
      world.now += Math.floor(random() * 200)
      return choices[Math.floor(random() * choices.length)]!
    })
    world.now = start
    effects = Math.max(effects, played.effects)
    if (played.repeated.size > 0) return { witness: played, schedules: at, complete: false, effects }
  }
  return { witness: null, schedules: count, complete: false, effects }
}
