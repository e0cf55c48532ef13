import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Report } from '../../src/model/index.js'
import { renderHtml } from '../../src/report/html.js'
import { hostile, PAYLOAD } from './hostile.js'
import { sample, sampleSources } from './sample.js'

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
/** In CI a browser must be there; elsewhere its absence is told and the tests are skipped. */
const absent = !existsSync(CHROMIUM) && process.env['CI'] !== 'true'
const reason = `skipped: there is no ${CHROMIUM} (apt-get install chromium)`
if (absent) console.warn(`The HTML report in a browser: ${reason}`)
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const [reminders, digest] = sample.ticks as [Report['ticks'][number], Report['ticks'][number]]
const fleet: Report = {
  ...sample,
  ticks: [digest, { ...reminders, name: 'off', active: false, intervalSeconds: 60 }, reminders],
}

describe.skipIf(absent)(absent ? `in a browser (${reason})` : 'in a browser', () => {
  let browser: Browser
  const folder = mkdtempSync(join(tmpdir(), 'tick-audit-html-'))
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Opens a report, and notes every request and everything that the page complains about. */
  async function open(
    report: Report,
    options: BrowserContextOptions = {},
    sources: (file: string) => string | null = sampleSources,
  ): Promise<{ page: Page; requests: string[]; complaints: string[] }> {
    const file = join(folder, 'report.html')
    writeFileSync(file, renderHtml(report, { sources }))
    const page = await (await browser.newContext(options)).newPage()
    const requests: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('dialog', (dialog) => complaints.push(dialog.message()))
    await page.goto(pathToFileURL(file).href)
    return { page, requests, complaints }
  }

  const openAll = (page: Page): Promise<unknown> =>
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")

  const firstColumn = (page: Page): Promise<string[]> =>
    page
      .locator('#fleet-table tbody tr:visible th > div')
      .evaluateAll((cells) => cells.map((cell) => cell.firstChild?.textContent ?? ''))

  it('shows the fleet and the findings, and fetches nothing but itself', async () => {
    const { page, requests, complaints } = await open(fleet)
    expect(requests).toHaveLength(1)
    expect(complaints).toEqual([])
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('2 functions can do the same work twice')
    const table = page.getByRole('table', { name: /3|2 ticks|ticks and what they call/ })
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      'Tick',
      'Schedule',
      'Function',
      'Verdict',
      'Overlap',
    ])
    expect(await firstColumn(page)).toEqual(['digest', 'off', 'send-reminders', 'no tick of its own'])
    const row = table.getByRole('row', { name: /^send-reminders/ })
    expect(await row.textContent()).toContain('every 2 minutes')
    await row.getByRole('link', { name: 'finding 1' }).click()
    expect(page.url()).toMatch(/#finding-1$/)
    expect(await page.getByRole('article').count()).toBe(3)
    expect(await page.locator('body > header, body > main, body > footer').count()).toBe(3)
    await page.context().close()
  })

  it('draws the two runs to scale, from the numbers of the finding', async () => {
    const { page } = await open(sample)
    const picture = page.locator('#finding-1').getByRole('img')
    expect(await picture.getAttribute('aria-labelledby')).toBe('finding-1-title')
    expect(await page.getByRole('img', { name: 'Two runs over 25 min: 46 of 50 rows worked on by both' }).count()).toBe(
      1,
    )
    expect(await page.locator('#finding-1-story li').allTextContents()).toHaveLength(5)
    const boxes = await picture.evaluate((svg) => {
      const all = [...svg.querySelectorAll('rect.cell')].map((rect) => ({
        state: rect.getAttribute('class') ?? '',
        box: rect.getBoundingClientRect(),
      }))
      const { left, width } = svg.getBoundingClientRect()
      return all.map(({ state, box }) => ({
        state: state.replace('cell ', ''),
        top: Math.round(box.top),
        start: (box.left - left) / width,
        end: (box.right - left) / width,
      }))
    })
    const lanes = [...new Set(boxes.map((box) => box.top))]
    expect(lanes).toHaveLength(2)
    const [a = [], b = []] = lanes.map((top) => boxes.filter((box) => box.top === top))
    expect(a.map((box) => box.state)).toEqual([...Array<string>(4).fill('once'), ...Array<string>(46).fill('twice')])
    expect(b.map((box) => box.state)).toEqual(Array<string>(46).fill('twice'))
    expect(b[0]?.start).toBeCloseTo(120 / 1500, 2)
    expect(a.at(-1)?.end).toBeCloseTo(1, 2)
    await page.context().close()
  })

  it('sorts by keyboard, and says so', async () => {
    const { page } = await open(fleet)
    const head = (name: string) => page.getByRole('columnheader', { name })
    await head('Schedule').getByRole('button').focus()
    await page.keyboard.press('Enter')
    expect(await head('Schedule').getAttribute('aria-sort')).toBe('ascending')
    expect(await firstColumn(page)).toEqual(['off', 'send-reminders', 'digest', 'no tick of its own'])
    expect(await page.getByRole('status').textContent()).toBe('Sorted by schedule, ascending.')
    await page.keyboard.press('Space')
    expect(await head('Schedule').getAttribute('aria-sort')).toBe('descending')
    expect(await firstColumn(page)).toEqual(['no tick of its own', 'digest', 'send-reminders', 'off'])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await head('Function').getAttribute('aria-sort')).toBe('ascending')
    expect(await head('Schedule').getAttribute('aria-sort')).toBeNull()
    expect(
      await page.evaluate('parseFloat(getComputedStyle(document.activeElement).outlineWidth)'),
    ).toBeGreaterThanOrEqual(2)
    await page.context().close()
  })

  it('filters by verdict with the keyboard, and says how many are left', async () => {
    const { page } = await open(fleet)
    const group = page.getByRole('group', { name: 'Show' })
    expect(await group.getByRole('checkbox').count()).toBe(3)
    await group.getByRole('checkbox', { name: 'race (2)' }).focus()
    await page.keyboard.press('Space')
    expect(await firstColumn(page)).toEqual(['off', 'no tick of its own'])
    expect(await page.getByRole('status').textContent()).toBe('2 of 4 rows shown.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await firstColumn(page)).toEqual(['off'])
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Space')
    expect(await firstColumn(page)).toHaveLength(4)
    await page.context().close()
  })

  it('can be reached from the first Tab on: past the head, and into the steps of a finding', async () => {
    const { page } = await open(sample)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the report')
    const summary = page.locator('#finding-1 summary')
    await summary.focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('#finding-1 .trace > li').first().isVisible()).toBe(true)
    expect(await page.locator('#finding-1 .trace mark').first().isVisible()).toBe(true)
    await page.context().close()
  })

  it('reads without script', async () => {
    const { page } = await open(fleet, { javaScriptEnabled: false })
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await page.getByRole('row').count()).toBe(5)
    expect(await page.locator('#finding-1-story').isVisible()).toBe(true)
    await page.context().close()
  })

  it('takes names, SQL and code for text, whatever they hold', async () => {
    const sources = (file: string): string | null =>
      sampleSources(file.split('<')[0] ?? '')?.replaceAll('await ', `await /* ${PAYLOAD} */ `) ?? null
    const { page, requests, complaints } = await open(hostile, {}, sources)
    await openAll(page)
    expect(await page.evaluate("'pwned' in window")).toBe(false)
    expect(await page.locator('img, iframe, object, embed, link, body script:not(:last-child)').count()).toBe(0)
    expect(await page.evaluate('document.scripts.length')).toBe(1)
    expect(await page.locator('#fleet-table tbody').textContent()).toContain('<script>window.pwned=1</script>')
    expect(await page.evaluate('document.title')).toBe('tick-audit: 2 functions can do the same work twice')
    expect(requests).toHaveLength(1)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('would not run a script even if one got in, nor fetch anything', async () => {
    const { page, complaints } = await open(sample)
    const failed: string[] = []
    page.on('requestfailed', (request) => failed.push(`${request.url()} ${request.failure()?.errorText}`))
    await page.evaluate(`
      const script = document.createElement('script')
      script.textContent = 'window.pwned = 1'
      const image = document.createElement('img')
      image.src = 'https://evil.example/x'
      image.setAttribute('onerror', 'window.pwned = 1')
      document.body.append(script, image)
    `)
    await expect
      .poll(() => complaints.filter((text) => text.includes('Content Security Policy')).length)
      .toBeGreaterThanOrEqual(2)
    expect(await page.evaluate("'pwned' in window")).toBe(false)
    expect(failed).toEqual(['https://evil.example/x csp'])
    await page.context().close()
  })

  it.each(['light', 'dark'] as const)('has a %s look', async (colorScheme) => {
    const { page } = await open(sample, { colorScheme })
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(ground).toBe(colorScheme === 'light' ? 'rgb(244, 245, 247)' : 'rgb(14, 17, 22)')
    await page.context().close()
  })

  it.each([320, 390, 1200])('fits a width of %d, also with long names, and stays a table', async (width) => {
    const { page } = await open(hostile, { viewport: { width, height: 800 } })
    await openAll(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    expect(await page.getByRole('table').getByRole('row').count()).toBe(4)
    expect(await page.getByRole('columnheader', { name: 'Verdict' }).getByRole('button').isVisible()).toBe(true)
    const small = await page
      .locator('.timeline text')
      .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().height < 10).length)
    expect(small).toBe(0)
    await page.context().close()
  })
})
