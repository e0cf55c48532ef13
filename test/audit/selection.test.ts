import { expect, it } from 'vitest'
import { scopeOf } from '../../src/scope.js'
import { selectFindings } from '../../src/selection.js'
import { sample } from '../report/sample.js'

const all = scopeOf()
const idsOf = (findings: readonly { readonly ruleId: string }[]) => findings.map((finding) => finding.ruleId)

it('asked for nothing, everything is there as it is', () => {
  const { findings, omitted } = selectFindings(sample.findings, {}, all)
  expect(findings).toEqual(sample.findings)
  expect(omitted).toEqual([])
})

it('leaves out rules that are off, and makes others louder or quieter', () => {
  const rules = { 'effect-before-claim': 'info', 'unconditional-claim': 'off' } as const
  const { findings, omitted } = selectFindings(sample.findings, { rules }, all)
  expect(findings.map(({ ruleId, severity }) => [ruleId, severity])).toEqual([
    ['effect-before-claim', 'info'],
    ['unknown-host-effect', 'info'],
  ])
  expect(findings[0]?.fingerprint).toBe(sample.findings[0]?.fingerprint)
  expect(idsOf(omitted)).toEqual(['unconditional-claim'])
})

it('leaves out what is less certain than asked for, and what lies elsewhere', () => {
  const certain = selectFindings(sample.findings, { minConfidence: 'medium' }, all).findings
  expect(certain.some(({ confidence }) => confidence === 'low')).toBe(false)
  expect(sample.findings.some(({ confidence }) => confidence === 'low')).toBe(true)
  const file = sample.findings[0]!.location.file
  expect(idsOf(selectFindings(sample.findings, {}, scopeOf([], [file])).omitted)).toContain('effect-before-claim')
  expect(idsOf(selectFindings(sample.findings, {}, scopeOf([file])).findings)).toEqual(['effect-before-claim'])
})
