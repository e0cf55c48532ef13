import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { mutantOf, type Mutant } from './mutate.js'
import { auditFiles, fixtureFiles, wrong } from './project.js'

/** How many seeds, from which on, and where failures are kept: `npm run fuzz` asks for more than the suite. */
const RUNS = Number(process.env.TICK_AUDIT_FUZZ_RUNS ?? 150)
const FIRST = Number(process.env.TICK_AUDIT_FUZZ_SEED ?? 1)
const KEPT = process.env.TICK_AUDIT_FUZZ_FOLDER ?? join(tmpdir(), 'tick-audit-fuzz')

/** Of one small project. Generous, for a busy machine; a run takes some 20 ms. */
const LONGEST_MS = 5_000

it(
  `${RUNS} mutated projects, from seed ${FIRST} on: each a report, no fault, in time`,
  async () => {
    const projects = fixtureFiles()
    const failed: string[] = []
    const log = join(KEPT, `log-${FIRST}.txt`)
    if (RUNS > 150) mkdirSync(KEPT, { recursive: true })
    for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
      const mutant = mutantOf(projects, seed)
      // A run that never ends leaves its seed behind
      if (RUNS > 150) writeFileSync(join(KEPT, `current-${FIRST}.txt`), `${seed}: ${mutant.done.join(', ')}\n`)
      const problem = await auditFiles(mutant.files, mutant.links).then(
        (audited) => wrong(audited, LONGEST_MS),
        (error: unknown) => `threw ${error instanceof Error ? error.stack : String(error)}`,
      )
      if (problem === null) continue
      failed.push(`seed ${seed} (${mutant.done.join(', ')}): ${problem}`)
      if (RUNS > 150) appendFileSync(log, `${failed.at(-1)}\n\n`)
      keep(seed, mutant)
    }
    expect(failed, `the projects are in ${KEPT}`).toEqual([])
  },
  Math.max(60_000, RUNS * LONGEST_MS),
)

function keep(seed: number, { files }: Mutant): void {
  for (const [path, content] of files) {
    const file = join(KEPT, `seed-${seed}`, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
