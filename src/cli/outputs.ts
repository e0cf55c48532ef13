import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { formatNames, isFormatName, type FormatName } from '../report/index.js'
import { didYouMean } from '../closest.js'
import { UsageError } from './usage-error.js'

/** One document to be written: in which format, and to which file; null: standard output. */
export interface Output {
  readonly format: FormatName
  readonly file: string | null
}

/** Reads one `FORMAT[=FILE]`. Throws a UsageError for a format that does not exist, or an empty file name. */
export function parseOutput(value: string): Output {
  const equals = value.indexOf('=')
  const name = equals < 0 ? value : value.slice(0, equals)
  if (!isFormatName(name)) {
    throw new UsageError(
      `unknown format "${name}".${didYouMean(name, formatNames)} The formats are ${formatNames.join(', ')}.`,
    )
  }
  if (equals < 0) return { format: name, file: null }
  const file = value.slice(equals + 1)
  if (file === '') throw new UsageError(`--format ${value} names no file: write ${name}=FILE, or ${name} alone.`)
  return { format: name, file }
}

/** The outputs asked for; where there are none, `usual` on standard output. Throws a UsageError where two want the same place. */
export function outputsOf(asked: readonly Output[], usual: FormatName = 'text'): readonly Output[] {
  if (asked.length === 0) return [{ format: usual, file: null }]
  const places = new Map<string | null, Output>()
  for (const output of asked) {
    const other = places.get(output.file)
    if (other) {
      const where = output.file === null ? 'standard output' : `"${output.file}"`
      throw new UsageError(
        `--format ${other.format} and --format ${output.format} both write to ${where}: give one of them a file of its own, FORMAT=FILE.`,
      )
    }
    places.set(output.file, output)
  }
  return asked
}

/** Writes a document to a file, and makes its folder. Throws a UsageError where that cannot be done. */
export function writeOutput(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`cannot write "${file}": ${reason}`)
  }
}
