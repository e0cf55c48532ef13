import { readFileSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import type { Problem } from './checks.js'
import type { Config, Settings } from './config.js'
import { findConfig, ownKey } from './find.js'
import { validate } from './validate.js'

/** The configuration, or all that is wrong with it: a line for each, as `file:line:column: what`. */
export type LoadedConfig =
  | { readonly kind: 'config'; readonly config: Config; readonly file: string | null }
  | { readonly kind: 'invalid'; readonly message: string }

/**
 * Finds, reads and checks the configuration. Never throws for what is on disk.
 * @param named the file that the user named, false: none is wanted, null: look for one
 * @param start the folder from which one is looked for; null: nowhere
 */
export function loadConfig(
  named: string | false | null,
  start: string | null,
  ruleIds: readonly string[],
): LoadedConfig {
  if (named !== null && named !== false) return readConfigFile(resolve(named), ruleIds)
  const files = named === false || start === null ? [] : findConfig(start)
  if (files.length > 1) {
    const names = files.map((file) => basename(file)).join(' and ')
    return invalid(
      `${shownPath(dirname(files[0]!))} has several configurations, ${names}: keep one, or name one with --config.`,
    )
  }
  return files[0] === undefined ? { kind: 'config', config: {}, file: null } : readConfigFile(files[0], ruleIds)
}

/** The absolute path of the baseline, which is relative to the configuration file; false: none; undefined: it does not say. */
export function baselineOf({ config, file }: Settings): string | false | undefined {
  if (!config.baseline) return config.baseline === undefined ? undefined : false
  return resolve(file === null ? '.' : dirname(file), config.baseline)
}

function readConfigFile(file: string, ruleIds: readonly string[]): LoadedConfig {
  const name = shownPath(file)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return invalid(`${name}: the configuration cannot be read (${codeOf(error)}).`)
  }
  const { node, problems } = parse(text, basename(file) === 'package.json')
  if (problems.length === 0 && node === undefined) return invalid(`${name}: there is no configuration in this file.`)
  const all = problems.length > 0 ? problems : validate(node!, ruleIds)
  if (all.length > 0) return invalid(all.map((problem) => `${name}:${placeIn(text, problem)}`).join('\n'))
  const { $schema: _, ...config } = getNodeValue(node!) as Config & { readonly $schema?: string }
  return { kind: 'config', config, file }
}

/** Comments and trailing commas are welcome, as in the files of the editors and of TypeScript. */
function parse(text: string, isManifest: boolean): { node: Node | undefined; problems: readonly Problem[] } {
  const errors: ParseError[] = []
  try {
    const root = parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true })
    // What follows a mistake is rarely one of its own
    const problems = errors
      .slice(0, 1)
      .map(({ error, offset }) => ({ offset, message: inWords(printParseErrorCode(error)) }))
    return { node: isManifest ? ownKey(root) : root, problems }
  } catch {
    return { node: undefined, problems: [{ offset: 0, message: 'this is nested too deeply to be a configuration.' }] }
  }
}

/** `CommaExpected` → "this is no JSON: comma expected." */
const inWords = (code: string): string => `this is no JSON: ${code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()}.`

function placeIn(text: string, { offset, message }: Problem): string {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return `${line}:${offset - before.lastIndexOf('\n')}: ${message}`
}

/** Relative to the working directory where it lies inside. */
function shownPath(path: string): string {
  const near = relative(process.cwd(), path)
  return near === '' ? '.' : near.startsWith('..') ? path : near
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'

const invalid = (message: string): LoadedConfig => ({ kind: 'invalid', message })
