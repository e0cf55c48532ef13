import { Argument, type Command } from 'commander'
import { readFileSync } from 'node:fs'
import { schemaFolder } from '../../package.js'
import type { Terminal } from '../terminal.js'

/** The JSON Schemas that are shipped, by the name that a person gives. */
export const SCHEMAS = { report: 'report.v1.json', config: 'config.json', baseline: 'baseline.v1.json' } as const

export type SchemaName = keyof typeof SCHEMAS

export function schemaText(name: SchemaName): string {
  return readFileSync(new URL(SCHEMAS[name], schemaFolder), 'utf8')
}

/** `tick-audit schema report|config|baseline`: prints a JSON Schema. */
export function schemaCommand(command: Command, terminal: Terminal): Command {
  return command
    .description('print the JSON Schema of the report, the configuration or the baseline')
    .addArgument(new Argument('<what>', 'which one').choices(Object.keys(SCHEMAS)))
    .action((what: SchemaName) => terminal.stdout(schemaText(what)))
}
