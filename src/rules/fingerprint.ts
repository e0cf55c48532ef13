import { createHash } from 'node:crypto'
import type { Finding } from '../model/index.js'
import { tableName } from './facts.js'

/** What a finding is about, as far as it stays the same when code moves, is reworded or is scheduled anew. */
export type FingerprintParts = Pick<Finding, 'ruleId' | 'function' | 'effects' | 'table'>

/**
 * The name of a finding for baselines: 32 hex digits of a SHA-256 over rule, function, effects and table. No line, column,
 * message or schedule goes in, so that a finding keeps its name when the code around it moves.
 */
export function fingerprint({ ruleId, function: name, effects, table }: FingerprintParts): string {
  const calls = effects.map(({ provider, title }) => `${provider}/${title}`).sort()
  return digest(JSON.stringify([ruleId, name, calls, table === null ? null : tableName(table)]))
}

/** Findings that would have one name get their ordinal among equals into it; the first keeps it. In the order given. */
export function numbered(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Map<string, number>()
  return findings.map((finding) => {
    const ordinal = seen.get(finding.fingerprint) ?? 0
    seen.set(finding.fingerprint, ordinal + 1)
    return ordinal === 0 ? finding : { ...finding, fingerprint: digest(`${finding.fingerprint}#${ordinal}`) }
  })
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
