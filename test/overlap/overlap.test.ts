import { describe, expect, it } from 'vitest'
import { overlapOf, severityOf, type OverlapInput } from '../../src/overlap/index.js'

const latency = (typicalSeconds: number, worstSeconds: number) => ({ typicalSeconds, worstSeconds })
const embedding = { title: 'embedding', latency: latency(0.5, 30) }
const chat = { title: 'chat', latency: latency(8, 60) }
const mail = { title: 'mail', latency: latency(0.5, 10) }

const of = (input: Partial<OverlapInput>) =>
  overlapOf({ intervalSeconds: 60, limit: 10, assumedRows: 100, concurrency: 1, perRow: [embedding], ...input })

describe('the two stories', () => {
  it('fifty embeddings every two minutes: possible', () => {
    const overlap = of({ intervalSeconds: 120, limit: 50 })
    expect(overlap).toEqual({
      level: 'possible',
      intervalSeconds: 120,
      batch: 50,
      batchAssumed: false,
      concurrency: 1,
      perRow: [{ title: 'embedding', typicalSeconds: 0.5, worstSeconds: 30 }],
      typicalSeconds: 25,
      worstSeconds: 1500,
    })
    expect(severityOf(overlap, false)).toBe('error')
  })

  it('ten replies, each a model call and a message, every minute: expected', () => {
    const overlap = of({ perRow: [chat, mail] })
    expect(overlap).toMatchObject({ level: 'expected', typicalSeconds: 85, worstSeconds: 700 })
    expect(severityOf(overlap, false)).toBe('error')
  })
})

describe('the level', () => {
  it('counts a run as long as the interval as one that outlasts it', () => {
    expect(of({ intervalSeconds: 5 }).level).toBe('expected')
    expect(of({ intervalSeconds: 300 }).level).toBe('possible')
    expect(of({ intervalSeconds: 301 }).level).toBe('unlikely')
  })

  it('is unlikely, and loud no more than a warning, without an interval', () => {
    const overlap = of({ intervalSeconds: null, perRow: [chat] })
    expect(overlap).toMatchObject({ level: 'unlikely', typicalSeconds: 80 })
    expect(severityOf(overlap, false)).toBe('warning')
  })

  it('is never an error where only unknown hosts are written to', () => {
    expect(severityOf(of({ perRow: [chat] }), true)).toBe('warning')
  })
})

describe('the batch', () => {
  it('is assumed without a limit, and held down by the API', () => {
    expect(of({ limit: null })).toMatchObject({ batch: 100, batchAssumed: true })
    expect(of({ limit: null, maxRows: 40 })).toMatchObject({ batch: 40, batchAssumed: true })
    expect(of({ limit: 5000, maxRows: 1000 })).toMatchObject({ batch: 1000, batchAssumed: false })
    expect(of({ limit: 0 })).toMatchObject({ batch: 0, typicalSeconds: 0 })
  })
})

describe('concurrency', () => {
  it('divides the time, by no more than there are rows', () => {
    expect(of({ concurrency: 5 })).toMatchObject({ concurrency: 5, typicalSeconds: 1 })
    expect(of({ concurrency: 'all' })).toMatchObject({ concurrency: 10, typicalSeconds: 0.5 })
    expect(of({ concurrency: 50 })).toMatchObject({ concurrency: 10, typicalSeconds: 0.5 })
    expect(of({ concurrency: 0 })).toMatchObject({ concurrency: 1 })
  })
})

it('the longest run caps both sums', () => {
  expect(of({ limit: 50, perRow: [chat], maxRunSeconds: 150 })).toMatchObject({
    typicalSeconds: 150,
    worstSeconds: 150,
  })
})

it('sums are exact to the millisecond', () => {
  expect(of({ limit: 50, perRow: [{ title: 'x', latency: latency(0.3, 1.1) }] })).toMatchObject({
    typicalSeconds: 15,
    worstSeconds: 55,
  })
})
