import type { Rule } from '../../rules/rule.js'

/** Every rule on a line: id, severity, title. */
export function rulesText(rules: readonly Rule[]): string {
  const id = Math.max(...rules.map((rule) => rule.meta.id.length))
  const severity = Math.max(...rules.map((rule) => rule.meta.severity.length))
  return rules.map(({ meta }) => `${meta.id.padEnd(id)}  ${meta.severity.padEnd(severity)}  ${meta.title}\n`).join('')
}
