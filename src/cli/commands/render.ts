import { Option, type Command } from 'commander'
import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { SourceTexts } from '../../audit.js'
import type { Report } from '../../model/index.js'
import { locateSupabase } from '../../project/locate.js'
import { formats } from '../../report/index.js'
import { writeDocument, type LookFlags } from '../documents.js'
import { outputsOf, parseOutput, type Output } from '../outputs.js'
import type { Services } from '../services.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'

interface RenderFlags extends LookFlags {
  readonly format: readonly Output[]
}

/** `tick-audit render REPORT [PATH]`: a saved report in another format; nothing is analysed. */
export function renderCommand(command: Command, terminal: Terminal, services: Services): Command {
  return command
    .description('write a saved report (-f json) in another format')
    .argument('<report>', 'the file, or - for standard input')
    .argument('[path]', 'the project that it is about, for code frames')
    .addOption(
      new Option('-f, --format <format[=file]>', `${Object.keys(formats).join(', ')}; may be repeated`)
        .argParser((value: string, before: readonly Output[]) => [...before, parseOutput(value)])
        .default([], 'text'),
    )
    .option('--show-suppressed', 'list what comments and the baseline take out, with the reasons given')
    .addOption(new Option('--color <when>', 'whether to colour').choices(['auto', 'always', 'never']).default('auto'))
    .addOption(new Option('-q, --quiet', 'only the findings and their count').conflicts('verbose'))
    .option('-v, --verbose', 'also notes, suppressed findings and every step taken')
    .action(async (file: string, path: string | undefined, flags: RenderFlags) => {
      const report = await readReport(file, terminal)
      const sources = sourcesFrom(path ?? null)
      for (const output of outputsOf(flags.format))
        await writeDocument(output, report, sources, flags, terminal, services)
    })
}

/** Reads a report that `-f json` wrote; `-` is standard input. Throws a UsageError where it is none. */
export async function readReport(file: string, terminal: Terminal): Promise<Report> {
  let value: unknown
  try {
    const text = file === '-' ? await (terminal.stdin?.() ?? '') : readFileSync(file, 'utf8')
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${file} cannot be read as a report: ${reason}`)
  }
  const problem = problemOf(value)
  if (problem !== null) throw new UsageError(`${file} is not a report of tick-audit: ${problem}.`)
  return value as Report
}

/** The parts that every format goes by; the schema (`tick-audit schema report`) says the rest. */
function problemOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it is not an object'
  const report = value as Partial<Record<keyof Report, unknown>>
  if (typeof report.schemaVersion !== 'string' || !report.schemaVersion.startsWith('1.'))
    return 'its schemaVersion is not 1.x'
  for (const field of ['tool', 'summary', 'coverage'] as const)
    if (typeof report[field] !== 'object' || report[field] === null) return `it has no ${field}`
  for (const field of ['ticks', 'functions', 'findings', 'suppressed', 'diagnostics'] as const)
    if (!Array.isArray(report[field])) return `it has no list of ${field}`
  return null
}

/** The texts for code frames, from a project on disk; nothing outside of it is read, whatever the report names. */
export function sourcesFrom(path: string | null): SourceTexts {
  if (path === null) return () => null
  const supabase = locateSupabase(path, process.cwd())
  if (typeof supabase !== 'string') throw new UsageError(supabase.message)
  const root = realpathSync(dirname(supabase))
  return (file) => {
    try {
      const real = realpathSync(join(root, file))
      return real.startsWith(root + sep) ? readFileSync(real, 'utf8') : null
    } catch {
      return null
    }
  }
}
