import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { renderGitlab } from '../../src/report/gitlab.js'
import { hostile } from './hostile.js'
import { sample } from './sample.js'

/** What GitLab's documentation asks of a Code Quality report ("Code Quality report format"). */
const FORMAT = {
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', pattern: '^(?!\\./|/)' },
          lines: {
            type: 'object',
            required: ['begin'],
            properties: { begin: { type: 'integer', minimum: 1 }, end: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
  },
}

const valid = new Ajv2020.default().compile(FORMAT)

describe('renderGitlab', () => {
  it('prints the sample as the golden file has it', async () => {
    await expect(renderGitlab(sample)).toMatchFileSnapshot('sample.gitlab.txt')
  })

  it.each([
    ['the sample', sample],
    ['a hostile report', hostile],
    ['no findings', { ...sample, findings: [] }],
  ])('has what GitLab asks for: %s', (_, report) => {
    const issues: unknown = JSON.parse(renderGitlab(report))
    expect(valid(issues), JSON.stringify(valid.errors)).toBe(true)
    expect(issues).toHaveLength(report.findings.length)
  })

  it('has one issue for each finding under the finding’s own fingerprint, the worst first', () => {
    const issues = JSON.parse(renderGitlab(sample)) as { fingerprint: string; severity: string }[]
    expect(issues.map(({ severity }) => severity)).toEqual(['critical', 'minor', 'info'])
    expect(new Set(issues.map(({ fingerprint }) => fingerprint))).toEqual(
      new Set(sample.findings.map(({ fingerprint }) => fingerprint)),
    )
  })
})
