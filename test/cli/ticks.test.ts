import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { AuditOutcome } from '../../src/audit.js'
import { sample } from '../report/sample.js'
import { run, sampleOutcome } from './run.js'

const folder = mkdtempSync(join(tmpdir(), 'tick-audit-ticks-'))
afterAll(() => rmSync(folder, { recursive: true }))

const job = { ...sample.ticks[0]!, name: 'vacuum', dispatches: [] }
const outcome: AuditOutcome = { ...sampleOutcome, quiet: [job] } as AuditOutcome

describe('tick-audit ticks', () => {
  it('prints the fleet as a table, whatever the verdicts, and exits with 0', async () => {
    const result = await run(['ticks', './somewhere'], outcome)
    expect(result).toMatchObject({ code: 0, stderr: '', asked: [{ path: './somewhere' }] })
    expect(result.stdout).toMatch(/^Job .*\nsend-reminders .* race /)
    expect(result.stdout).toContain('2 ticks; 1 job with SQL only: --all lists it.')
    expect((await run(['ticks', '--all'], outcome)).stdout).toMatch(/^vacuum .* SQL only/m)
  })

  it('prints JSON and nothing else, or writes it to a file', async () => {
    const { stdout } = await run(['ticks', '-f', 'json'], outcome)
    expect(JSON.parse(stdout)).not.toHaveProperty('sqlJobs')
    expect(JSON.parse((await run(['ticks', '-f', 'json', '--all'], outcome)).stdout)).toHaveProperty('sqlJobs')
    expect(JSON.parse((await run(['-f', 'json', 'ticks'], outcome)).stdout)).toEqual(JSON.parse(stdout))
    const file = join(folder, 'ticks.json')
    const both = await run(['ticks', '-f', `json=${file}`, '-f', 'text'], outcome)
    expect(readFileSync(file, 'utf8')).toBe(stdout)
    expect(both.stdout).toMatch(/^Job /)
  })

  it('has the exit codes of an audit where there is nothing, no folder, or a fault', async () => {
    const nothing: AuditOutcome = { kind: 'nothing', message: 'Nothing here.' }
    expect(await run(['ticks'], nothing)).toMatchObject({ code: 3, stdout: '', stderr: 'tick-audit: Nothing here.\n' })
    expect((await run(['ticks', '--allow-empty'], nothing)).code).toBe(0)
    expect((await run(['ticks'], { kind: 'unreadable', message: 'No.' })).code).toBe(2)
    const faulty = { ...outcome, faults: [{ where: 'function x', message: 'boom' }] } as AuditOutcome
    expect(await run(['ticks'], faulty)).toMatchObject({
      code: 70,
      stderr: expect.stringContaining('function x: boom'),
    })
  })

  it.each([
    [['ticks', '-f', 'sarif'], 'ticks has no format "sarif": the formats are text, json.'],
    [['--strict', 'ticks'], '--strict does not apply to "ticks"'],
    [['ticks', '--cron-job-dump-only'], 'needs an export: --cron-job-dump FILE'],
  ])('%j is refused', async (args, message) => {
    const result = await run(args, outcome)
    expect(result).toMatchObject({ code: 2, stdout: '', asked: [] })
    expect(result.stderr).toContain(message)
  })
})
