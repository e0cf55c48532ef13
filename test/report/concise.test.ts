import { expect, it } from 'vitest'
import type { Finding } from '../../src/model/index.js'
import { renderConcise } from '../../src/report/concise.js'
import { formatNames, formats } from '../../src/report/index.js'
import { sample } from './sample.js'

it('gives one line for each finding', () => {
  const lines = renderConcise(sample).split('\n')
  expect(lines).toHaveLength(sample.findings.length + 1)
  expect(lines[0]).toBe(
    'supabase/functions/send-reminders/index.ts:15:11 error effect-before-claim The Resend e-mail is sent before the row of `reminders` is taken, so two overlapping runs both send it. [send-reminders]',
  )
})

it('stays on one line whatever the message holds, and leaves out a function that is not known', () => {
  const odd: Finding = { ...(sample.findings[0] as Finding), message: 'one\r\ntwo\u001b[2J', function: null }
  const text = renderConcise({ ...sample, findings: [odd] })
  expect(text).toMatch(/one two␛\[2J\n$/)
  expect(text.match(/\n/g)).toHaveLength(1)
})

it('is empty without findings', () => {
  expect(renderConcise({ ...sample, findings: [] })).toBe('')
})

it('every format loads and renders the same report', async () => {
  for (const name of formatNames) {
    const render = await formats[name].load()
    expect(render(sample, { sources: () => null, color: false, width: 80 })).toContain('effect-before-claim')
  }
})
