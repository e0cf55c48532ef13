import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canRun, LONG, whyNot } from './able.js'
import { drift, type Day, type Drift } from './drift.js'
import { run } from './project.js'
import { REFERENCE } from './fixtures.js'
import { startWorld, type World } from './world.js'

/** A backlog, ticks by the clock, and providers as slow as the catalogue says: what is done twice in a day? */

const ROWS = LONG ? 10_000 : 200
const HOURS = LONG ? 24 : 0.5

/** Typical and worst seconds of the catalogue (src/effects); a time limit in the code replaces the worst. */
const SECONDS: Readonly<Record<string, readonly [number, number]>> = {
  'api.openai.com/v1/embeddings': [0.5, 30],
  'api.openai.com/v1/chat/completions': [8, 30],
  'api.resend.com/emails': [0.5, 10],
}

const LATENCIES = {
  typical: (shortest: number) => shortest,
  // Each decade between the two equally often.
  'typical to worst': (shortest: number, longest: number, random: number) => shortest * (longest / shortest) ** random,
  worst: (_: number, longest: number) => longest,
}
type Latency = keyof typeof LATENCIES

const LIMIT = LONG ? 3_600_000 : 60_000

const EVERY = { 'embedding-drain': 2 * 60_000, 'inbox-reply': 10 * 60_000 }

describe.skipIf(!canRun)(`a day of ticks${whyNot}`, () => {
  let world: World
  const lines: string[] = []
  beforeAll(async () => {
    world = await startWorld()
  }, 60_000)
  afterAll(async () => {
    await world.stop()
    if (LONG) console.log(table(lines))
  })

  async function day(
    name: keyof typeof EVERY,
    twin: string,
    latency: Latency,
    lateEvery?: number,
    size = { rows: ROWS, hours: HOURS },
  ): Promise<Drift> {
    const shape = REFERENCE.find((each) => each.name === `${name}/${twin}`)!
    const running = await run(world, shape.folder)
    await running.fill(shape.seed, size.rows)
    const seconds: Day['seconds'] = (target, random) => LATENCIES[latency](...SECONDS[target]!, random)
    const every = EVERY[name]
    const count = Math.floor((size.hours * 3_600_000) / every)
    const result = await drift(running, { every, ticks: count, lateEvery, life: 400_000, seconds, seed: 7 })
    running.close()
    expect(world.gaps).toEqual([])
    const { worked, calls, duplicates, wasted, atOnce, killed } = result
    const ticked = lateEvery === undefined ? 'on time' : `one in ${lateEvery} late`
    lines.push(`| ${[name, twin, latency, ticked, worked, calls, duplicates, wasted, atOnce, killed].join(' | ')} |`)
    return result
  }

  const latencies = (LONG ? Object.keys(LATENCIES) : ['typical to worst']) as Latency[]

  it.each(latencies)(
    'embedding-drain, latencies: %s',
    async (latency) => {
      const racing = await day('embedding-drain', 'racing', latency)
      const claimed = await day('embedding-drain', 'claimed', latency)
      // At the typical latency a run ends before the next tick: nothing overlaps.
      if (latency === 'typical') expect(racing).toMatchObject({ duplicates: 0, atOnce: 1 })
      else expect(racing.duplicates).toBeGreaterThan(0)
      expect(claimed).toMatchObject({ duplicates: 0, wasted: 0 })
      expect(claimed.worked).toBeGreaterThan(0)
    },
    LIMIT,
  )

  it.each(latencies)(
    'inbox-reply with late ticks, latencies: %s',
    async (latency) => {
      const racing = await day('inbox-reply', 'racing', latency, LONG ? 6 : 2)
      const claimed = await day('inbox-reply', 'claimed', latency, LONG ? 6 : 2)
      expect(racing.duplicates).toBeGreaterThan(0)
      expect(claimed).toMatchObject({ duplicates: 0, wasted: 0 })
      expect(claimed.worked).toBeGreaterThan(0)
    },
    LIMIT,
  )

  it(
    'is the same day for the same seed',
    async () => {
      const once = async (): Promise<Drift> =>
        day('inbox-reply', 'racing', 'typical to worst', 2, { rows: 200, hours: 0.5 })
      const first = await once()
      expect(await once()).toEqual(first)
      lines.splice(-2)
    },
    LIMIT,
  )
})

function table(lines: readonly string[]): string {
  return [
    '',
    `${ROWS} rows in the backlog, ${HOURS} hours, workers that live 400 s at most:`,
    '',
    '| function | version | latencies | ticks | rows worked on | calls | rows done twice | wasted calls | most at once | killed |',
    '| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...lines,
    '',
  ].join('\n')
}
