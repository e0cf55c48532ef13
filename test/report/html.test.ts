import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Report } from '../../src/model/index.js'
import { emptyReport } from '../../src/report/empty.js'
import { renderHtml } from '../../src/report/html.js'
import { codeFrames } from '../../src/report/html/code.js'
import { escaped, markup, prose } from '../../src/report/html/markup.js'
import { SCRIPT } from '../../src/report/html/script.js'
import { STYLE } from '../../src/report/html/style.js'
import { hostile, PAYLOAD } from './hostile.js'
import { at, sample, sampleSources } from './sample.js'

const context = { sources: sampleSources }
const page = renderHtml(sample, context)
const SEND = 'supabase/functions/send-reminders/index.ts'

describe('renderHtml', () => {
  it('prints the sample as the golden file has it', async () => {
    await expect(page).toMatchFileSnapshot('sample.html.txt')
  })

  it('lets only its own script and style run, by their hashes, and fetches nothing', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]?.replaceAll('&#39;', "'")
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    const [style, script] = [/<style>([^]*?)<\/style>/, /<script>([^]*?)<\/script>/].map(
      (tag) => tag.exec(page)?.[1] ?? '',
    )
    expect(policy).toBe(
      `default-src 'none'; script-src ${hash(script ?? '')}; style-src ${hash(style ?? '')}; base-uri 'none'; form-action 'none'`,
    )
    expect(page).not.toMatch(/\s(src|href|action|data|poster|xlink:href)="(?!#)/)
    expect(page).not.toMatch(/@import|url\((?!#)|\sstyle="|\son\w+="/)
  })

  it('escapes everything that comes from the project', () => {
    const poisoned = renderHtml(hostile, {
      sources: (file) =>
        sampleSources(file.slice(0, file.indexOf('<')))?.replace('await resend', `${PAYLOAD} await resend`) ?? null,
    })
    const tags = (text: string): string[] =>
      [...new Set([...text.matchAll(/<(\/?[a-z][\w-]*)/gi)].map((tag) => tag[1] ?? ''))].sort()
    expect(tags(poisoned)).toEqual(tags(page))
    expect(poisoned.match(/<script/g)).toHaveLength(1)
    expect(poisoned).not.toContain('<img')
    expect(poisoned).toContain('&lt;script&gt;window.pwned=1&lt;/script&gt;')
    for (const [, attributes = ''] of poisoned.matchAll(/<[a-z][\w-]*((?: [\w:-]+(?:="[^"<>]*")?)*)>/g))
      expect(attributes.replace(/"[^"]*"/g, '""')).not.toMatch(/ (on\w+|style|src)=/)
  })

  it('has one heading of the first rank, none skipped, and every id once', () => {
    const ranks = [...page.matchAll(/<h([1-6])/g)].map((heading) => Number(heading[1]))
    expect(ranks.filter((rank) => rank === 1)).toHaveLength(1)
    ranks.forEach((rank, index) => expect(rank - (ranks[index - 1] ?? 0)).toBeLessThanOrEqual(1))
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((id) => id[1])
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, list = ''] of page.matchAll(/ aria-(?:labelledby|describedby)="([^"]+)"/g))
      for (const id of list.split(' ')) expect(ids).toContain(id)
    for (const [, id] of page.matchAll(/ href="#([^"]+)"/g)) expect(ids).toContain(id)
  })

  it('says what was not audited, and never calls such a run clean', () => {
    const none: Report = {
      ...sample,
      findings: [],
      summary: {
        ...sample.summary,
        bySeverity: { error: 0, warning: 0, info: 0 },
        byVerdict: { race: 0, safe: 2, broadcast: 0, 'no-row-work': 0, unknown: 1 },
      },
    }
    expect(renderHtml(none, context)).toContain('<h1>No findings, but not everything could be decided</h1>')
    const complete = { ...none, coverage: { ...none.coverage, functionsUnknown: 0, statementsFailed: 0 } }
    expect(renderHtml(complete, context)).toContain('<h1>No findings</h1>')
    const empty = renderHtml(emptyReport('1', { code: 'x', severity: 'warning', message: 'No project here.' }), context)
    expect(empty).toContain('<h1>Nothing was audited</h1>')
    expect(empty).toContain('No project here.')
  })

  it('shows a tick that is off, one that leads nowhere known and one that leads elsewhere', () => {
    const ticks = (['off', 'lost', 'else'] as const).map((name) => ({
      ...sample.ticks[0]!,
      name,
      active: name !== 'off',
      dispatches: sample.ticks[0]!.dispatches.map((dispatch) => ({
        ...dispatch,
        ...(name === 'off' ? {} : { function: null, url: 'https://x.example/…' }),
        ...(name === 'lost' ? { unresolved: 'the vault has it' } : {}),
      })),
    }))
    const text = renderHtml({ ...sample, ticks }, context)
    for (const state of ['inactive', 'unresolved', 'elsewhere']) expect(text).toContain(`data-state="${state}"`)
    expect(text).toContain('the vault has it')
  })

  it('stands numbers that a saved report may hold', () => {
    for (const intervalSeconds of [0, -1, 1e-9, 1e300]) {
      const findings = sample.findings.map((each) => ({
        ...each,
        overlap: each.overlap && { ...each.overlap, intervalSeconds },
      }))
      expect(renderHtml({ ...sample, findings }, context).length).toBeLessThan(200_000)
    }
  })
})

describe('colours', () => {
  /** Relative luminance and contrast (WCAG 2.2). */
  const luminance = (hex: string): number => {
    const [r, g, b] = [1, 3, 5].map((start) => {
      const value = parseInt(hex.slice(start, start + 2), 16) / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    }) as [number, number, number]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (one: string, other: string): number => {
    const [high, low] = [luminance(one), luminance(other)].sort((left, right) => right - left) as [number, number]
    return (high + 0.05) / (low + 0.05)
  }
  const [light = '', dark = ''] = [...STYLE.matchAll(/:root \{([^}]*)\}/g)].map((block) => block[1] ?? '')

  it.each([
    ['light', light],
    ['dark', dark],
  ])('can be read: %s', (_, block) => {
    const colour = Object.fromEntries(
      [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map((found) => [found[1], found[2]]),
    ) as Record<string, string>
    const of = (name: string): string => colour[name] ?? `no colour ${name}`
    const text: [string, string][] = [
      ...['ink', 'soft', 'link', 'red'].flatMap((name) =>
        ['ground', 'surface', 'raised'].map((under): [string, string] => [name, under]),
      ),
      ...['red', 'amber', 'green', 'blue', 'grey'].map((name): [string, string] => [name, `${name}-soft`]),
      ['amber', 'surface'],
      ['green', 'surface'],
      ['blue', 'surface'],
      ['mark-ink', 'mark'],
    ]
    for (const [name, under] of text)
      expect(contrast(of(name), of(under)), `${name} on ${under}`).toBeGreaterThanOrEqual(4.5)
    // Shapes that mean something (WCAG 1.4.11); the two kinds of row also differ by their hatching.
    for (const [name, under] of [
      ['red', 'raised'],
      ['focus', 'ground'],
      ['red', 'once'],
    ] as const)
      expect(contrast(of(name), of(under)), `${name} on ${under}`).toBeGreaterThanOrEqual(
        name === 'red' && under === 'once' ? 1.5 : 3,
      )
  })
})

describe('markup', () => {
  it('escapes strings, and takes only markup as it is', () => {
    expect(markup`<a href="${'"x" & <y>'}">${"it's"}${null}${3}${[markup`<b>`, markup`</b>`]}</a>`.markup).toBe(
      '<a href="&quot;x&quot; &amp; &lt;y&gt;">it&#39;s3<b></b></a>',
    )
    expect(prose('a `<b>` c').markup).toBe('a <code>&lt;b&gt;</code> c')
    expect(escaped('plain')).toBe('plain')
  })

  it('holds a script that never writes markup', () => {
    expect(SCRIPT).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|Function\(|fetch|XMLHttpRequest/,
    )
  })
})

describe('codeFrames', () => {
  const frame = codeFrames(sampleSources)
  const plain = (text: string): string => text.replace(/<\/?(?:pre|code|span)[^>]*>/g, '').trimEnd()

  it('marks the place, with the line before it, and takes the common indentation off', () => {
    expect(plain(frame(at(SEND, 'resend.emails.send('))?.markup ?? '')).toBe(
      `for (const reminder of due ?? []) {
  await <mark>resend.emails.send(</mark>{ from: &#39;a@example.com&#39;, to: reminder.email, subject: &#39;Your appointment tomorrow&#39;, text: &#39;See you!&#39; })`,
    )
  })

  it('marks a place of several lines', () => {
    const location = at(SEND, "supabase\n    .from('reminders')\n    .select('id, email')")
    expect(plain(frame(location)?.markup ?? '')).toBe(
      `const { data: due } = await <mark>supabase</mark>
  <mark>.from(&#39;reminders&#39;)</mark>
  <mark>.select(&#39;id, email&#39;)</mark>`,
    )
  })

  it('cuts a line that is too long around the place', () => {
    const long = `${'a'.repeat(5000)}HERE${'b'.repeat(5000)}`
    const text =
      codeFrames(() => long)({ file: 'x', startLine: 1, startColumn: 5001, endLine: 1, endColumn: 5005 })?.markup ?? ''
    expect(text).toContain('a<mark>HERE</mark>b')
    expect(text.length).toBeLessThan(500)
  })

  it('shows nothing where the text is not there', () => {
    expect(frame({ file: 'none', startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 })).toBeNull()
    expect(frame({ file: SEND, startLine: 999, startColumn: 1, endLine: 999, endColumn: 2 })).toBeNull()
  })
})
