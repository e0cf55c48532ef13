import { indent, wrap, wrapBehind } from '../../report/text/layout.js'
import type { Rule } from '../../rules/rule.js'
import { didYouMean } from '../../closest.js'
import { UsageError } from '../usage-error.js'

const WIDTH = 90

/** All that a rule says of itself. Throws a UsageError where there is no such rule. */
export function explainText(id: string, rules: readonly Rule[]): string {
  const meta = rules.find((rule) => rule.meta.id === id)?.meta
  if (!meta) {
    const ids = rules.map((rule) => rule.meta.id)
    throw new UsageError(`there is no rule "${id}".${didYouMean(id, ids)} tick-audit rules lists them all.`)
  }
  const prose = (text: string): string[] => indent(wrap(text, WIDTH - 2), 2)
  const code = (text: string): string[] => indent(text.trimEnd().split('\n'), 4)
  const items = (texts: readonly string[]): string[] =>
    indent(
      texts.flatMap((text) => wrapBehind('- ', text, WIDTH - 2)),
      2,
    )
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['What it finds', prose(meta.what)],
    ['Why it is a race', prose(meta.why)],
    ['For example', code(meta.example)],
    ['Do this', prose(meta.fix)],
    ['The same, made sound', code(meta.sound)],
    ['Where it can be wrong', items(meta.falsePositives)],
    ['References', items(meta.references)],
  ]
  const sections = parts.filter(([, lines]) => lines.length > 0).map(([title, lines]) => [title, ...lines].join('\n'))
  return `${meta.id} (${meta.severity})\n${wrap(meta.title, WIDTH).join('\n')}\n\n${sections.join('\n\n')}\n`
}
