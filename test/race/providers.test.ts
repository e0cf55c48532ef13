import { expect, it } from 'vitest'
import type { Answer, Call } from './postgrest.js'
import { createProviders, repeats } from './providers.js'

const HOUR = 3_600_000

const mail = (text: string, key?: string): Call => ({
  method: 'POST',
  url: new URL('https://api.resend.com/emails'),
  headers: key === undefined ? {} : { 'idempotency-key': key },
  body: JSON.stringify({ text }),
})

it('counts what is done for each row, and not what is read', () => {
  const providers = createProviders()
  providers.answer(mail('row-1'), 'A', 0)
  providers.answer(mail('row-1'), 'B', 0)
  providers.answer(mail('row-12'), 'A', 0)
  providers.answer({ ...mail('row-1'), method: 'GET' }, 'A', 0)
  expect([...repeats(providers.effects)]).toEqual([['row-1 at api.resend.com/emails', 1]])
})

it('finds the row in a form and in an address', () => {
  const providers = createProviders()
  providers.answer({ ...mail(''), body: 'To=%2B49&Body=row-3' }, 'A', 0)
  providers.answer({ ...mail(''), url: new URL('https://x.example/send?to=row%2D4') }, 'A', 0)
  providers.answer(mail('100 % sure'), 'A', 0)
  expect(providers.effects.map((effect) => effect.row)).toEqual(['row-3', 'row-4', 'no row'])
})

it('answers a known key for 24 hours with the first answer, and refuses it with another content', () => {
  const providers = createProviders()
  const send = (text: string, at: number): Answer => providers.answer(mail(text, 'k'), 'A', at)
  const first = send('row-1', 0)
  expect(send('row-1', 24 * HOUR - 1)).toEqual(first)
  expect(send('row-1 again', HOUR)).toMatchObject({ status: 409 })
  expect([providers.effects.length, providers.replays.length, providers.refused.length]).toEqual([1, 1, 1])
  send('row-1', 24 * HOUR)
  expect(providers.effects).toHaveLength(2)
})

it('fails before or after the work', () => {
  const providers = createProviders()
  providers.fault = () => 'before'
  expect(providers.answer(mail('row-1', 'k'), 'A', 0).status).toBe(500)
  expect(providers.effects).toHaveLength(0)
  providers.fault = () => 'after'
  expect(providers.answer(mail('row-1', 'k'), 'A', 0).status).toBe(500)
  expect(providers.effects).toHaveLength(1)
  expect(providers.answer(mail('row-1', 'k'), 'A', 0).status).toBe(200)
  expect(providers.effects).toHaveLength(1)
})
