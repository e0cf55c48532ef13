import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readEntry, writeEntry } from '../../src/cli/cache/entry.js'
import { runCached } from '../../src/cli/cache/run.js'
import { runCli } from '../../src/cli/program.js'
import type { Terminal } from '../../src/cli/terminal.js'

const RACING = fileURLToPath(new URL('../../src/fixtures/inbox-reply/racing/supabase', import.meta.url))
const FUNCTION = 'supabase/functions/inbox-reply/index.ts'

const home = mkdtempSync(join(tmpdir(), 'tick-audit-cache-'))
const project = join(home, 'project')
const kept = join(home, 'kept', 'run.cache')
afterAll(() => rmSync(home, { recursive: true, force: true }))

beforeEach(() => {
  rmSync(project, { recursive: true, force: true })
  rmSync(join(home, 'kept'), { recursive: true, force: true })
  cpSync(RACING, join(project, 'supabase'), { recursive: true })
  settle(project)
})

/** As if everything had been written an hour ago: what is new is looked at twice. */
function settle(folder: string): void {
  const hour = new Date(Date.now() - 3_600_000)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink()) utimesSync(join(entry.parentPath, entry.name), hour, hour)
}

interface Said {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function terminalOf(env: Record<string, string> = {}): {
  terminal: Terminal
  said: { stdout: string; stderr: string }
} {
  const said = { stdout: '', stderr: '' }
  const terminal: Terminal = {
    stdout: (text) => void (said.stdout += text),
    stderr: (text) => void (said.stderr += text),
    env,
    stdoutIsTTY: false,
    stderrIsTTY: false,
    columns: null,
  }
  return { terminal, said }
}

/** One run with the cache; `anew`: it was not said from the record. */
async function cached(
  args: readonly string[] = [],
  env: Record<string, string> = {},
  place = kept,
): Promise<Said & { anew: boolean }> {
  const { terminal, said } = terminalOf(env)
  let anew = false
  const all = [project, '--cache', `--cache-location=${place}`, ...args]
  const code = await runCached(all, terminal, async () => {
    anew = true
    return runCli
  })
  return { code, ...said, anew }
}

/** The same without: what is true now. */
async function plain(args: readonly string[] = [], env: Record<string, string> = {}): Promise<Said> {
  const { terminal, said } = terminalOf(env)
  const code = await runCli([project, ...args], terminal)
  return { code, ...said }
}

/** What the cache says is what is true, whether it runs anew or not; says which. */
async function holds(args: readonly string[] = [], env: Record<string, string> = {}): Promise<boolean> {
  const { anew, ...said } = await cached(args, env)
  expect(said).toEqual(await plain(args, env))
  return anew
}

describe('an unchanged run', () => {
  it('is said again, byte for byte, and nothing of the program is loaded', async () => {
    expect(await holds()).toBe(true)
    expect(await holds()).toBe(false)
    expect(await holds()).toBe(false)
    expect((await plain()).code).toBe(1)
  })
  it('writes its documents again', async () => {
    const file = join(home, 'out', 'report.json')
    await cached(['-f', `json=${file}`])
    const text = readFileSync(file, 'utf8')
    rmSync(join(home, 'out'), { recursive: true })
    expect(await cached(['-f', `json=${file}`])).toMatchObject({ anew: false, code: 1 })
    expect(readFileSync(file, 'utf8')).toBe(text)
  })
  it('is an unchanged run too where files only were stamped anew, and from then on by their stamps', async () => {
    await holds()
    settle(project)
    expect(await holds()).toBe(false)
  })
  it('of nothing to audit is one as well', async () => {
    rmSync(join(project, 'supabase'), { recursive: true })
    expect(await holds()).toBe(true)
    expect(await holds()).toBe(false)
  })
})

describe('stamps', () => {
  /** As if the run had begun later, when no stamp was new any more; and with an answer that only a second look shows to be wrong. */
  async function aged(wrong: boolean): Promise<void> {
    const entry = readEntry(kept)!
    const inputs = entry.inputs.map(([path, asked, stamp, answer]): (typeof entry.inputs)[number] => [
      path,
      asked,
      stamp,
      wrong && path.endsWith('index.ts') && asked === 'content' ? 'another hash' : answer,
    ])
    writeEntry(kept, { ...entry, inputs, began: Date.now() + 10_000 })
  }
  it('that are the same are believed, and the file is not read', async () => {
    await holds()
    await aged(true)
    expect(await holds()).toBe(false)
  })
  it('that are new are not', async () => {
    await holds()
    await aged(false)
    const { atime, mtime } = statSync(join(project, FUNCTION))
    writeFileSync(join(project, FUNCTION), readFileSync(join(project, FUNCTION), 'utf8').replace(/e/, 'E'))
    utimesSync(join(project, FUNCTION), atime, mtime)
    expect(await holds()).toBe(true)
  })
  it('about the time of the run are not believed', async () => {
    await holds()
    const entry = readEntry(kept)!
    const inputs = entry.inputs.map(([path, asked, stamp]) => [path, asked, stamp, 'another hash'] as const)
    writeEntry(kept, { ...entry, inputs })
    expect(await holds()).toBe(true)
  })
})

describe('a change is seen', () => {
  const write = (path: string, text: string): void => {
    mkdirSync(join(project, path, '..'), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  const edit = (path: string, change: (text: string) => string): void =>
    write(path, change(readFileSync(join(project, path), 'utf8')))
  const changes: Readonly<Record<string, () => void>> = {
    'of a function, in place, with its old time and size': () => {
      const { atime, mtime } = statSync(join(project, FUNCTION))
      edit(FUNCTION, (text) => text.replace("'new'", "'odd'").replace('resend', 'resemd'))
      utimesSync(join(project, FUNCTION), atime, mtime)
    },
    'of a new migration': () =>
      write('supabase/migrations/99999999999999_off.sql', "select cron.unschedule('inbox-reply');\n"),
    'of a migration that is gone': () => rmSync(join(project, 'supabase/migrations'), { recursive: true }),
    'of a function that is gone': () => rmSync(join(project, FUNCTION)),
    'of a configuration where there was none': () => write('tick-audit.json', '{ "failOn": "none" }'),
    'of an ignore comment': () => edit(FUNCTION, (text) => `// tick-audit-ignore-file no-claim: a test\n${text}`),
    'of a file that an import would have found first': () =>
      write('supabase/functions/inbox-reply/deno.json', '{ "imports": { "npm:": "./nowhere/" } }'),
    'of a folder that has become a link': () => {
      renameSync(join(project, 'supabase/functions'), join(home, 'moved'))
      symlinkSync(join(home, 'moved'), join(project, 'supabase/functions'))
    },
    'of a folder above': () => {
      renameSync(project, join(home, 'away'))
      mkdirSync(project)
    },
  }
  it.each(Object.entries(changes))('%s', async (_name, change) => {
    await holds()
    expect(await holds()).toBe(false)
    change()
    try {
      expect(await holds()).toBe(true)
      expect(await holds()).toBe(false)
    } finally {
      for (const left of ['moved', 'away']) rmSync(join(home, left), { recursive: true, force: true })
    }
  })

  it('right after the run, where the clock of the file system has not moved on', async () => {
    writeFileSync(join(project, FUNCTION), readFileSync(join(project, FUNCTION)))
    await holds()
    for (let n = 0; n < 3; n++) {
      edit(FUNCTION, (text) =>
        n % 2 === 0 ? text.replaceAll('resend', 'resemd') : text.replaceAll('resemd', 'resend'),
      )
      await holds()
    }
  })

  it.each<[string, readonly string[], Record<string, string>]>([
    ['other arguments', ['-f', 'concise'], {}],
    ['a variable that is asked for', [], { FORCE_COLOR: '1' }],
    ['GitHub Actions', [], { GITHUB_ACTIONS: 'true' }],
  ])('%s', async (_name, args, env) => {
    await holds()
    expect(await holds(args, env)).toBe(true)
  })
  it('but not one of a variable that nobody asks for', async () => {
    await holds()
    expect(await holds([], { SHLVL: '3' })).toBe(false)
  })
})

describe('a record that is no good is none', () => {
  it.each([0, 1, 43, 44, 200, -1])('cut off at %i', async (length) => {
    await holds()
    truncateSync(kept, length < 0 ? statSync(kept).size + length : length)
    expect(await holds()).toBe(true)
  })
  it('with a byte of another value', async () => {
    await holds()
    const bytes = readFileSync(kept)
    const at = bytes.indexOf('"code":1')
    bytes[at + 7] = '0'.charCodeAt(0)
    writeFileSync(kept, bytes)
    expect(await holds()).toBe(true)
  })
  it('of another build, though it is whole', async () => {
    await holds()
    const entry = readEntry(kept)!
    writeEntry(kept, {
      ...entry,
      identity: entry.identity.replace(/"\d+\.\d+\.\d+"/, '"0.0.0"'),
      said: [['stdout', 'all is well\n']],
    })
    expect(await holds()).toBe(true)
  })
  it('of another project', async () => {
    const other = join(home, 'other.cache')
    await cached(['-f', 'concise'], {}, other)
    mkdirSync(join(home, 'kept'))
    cpSync(other, kept)
    expect(await holds()).toBe(true)
  })
  it.each([
    ['noise', '\0\uFFFD{"'],
    ['a folder', null],
  ])('%s', async (_name, text) => {
    if (text === null) mkdirSync(kept, { recursive: true })
    else {
      mkdirSync(join(home, 'kept'))
      writeFileSync(kept, text)
    }
    expect(await holds()).toBe(true)
  })
})

describe('what cannot be said again is not kept', () => {
  it('a wrong option', async () => {
    expect(await cached(['--nonsense'])).toMatchObject({ code: 2, anew: true })
    expect(existsSync(kept)).toBe(false)
  })
  it('times', async () => {
    await cached(['--debug', 'timings'])
    expect(existsSync(kept)).toBe(false)
  })
  it('what git says', async () => {
    execFileSync('git', ['init', '-q', project])
    expect(await cached(['--staged'])).toMatchObject({ anew: true })
    expect(existsSync(kept)).toBe(false)
  })
})

it('by default the record lies in the user’s own cache folder, not in the project', async () => {
  const { placeOf } = await import('../../src/cli/cache/run.js')
  const place = placeOf(['--cache'], project, { XDG_CACHE_HOME: join(home, 'xdg'), LOCALAPPDATA: join(home, 'xdg') })
  expect(place.startsWith(join(home, 'xdg', 'tick-audit'))).toBe(true)
  expect(place).not.toBe(
    placeOf(['--cache', '-q'], project, { XDG_CACHE_HOME: join(home, 'xdg'), LOCALAPPDATA: join(home, 'xdg') }),
  )
})

it('what else lies beside a file that the user names stays there', async () => {
  mkdirSync(join(home, 'kept'))
  for (let n = 0; n < 60; n++) writeFileSync(join(home, 'kept', `${n}.cache`), '')
  await cached()
  expect(readdirSync(join(home, 'kept'))).toHaveLength(61)
})
