import { describe, expect, it } from 'vitest'
import type { Finding, Report } from '../../src/model/index.js'
import { renderMarkdown, stepSummary } from '../../src/report/markdown.js'
import { cell, code, fenced, prose } from '../../src/report/markdown/escape.js'
import { hostile, PAYLOAD } from './hostile.js'
import { sample, sampleSources } from './sample.js'

const context = { sources: sampleSources }
const many: Report = {
  ...sample,
  findings: Array.from({ length: 400 }, (_, index) => ({
    ...(sample.findings[index % 3] as Finding),
    table: `t${index}`,
  })),
}

/** What is left of a document without its code, where nothing means anything; read from left to right, as CommonMark 6.1 does. */
function withoutCode(text: string): string {
  const prose = text.replace(/^(`{3,})[^`\n]*\n[^]*?\n\1$/gm, '')
  let rest = ''
  for (let at = 0; at < prose.length;) {
    const run = /^`+/.exec(prose.slice(at))?.[0]
    const length = run === undefined ? (prose[at] === '\\' ? 2 : 1) : spanLength(prose.slice(at), run)
    if (run === undefined) rest += prose.slice(at, at + length)
    at += length
  }
  return rest
}

/** A code span ends with the next run of as many backticks; where there is none, the run is text. */
function spanLength(text: string, run: string): number {
  const end = new RegExp(`(?<!\`)${run}(?!\`)`, 'g')
  end.lastIndex = run.length
  const found = end.exec(text)
  return found === null ? run.length : found.index + run.length
}

describe('renderMarkdown', () => {
  it('prints the sample as the golden file has it', async () => {
    await expect(renderMarkdown(sample, context)).toMatchFileSnapshot('sample.markdown.txt')
  })

  it('begins with a line by which a job finds its comment again; the step summary has none', () => {
    expect(renderMarkdown(sample, context).split('\n')[0]).toBe('<!-- tick-audit -->')
    expect(stepSummary(sample).split('\n')[0]).toBe(
      '## tick-audit: 3 findings: 1 error, 1 warning, 1 info (1 suppressed)',
    )
  })

  it('tells the worst first, each finding folded, with code, trace, sum and fix', () => {
    const text = renderMarkdown(sample, context)
    const order = ['1. 🔴 error', '2. 🟡 warning', '3. 🔵 info'].map((part) => text.indexOf(part))
    expect(order).not.toContain(-1)
    expect(order).toEqual([...order].sort((left, right) => left - right))
    for (const part of [
      '^^^^',
      '1. **schedule**',
      '50 rows × 0.5–30 s',
      'Per row: Resend e-mail',
      '```ts\nconst { data: claimed }',
    ])
      expect(text).toContain(part)
    expect(text.match(/<details>/g)).toHaveLength(5)
    expect(text.match(/<\/details>/g)).toHaveLength(5)
  })

  it('says what could not be analysed, and never calls such a run clean', () => {
    const text = renderMarkdown(
      { ...sample, findings: [], summary: { ...sample.summary, bySeverity: { error: 0, warning: 0, info: 0 } } },
      context,
    )
    expect(text).toContain('no findings, but not everything could be decided')
    expect(text).toContain('Not analysed: 2 places')
    expect(text).toContain('`sql-not-parsed`')
    expect(text).toContain('Function `track-event` could not be decided: its source is not in supabase/functions')
  })

  it('lists suppressed findings when asked', () => {
    expect(renderMarkdown(sample, context)).not.toContain('refuses a second message')
    expect(renderMarkdown(sample, { ...context, showSuppressed: true })).toContain('refuses a second message')
  })

  it('never grows past what a comment holds, and counts what did not fit', () => {
    const text = renderMarkdown(many, context)
    expect(text.length).toBeLessThan(65_536)
    expect(text).toMatch(/_\d+ more findings did not fit here/)
    expect(text).toContain('Not analysed')
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length)
    expect(Buffer.byteLength(stepSummary(many))).toBeLessThan(1024 * 1024)
    expect(stepSummary(many).length).toBeGreaterThan(text.length)
  })

  it('lets nothing of the project become a tag, a link, a picture or a mention', () => {
    const rest = withoutCode(renderMarkdown(hostile, context))
    expect(rest).not.toMatch(/(?<!\\)<(?!\/?(details|summary|sub|b|code)>|!-- (tick-audit )?-->)/)
    // Within a block of HTML, which a summary is, Markdown has no links (CommonMark 4.6).
    expect(rest.replace(/^<summary>.*$/gm, '')).not.toMatch(/(?<!\\)\[[^\]]*(?<!\\)\]\(/)
    expect(rest).not.toMatch(/@(?!<!-- -->)\w/)
    const rows = renderMarkdown(hostile, context)
      .split('\n')
      .filter((line) => line.startsWith('| 🔴 error'))
    expect(rows[0]?.split(/(?<!\\)\|/)).toHaveLength(6)
  })
})

describe('escapes of Markdown', () => {
  it('quotes code with a fence that it does not hold', () => {
    expect(code('plain')).toBe('`plain`')
    expect(code('a`b')).toBe('``a`b``')
    expect(code('`a`')).toBe('`` `a` ``')
    expect(fenced('a\n```\nb', 'ts')).toBe('````ts\na\n```\nb\n````')
  })

  it('keeps prose as it reads', () => {
    expect(prose('rows of `jobs` where a < b_c')).toBe('rows of `jobs` where a \\< b\\_c')
    expect(prose('# no heading')).toBe('\\# no heading')
    expect(prose('1. no list')).toBe('1\\. no list')
    expect(prose('- no list')).toBe('\\- no list')
    expect(prose('ask @somebody')).toBe('ask @<!-- -->somebody')
  })

  it('keeps a cell of a table in one', () => {
    expect(cell(code('a|b'))).toBe('`a\\|b`')
    expect(cell(prose('a|b'))).toBe('a\\|b')
    expect(cell(prose(PAYLOAD))).not.toContain('\n')
  })
})
