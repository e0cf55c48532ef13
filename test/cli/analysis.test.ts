import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rules } from '../../src/rules/index.js'
import { run } from './run.js'

const root = mkdtempSync(join(tmpdir(), 'tick-audit-analysis-'))
const config = join(root, 'tick-audit.json')
const write = (name: string, text: string): string => {
  writeFileSync(join(root, name), text)
  return join(root, name)
}
beforeAll(() => {
  mkdirSync(join(root, '.git'))
  mkdirSync(join(root, 'supabase', 'migrations'), { recursive: true })
  const settings = {
    rules: { 'no-claim': 'off' },
    effects: [{ host: 'a.example', class: 'email' }],
    assumedRows: 5,
    latencies: { email: { typicalSeconds: 2 } },
    exclude: ['supabase/old'],
    failOn: 'none',
  }
  write('tick-audit.json', JSON.stringify(settings))
})
afterAll(() => rmSync(root, { recursive: true }))

const optionsOf = async (...args: string[]) => (await run([...args, root])).asked[0]?.options

describe('the configuration', () => {
  it('is found from the project upwards, and the audit goes by it', async () => {
    for (const path of [root, join(root, 'supabase')]) {
      const result = await run([path])
      expect(result.code).toBe(0)
      expect(result.asked[0]?.options).toMatchObject({
        rules: { 'no-claim': 'off' },
        effects: [{ host: 'a.example', class: 'email' }],
        notEffects: [],
        assumedRows: 5,
        latencies: { email: { typicalSeconds: 2 } },
        maxRunSeconds: null,
        include: [],
        exclude: ['supabase/old'],
      })
    }
    expect((await run(['ticks', root])).asked[0]?.options.assumedRows).toBe(5)
  })

  it('can be another one, or none', async () => {
    const other = write('other.jsonc', '{"assumedRows": 6} // six')
    expect(await optionsOf('-c', other)).toMatchObject({ assumedRows: 6, rules: {} })
    expect(await optionsOf('--no-config')).toMatchObject({ assumedRows: 100, exclude: [] })
    expect((await run([root, '--no-config'])).code).toBe(1)
  })

  it('gives way to the command line', async () => {
    expect(await optionsOf('--assumed-rows', '7', '--max-run-seconds', '1.5')).toMatchObject({
      assumedRows: 7,
      maxRunSeconds: 1.5,
    })
    expect((await run([root, '--fail-on', 'error'])).code).toBe(1)
    const only = await optionsOf('--only', 'no-claim, check-then-act')
    expect(only?.rules).not.toHaveProperty('no-claim')
    expect(Object.keys(only?.rules ?? {})).toHaveLength(rules.length - 2)
    const skip = await optionsOf('--skip', 'check-then-act', '--skip', 'lock-only-claim')
    expect(skip?.rules).toEqual({ 'no-claim': 'off', 'check-then-act': 'off', 'lock-only-claim': 'off' })
    expect(await optionsOf('--min-confidence', 'high')).toMatchObject({ minConfidence: 'high' })
    expect(await optionsOf()).not.toHaveProperty('minConfidence')
  })

  it('is printed as it counts, ready to be kept', async () => {
    const result = await run([root, '--print-config', '--assumed-rows', '9'])
    expect(result).toMatchObject({ code: 0, stderr: '', asked: [] })
    expect(JSON.parse(result.stdout)).toMatchObject({ rules: { 'no-claim': 'off' }, assumedRows: 9, failOn: 'none' })
    const copy = write('copy.json', result.stdout)
    expect((await run([root, '-c', copy, '--print-config'])).stdout).toBe(result.stdout)
  })

  it('is refused with a line for each mistake', async () => {
    const bad = write('bad.json', '{\n  "rulse": {},\n  "failOn": "no"\n}')
    const result = await run([root, '-c', bad])
    expect(result).toMatchObject({ code: 2, stdout: '', asked: [] })
    expect(result.stderr).toMatch(/^tick-audit: .*bad\.json:2:3: unknown key "rulse"\. Did you mean "rules"\?\n/)
    expect(result.stderr).toMatch(/\ntick-audit: .*bad\.json:3:13: failOn is "no"/)
  })
})

describe('--cron-job-dump', () => {
  const csv = 'jobid,jobname,schedule,command,active\n1,x,* * * * *,select 1,t\n'

  it('hands an export on: beside the SQL, or instead of it', async () => {
    const file = write('jobs.csv', csv)
    expect((await optionsOf('--cron-job-dump', file))?.cronJobDump).toEqual({ file, text: csv, mode: 'beside' })
    expect((await optionsOf('--cron-job-dump', file, '--cron-job-dump-only'))?.cronJobDump?.mode).toBe('instead')
    expect(await optionsOf()).not.toHaveProperty('cronJobDump')
    const empty = write('empty.json', '[]')
    expect((await run([root, '--cron-job-dump', empty])).code).toBe(0)
  })

  it.each([
    [
      'gone.csv',
      null,
      'cannot be read (ENOENT); expected the rows of: select jobid, jobname, schedule, command, active',
    ],
    ['text.csv', 'just a text', 'is no export of cron.job: The export of cron.job is neither CSV nor JSON; expected'],
    ['void.csv', '', 'neither CSV nor JSON'],
    ['half.json', '[{"jobname": ', 'neither CSV nor JSON'],
    ['other.json', '[{"id": 1}]', 'A row of the export has no schedule or no command'],
  ])('refuses %s in one line that says what was expected', async (name, text, message) => {
    if (text !== null) write(name, text)
    const result = await run([root, '--cron-job-dump', join(root, name)])
    expect(result).toMatchObject({ code: 2, stdout: '', asked: [] })
    expect(result.stderr).toContain(message)
    expect(result.stderr).toMatch(/^tick-audit: [^\n]+\n$/)
  })
})

it.each([
  [['--assumed-rows', '0'], '--assumed-rows is "0", but has to be a whole number of 1 or more.'],
  [['--assumed-rows', '1.5'], '--assumed-rows is "1.5"'],
  [['--assumed-rows', ''], '--assumed-rows is ""'],
  [['--max-run-seconds', 'long'], '--max-run-seconds is "long", but has to be a number above 0.'],
  [['--max-run-seconds', '-1'], '--max-run-seconds'],
  [['--only', 'no-clami'], '--only names no rule: "no-clami". Did you mean no-claim?'],
  [['--only', ','], '--only names no rule. tick-audit rules lists them all.'],
  [['--skip', 'no-claim,x'], '--skip names no rule: "x". tick-audit rules lists them all.'],
  [['--min-confidence', 'sure'], 'Allowed choices are low, medium, high'],
  [['-c', config + 'x'], 'the configuration cannot be read (ENOENT)'],
])('%j is refused', async (args, message) => {
  const result = await run([root, ...args])
  expect(result).toMatchObject({ code: 2, stdout: '', asked: [] })
  expect(result.stderr).toContain(message)
})
