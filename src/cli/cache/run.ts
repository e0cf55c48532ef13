import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '../../package.js'
import type { Terminal } from '../terminal.js'
import { hashOf, prune, readEntry, writeEntry, type Entry } from './entry.js'
import { stampOf, unchanged } from './inputs.js'

type Run = (args: readonly string[], terminal: Terminal) => Promise<number>

/** What `--cache-location` names. */
function nameIn(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => arg === '--cache-location' || arg.startsWith('--cache-location='))
  return at < 0 ? undefined : args[at]!.split('=').slice(1).join('=') || args[at + 1]
}

/** Where the record of such a run is kept: not in the project, which could bring one along. */
export function placeOf(args: readonly string[], folder: string, env: Terminal['env']): string {
  const named = nameIn(args)
  if (named) return resolve(folder, named)
  const local = process.platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME
  const name = hashOf([folder, ...args].join('\0')).slice(0, 24)
  return join(local || join(homedir(), '.cache'), 'tick-audit', `${name}.cache`)
}

/**
 * Runs the command line, or says again what it said when everything was as it is now: the tool, the arguments, the terminal,
 * the variables that it asks for, and every answer of the file system that it was given.
 */
export async function runCached(args: readonly string[], terminal: Terminal, run: () => Promise<Run>): Promise<number> {
  if (args.some((arg) => NEVER_THE_SAME.some((option) => arg.startsWith(option)))) return (await run())(args, terminal)
  const file = placeOf(args, process.cwd(), terminal.env)
  const identity = identityOf(args, terminal)
  const kept = readEntry(file)
  if (kept?.identity === identity && sameEnv(kept, terminal.env)) {
    const { same, sure } = unchanged(kept.inputs, kept.began)
    if (same && writeDocuments(kept)) {
      for (const [stream, text] of kept.said) terminal[stream](text)
      if (!sure) writeEntry(file, renewed(kept))
      return kept.code
    }
  }
  return recorded(file, identity, args, terminal, await run())
}

/** The same tool asked the same thing: a newer build of it, another folder or another terminal is another run. */
function identityOf(args: readonly string[], { stdoutIsTTY, stderrIsTTY, columns }: Terminal): string {
  const { ino, mtimeMs, size } = statSync(fileURLToPath(import.meta.url))
  const own = [version(), ino, mtimeMs, size, process.version]
  return JSON.stringify([own, process.cwd(), args, stdoutIsTTY, stderrIsTTY, columns])
}

const sameEnv = (entry: Entry, env: Terminal['env']): boolean =>
  Object.entries(entry.env).every(([name, value]) => (env[name] ?? null) === value)

function writeDocuments({ documents }: Entry): boolean {
  try {
    for (const [path, text] of documents) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    return true
  } catch {
    return false // the run itself says why
  }
}

/** The record with the stamps of now, once the answers have been found to be the same. */
function renewed(entry: Entry): Entry {
  const began = Date.now()
  return {
    ...entry,
    began,
    inputs: entry.inputs.map(([path, asked, , answer]) => [path, asked, stampOf(path), answer]),
  }
}

/** Times differ from run to run; what git and standard input say is not in the files that were read. */
const NEVER_THE_SAME = ['--debug', '--staged', '--changed', '--stdin-filename']

/** What ends a run that a later one may repeat: 0, 1, 3 and 4. A fault or a wrong option is met anew each time. */
const REPEATABLE = new Set([0, 1, 3, 4])

async function recorded(
  file: string,
  identity: string,
  args: readonly string[],
  terminal: Terminal,
  run: Run,
): Promise<number> {
  const { record } = await import('./recorder.js')
  const said: ['stdout' | 'stderr', string][] = []
  const env: Record<string, string | null> = {}
  const listening: Terminal = {
    ...terminal,
    stdout: (text) => (said.push(['stdout', text]), terminal.stdout(text)),
    stderr: (text) => (said.push(['stderr', text]), terminal.stderr(text)),
    env: new Proxy(terminal.env, {
      get: (target, name) => {
        const value = target[String(name)]
        env[String(name)] = value ?? null
        return value
      },
    }),
  }
  const began = Date.now()
  const recording = record()
  let code: number
  let seen: ReturnType<typeof recording.stop>
  try {
    code = await run(args, listening)
  } finally {
    seen = recording.stop()
  }
  if (seen && REPEATABLE.has(code)) {
    writeEntry(file, { identity, env, ...seen, began, said, code })
    // Only the tool's own folder: where the user has named a file, others may lie beside it.
    if (!nameIn(args)) prune(dirname(file))
  }
  return code
}
