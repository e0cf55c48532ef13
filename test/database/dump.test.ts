import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCronDump, withDump } from '../../src/database/index.js'
import { findTicks } from '../../src/ticks/index.js'
import { jobsOf, migrate } from './run.js'

const database = (): ReturnType<typeof migrate> =>
  migrate(`select cron.schedule('a', '0 * * * *', 'select 1'); select cron.schedule('b', '0 * * * *', 'select 2');`)

describe('an export of cron.job', () => {
  it('is read as CSV, with quotes, line breaks and any order of columns', () => {
    const csv = `jobid;command;jobname;schedule;active\n7;"select net.http_post(""url"" := 'https://h/functions/v1/f');\nselect 1";a;*/5 * * * *;t\r\n8;vacuum;;0 3 * * *;f\n`
    const dump = readCronDump('cron.csv', csv)
    expect(dump.diagnostics).toEqual([])
    expect(jobsOf(withDump(database(), dump, 'instead'))).toEqual([
      `a | */5 * * * * | select net.http_post("url" := 'https://h/functions/v1/f');\nselect 1`,
      '- | 0 3 * * * | vacuum | off',
    ])
    expect(dump.jobs[1]!.location).toMatchObject({ file: 'cron.csv', startLine: 4, startColumn: 1 })
    const { ticks } = findTicks(withDump(database(), dump, 'instead'), [{ name: 'f' }])
    expect(ticks).toMatchObject([
      { name: 'a', origin: 'dump', dispatches: [{ function: 'f', location: { file: 'cron.csv', startLine: 2 } }] },
    ])
  })

  it('is read as JSON, a list or what holds one', () => {
    const rows = [{ jobname: 'x', schedule: '* * * * *', command: 'c', active: false }]
    for (const content of [rows, { rows }]) {
      expect(jobsOf(withDump(database(), readCronDump('c.json', JSON.stringify(content)), 'instead'))).toEqual([
        'x | * * * * * | c | off',
      ])
    }
  })

  it('beside the migrations counts for the names that it knows', () => {
    const dump = readCronDump('c.csv', 'jobname,schedule,command\nb,1 * * * *,new\nc,2 * * * *,more\n')
    expect(jobsOf(withDump(database(), dump, 'beside'))).toEqual([
      'a | 0 * * * * | select 1',
      'b | 1 * * * * | new',
      'c | 2 * * * * | more',
    ])
  })

  it('that is none is said to be none', () => {
    expect(readCronDump('c.csv', 'hello')).toMatchObject({ jobs: [], diagnostics: [{ code: 'cron-job-dump' }] })
    expect(readCronDump('c.json', '{"a": ')).toMatchObject({ jobs: [], diagnostics: [{ code: 'cron-job-dump' }] })
    expect(readCronDump('c.csv', 'jobname,schedule,command\na,,c')).toMatchObject({
      jobs: [],
      diagnostics: [{ location: { startLine: 2 } }],
    })
  })

  it('comes back as it was written, whatever stands in the command', () => {
    const quote = (field: string): string => `"${field.replaceAll('"', '""')}"`
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 5 }),
        (commands) => {
          const csv = ['schedule,command', ...commands.map((command) => `* * * * *,${quote(command)}`)].join('\n')
          expect(readCronDump('c.csv', csv).jobs.map((job) => job.command)).toMatchObject(
            commands.map((command) => ({ parts: [{ text: command }] })),
          )
        },
      ),
    )
  })
})
