import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/model/index.js'
import { renderGithub } from '../../src/report/github.js'
import { hostile } from './hostile.js'
import { sample } from './sample.js'

interface Command {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  readonly data: string
}

/** What the runner takes a line for, by its own rules (actions/runner, ActionCommand.cs): a command or a line of the log. */
function commandOf(line: string): Command | null {
  const match = /^\s*::([^\s:]+)(?: ([^]*?))?::([^]*)$/.exec(line)
  if (!match) return /##\[[^\]]+\]/.test(line) ? { name: '##', properties: {}, data: line } : null
  const properties = (match[2] ?? '').split(',').map((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return [
      name,
      value
        .replaceAll('%0D', '\r')
        .replaceAll('%0A', '\n')
        .replaceAll('%3A', ':')
        .replaceAll('%2C', ',')
        .replaceAll('%25', '%'),
    ]
  })
  const data = (match[3] ?? '').replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
  return { name: match[1] ?? '', properties: Object.fromEntries(properties) as Record<string, string>, data }
}

const commandsIn = (text: string): Command[] => text.split('\n').flatMap((line) => commandOf(line) ?? [])
const many = (number: number): Finding[] =>
  Array.from({ length: number }, (_, index) => ({
    ...(sample.findings[index % 3] as Finding),
    fingerprint: `f${index}`,
  }))

describe('renderGithub', () => {
  it('prints the sample as the golden file has it', async () => {
    await expect(renderGithub(sample)).toMatchFileSnapshot('sample.github.txt')
  })

  it('gives an annotation for each finding, the worst first, with the place in properties and in the text', () => {
    const commands = commandsIn(renderGithub(sample))
    expect(commands.map((command) => command.name)).toEqual(['error', 'warning', 'notice'])
    expect(commands[0]?.properties).toEqual({
      file: 'supabase/functions/send-reminders/index.ts',
      line: '15',
      col: '11',
      endLine: '15',
      endColumn: '30',
      title: 'tick-audit effect-before-claim',
    })
    expect(commands[0]?.data).toContain('supabase/functions/send-reminders/index.ts:15:11 error effect-before-claim: ')
  })

  it('gives columns only where a place is on one line, as the runner wants it', () => {
    const long = {
      ...(sample.findings[0] as Finding),
      location: { ...(sample.findings[0] as Finding).location, endLine: 18 },
    }
    expect(Object.keys(commandsIn(renderGithub({ ...sample, findings: [long] }))[0]?.properties ?? {})).toEqual([
      'file',
      'line',
      'endLine',
      'title',
    ])
  })

  it('escapes percent signs and line ends, and colons and commas in properties', () => {
    const odd: Finding = {
      ...(sample.findings[0] as Finding),
      message: '100% of it',
      ruleId: 'a:b,c%d',
      location: { ...(sample.findings[0] as Finding).location, file: 'a,b:c%d.ts' },
    }
    const [line = ''] = renderGithub({ ...sample, findings: [odd] }).split('\n')
    expect(line).toContain('file=a%2Cb%3Ac%25d.ts,')
    expect(line).toContain('title=tick-audit a%3Ab%2Cc%25d::')
    expect(line).toContain('100%25 of it')
    expect(commandOf(line)?.properties['file']).toBe('a,b:c%d.ts')
    expect(commandOf(line)?.data.split('\n').length).toBeGreaterThan(1)
  })

  it('shows ten annotations, then the rest in the log, then the totals', () => {
    const lines = renderGithub({ ...sample, findings: many(14) })
      .trimEnd()
      .split('\n')
    expect(commandsIn(lines.join('\n'))).toHaveLength(10)
    expect(lines).toHaveLength(16)
    expect(lines.slice(0, 10).every((line) => line.startsWith('::'))).toBe(true)
    expect(lines[14]).toBe(
      'tick-audit: 3 findings: 1 error, 1 warning, 1 info (4 more findings in the log only, 1 suppressed)',
    )
    expect(lines[15]).toContain('not everything was analysed: 1 function could not be decided')
  })

  it('lets nothing in the report become a command of its own', () => {
    const evil = many(12).map((finding) => ({
      ...finding,
      location: { ...finding.location, file: '::add-mask::x' },
      message: '\n::set-output name=a::b ##[add-mask]x',
      function: '##[error]',
    }))
    const commands = commandsIn(renderGithub({ ...sample, findings: evil }))
    expect(commands.map((command) => command.name)).toEqual([
      ...Array(4).fill('error'),
      ...Array(4).fill('warning'),
      'notice',
      'notice',
    ])
    expect(commandsIn(renderGithub(hostile)).map((command) => command.name)).toEqual(['error', 'warning', 'notice'])
  })

  it('says that there are no findings', () => {
    const clean = {
      ...sample,
      findings: [],
      summary: { ...sample.summary, bySeverity: { error: 0, warning: 0, info: 0 }, suppressed: 0 },
      coverage: { ...sample.coverage, statementsFailed: 0, functionsUnknown: 0 },
    }
    expect(renderGithub(clean)).toBe('tick-audit: no findings\n')
  })
})
