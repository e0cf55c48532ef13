import { describe, expect, it } from 'vitest'
import type { Report, ReportTick } from '../../src/model/index.js'
import { renderTicksJson, renderTicksTable, ticksOf, type SqlJob } from '../../src/report/ticks.js'
import { sample } from './sample.js'

const [first, second] = sample.ticks as [ReportTick, ReportTick]
const place = first.location
const { file, startLine, startColumn } = first.dispatches[0]!.location
const dispatchPlace = `${file}:${startLine}:${startColumn}`

const fleet: Report = {
  ...sample,
  ticks: [
    { ...first, words: 'every other minute' },
    {
      ...second,
      origin: 'other',
      dispatches: [
        { ...second.dispatches[0]!, fanout: true, assumed: 'the job’s name "digest"' },
        { function: null, url: 'https://hooks.example/x', via: [], location: place, fanout: false },
      ],
    },
    {
      ...first,
      name: null,
      active: false,
      dispatches: [{ ...first.dispatches[0]!, function: null, url: '…', unresolved: 'The URL is null' }],
    },
    {
      ...first,
      name: 'lost',
      intervalSeconds: null,
      schedule: '61 seconds',
      words: 'not a schedule',
      dispatches: [{ ...first.dispatches[0]!, function: null, url: '…', unresolved: 'The URL is a secret' }],
    },
  ],
}
const sqlJob: SqlJob = {
  name: 'vacuum',
  schedule: '@hourly',
  words: 'every hour',
  intervalSeconds: 3600,
  active: false,
  location: place,
}

const table = (report: Report, jobs: readonly SqlJob[] | null = null, style = {}) =>
  renderTicksTable(ticksOf(report, jobs), { color: false, width: 100, hidden: 0, ...style })

describe('the fleet as a table', () => {
  it('has a line for each call: job, schedule, gap, function, verdict, overlap; below it where and how', () => {
    expect(table(fleet)).toBe(
      `\
Job             Schedule                   Gap       Function                 Verdict     Overlap
send-reminders  every other minute         120 s     send-reminders           race        possible
  ${place.file}:${place.startLine}:${place.startColumn} · via public.call_edge
digest          every Monday at 06:00 UTC  604800 s  weekly-digest            race        unlikely
  ${second.location.file}:${second.location.startLine}:${second.location.startColumn} (SQL outside the migrations) · via public.call_edge · a request for each row · assumed from the job’s name "digest"
                                                     https://hooks.example/x  elsewhere   –
(no name)       every 2 minutes            120 s     …                        inactive    –
  ${place.file}:${place.startLine}:${place.startColumn} · via public.call_edge
lost            not a schedule             –         …                        unresolved  –
  ${place.file}:${place.startLine}:${place.startColumn} · via public.call_edge

4 ticks, 1 of them inactive.

What could not be resolved
  This statement could not be parsed (syntax error at or near "{{"); what it defines is not known.
  supabase/migrations/20250101000000_seed.sql:4:1

  Tick \`lost\` calls \`…\`: The URL is a secret
  ${dispatchPlace}
  Would tell: the function’s path in the SQL (/functions/v1/NAME), or its name as that of the job,
              the secret or the setting

  Function \`track-event\` could not be decided: its source is not in supabase/functions
`,
    )
  })

  it('lists jobs that only run SQL where they are asked for, else how many there are', () => {
    expect(table(sample, [sqlJob])).toMatch(/\nvacuum +every hour +3600 s +SQL only +inactive +–\n/)
    expect(table(sample, [sqlJob])).toContain('2 ticks; 1 job with SQL only.')
    expect(table(sample, null, { hidden: 1 })).toContain('2 ticks; 1 job with SQL only: --all lists it.')
    expect(table(sample, null, { hidden: 2 })).toContain('2 jobs with SQL only: --all lists them.')
    expect(table({ ...sample, ticks: [], functions: [], diagnostics: [] })).toBe('No job sends a request.\n')
  })

  it('says what would tell, once for each kind, and lists five of a kind', () => {
    const message = (n: number) => `Job ${n} is not known`
    const diagnostics = Array.from({ length: 7 }, (_, n) => ({
      code: 'unresolved-job-id',
      severity: 'warning' as const,
      message: message(n),
    }))
    const text = table({ ...sample, diagnostics })
    expect(text).toContain(`${message(4)}\n  and 2 more; -f json lists them\n  Would tell: an export of cron.job`)
    expect(text).not.toContain(message(5))
    expect(text.match(/Would tell/g)).toHaveLength(1)
  })

  it('is coloured where asked, and safe to print', () => {
    expect(table(sample, null, { color: true })).toContain('\u001b[31mrace')
    const evil = { ...sample, ticks: [{ ...first, name: 'a\u001b[2Jb\nc', words: 'x\u202ey' }] }
    // eslint-disable-next-line no-control-regex
    expect(table(evil)).not.toMatch(/[\u001b\u202e]/)
    expect(table(evil)).toContain('a␛[2Jb c')
  })
})

describe('the fleet as JSON', () => {
  const json = (report: Report, jobs: readonly SqlJob[] | null = null) =>
    JSON.parse(renderTicksJson(ticksOf(report, jobs))) as ReturnType<typeof ticksOf>

  it('says the same of each tick', () => {
    const { schemaVersion, ticks } = json(fleet)
    expect(schemaVersion).toBe('1.0')
    expect(ticks[0]).toEqual({
      job: 'send-reminders',
      schedule: '*/2 * * * *',
      words: 'every other minute',
      intervalSeconds: 120,
      active: true,
      origin: 'migration',
      location: place,
      calls: [
        {
          function: 'send-reminders',
          verdict: 'race',
          overlap: 'possible',
          url: 'https://abc.supabase.co/functions/v1/send-reminders',
          via: ['public.call_edge'],
          location: first.dispatches[0]!.location,
          fanout: false,
        },
      ],
    })
    expect(ticks[1]).toMatchObject({
      origin: 'other',
      calls: [{ fanout: true, assumed: 'the job’s name "digest"' }, {}],
    })
    expect(ticks[3]).toMatchObject({ calls: [{ verdict: 'unresolved', unresolved: 'The URL is a secret' }] })
  })

  it('has the SQL jobs only where they are asked for', () => {
    expect(json(sample)).not.toHaveProperty('sqlJobs')
    expect(json(sample, [sqlJob]).sqlJobs).toMatchObject([{ job: 'vacuum', origin: 'migration', active: false }])
  })

  it('has all that could not be resolved, with what would tell', () => {
    const dispatch = {
      ...first.dispatches[0]!,
      function: null,
      location: second.location,
      unresolved: 'The URL is null',
    }
    const diagnostics = ['schedule-not-called', 'sql-set-aside'].map((code) => ({
      code,
      severity: 'info' as const,
      message: code,
    }))
    const { unresolved } = json({
      ...sample,
      functions: [],
      diagnostics,
      ticks: [{ ...first, dispatches: [dispatch] }],
    })
    expect(unresolved.map(({ code, resolvedBy }) => [code, resolvedBy])).toEqual([
      ['schedule-not-called', expect.stringContaining('--cron-job-dump')],
      ['unresolved-dispatch', expect.stringContaining('/functions/v1/NAME')],
    ])
  })
})
