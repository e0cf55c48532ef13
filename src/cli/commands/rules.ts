import { Option, type Command } from 'commander'
import type { Rule } from '../../rules/rule.js'
import { outputsOf, parseOutput, writeOutput, type Output } from '../outputs.js'
import type { Services } from '../services.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'

/** Every rule on a line: id, severity, title. */
export function rulesText(rules: readonly Rule[]): string {
  const id = Math.max(...rules.map((rule) => rule.meta.id.length))
  const severity = Math.max(...rules.map((rule) => rule.meta.severity.length))
  return rules.map(({ meta }) => `${meta.id.padEnd(id)}  ${meta.severity.padEnd(severity)}  ${meta.title}\n`).join('')
}

/** All that the rules say of themselves, in their order. */
export function rulesJson(rules: readonly Rule[]): string {
  return `${JSON.stringify(
    rules.map((rule) => rule.meta),
    null,
    2,
  )}\n`
}

/** `tick-audit rules`: lists them. */
export function rulesCommand(command: Command, terminal: Terminal, services: Services): Command {
  return command
    .description('list the rules')
    .addOption(
      new Option('-f, --format <format[=file]>', 'text, or json with all that they say of themselves')
        .argParser((value: string, before: readonly Output[]) => [...before, parseOutput(value)])
        .default([], 'text'),
    )
    .action(async ({ format }: { format: readonly Output[] }) => {
      const outputs = outputsOf(format)
      const other = outputs.find((output) => output.format !== 'text' && output.format !== 'json')
      if (other) throw new UsageError(`rules has no format "${other.format}": the formats are text, json.`)
      const rules = await services.rules()
      for (const output of outputs) {
        const document = output.format === 'json' ? rulesJson(rules) : rulesText(rules)
        if (output.file === null) terminal.stdout(document)
        else writeOutput(output.file, document)
      }
    })
}
