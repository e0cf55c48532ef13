import type { ReportingDescriptor } from 'sarif'
import type { RuleDescription } from '../rule-description.js'
import { fenced } from '../markdown/escape.js'
import { LEVEL } from './places.js'

/** GitHub cuts descriptions there (GitHub docs, SARIF support for code scanning). */
const LONGEST = 1024

/** All rules as descriptors, in the order of the tool; a rule that only the findings name follows with its id alone. */
export function ruleDescriptors(rules: readonly RuleDescription[], found: readonly string[]): ReportingDescriptor[] {
  const known = new Set(rules.map((rule) => rule.id))
  const others = [...new Set(found)].filter((id) => !known.has(id)).sort()
  return [...rules.map(descriptorOf), ...others.map((id) => ({ id, shortDescription: { text: id } }))]
}

function descriptorOf(rule: RuleDescription): ReportingDescriptor {
  return {
    id: rule.id,
    name: pascalCase(rule.id),
    shortDescription: { text: rule.title.slice(0, LONGEST) },
    fullDescription: { text: rule.what.slice(0, LONGEST) },
    help: { text: helpText(rule), markdown: helpMarkdown(rule) },
    defaultConfiguration: { level: LEVEL[rule.severity] },
    properties: {
      tags: ['concurrency', 'correctness', 'pg_cron', 'supabase'],
      'problem.severity': rule.severity === 'info' ? 'recommendation' : rule.severity,
    },
  }
}

/** A rule's name is for people and for tools that show names alone (SARIF 2.1.0, 3.49.7: in pascal case, say). */
function pascalCase(id: string): string {
  return id
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

function helpText(rule: RuleDescription): string {
  return [rule.what, rule.why, `Do this: ${rule.fix}`].join('\n\n')
}

function helpMarkdown(rule: RuleDescription): string {
  const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')
  return [
    `# ${rule.title}`,
    rule.what,
    '## Why it is a race',
    rule.why,
    ...(rule.example === '' ? [] : ['## For example', fenced(rule.example, languageOf(rule.example))]),
    '## Do this',
    rule.fix,
    ...(rule.sound === '' ? [] : ['The same, made sound:', fenced(rule.sound, languageOf(rule.sound))]),
    ...(rule.falsePositives.length === 0 ? [] : ['## Where it can be wrong', list(rule.falsePositives)]),
    ...(rule.references.length === 0 ? [] : ['## References', list(rule.references)]),
  ].join('\n\n')
}

/** Rules that speak of SQL show SQL. */
function languageOf(code: string): 'sql' | 'ts' {
  return /^\s*(--|(select|create|update|insert|with|do)\b)/i.test(code) ? 'sql' : 'ts'
}
