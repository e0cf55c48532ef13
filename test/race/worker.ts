import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { deno } from './able.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What the platform hands to a function: the request that pg_net sends. */
export interface Invocation {
  readonly id: string
  /** The time at which it starts, in milliseconds. */
  readonly now: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Worker {
  /** Rejects never: a handler that throws answers 500, as on the platform. */
  readonly invoke: (invocation: Invocation) => Promise<{ status: number; text: string }>
  /** Loads the function anew, its module variables with it. */
  readonly reload: () => Promise<void>
  /** Stops the isolate where it stands, as the platform does at a limit. */
  readonly kill: () => void
}

/** A Deno process that runs edge functions, each worker in an isolate of its own. */
export interface Host {
  readonly open: (entry: string) => Promise<Worker>
  readonly stop: () => Promise<void>
}

interface Message {
  readonly worker: string
  readonly id?: string
  readonly ready?: boolean
  readonly status?: number
  readonly text?: string
}

/** Starts Deno. Every request of the functions goes to `origin`, with its real address in `x-race-url`. */
export async function startHost(origin: string): Promise<Host> {
  const home = await mkdtemp(join(tmpdir(), 'tick-audit-deno-'))
  const imports = join(home, 'import-map.json')
  await writeFile(imports, JSON.stringify({ imports: await importMap() }))
  const flags = [
    'run',
    '--quiet',
    '--allow-all',
    '--no-config',
    '--no-lock',
    '--node-modules-dir=none',
    `--import-map=${imports}`,
  ]
  const loud = process.env['TICK_AUDIT_LOUD'] ? ['--loud'] : []
  if (deno === null) throw new Error('there is no Deno for this machine')
  const child = spawn(deno, [...flags, join(root, 'test/race/deno/host.mjs'), ...loud], {
    // npm: packages come from Deno's own store, whatever package.json says.
    env: { ...process.env, RACE_ORIGIN: origin, DENO_NO_PACKAGE_JSON: '1', DENO_NO_UPDATE_CHECK: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const waiting = new Map<string, (message: Message) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{"worker"')) return void process.stderr.write(`${line}\n`)
    const message = JSON.parse(line) as Message
    const key = message.id === undefined ? message.worker : `${message.worker}/${message.id}`
    waiting.get(key)?.(message)
    waiting.delete(key)
  })
  const send = (command: object): void => void child.stdin.write(`${JSON.stringify(command)}\n`)
  const answer = (key: string): Promise<Message> => new Promise((resolve) => waiting.set(key, resolve))
  let count = 0
  return {
    open: async (entry) => {
      const worker = `w${count++}`
      const load = async (): Promise<void> => {
        const opened = answer(worker)
        send({ command: 'open', worker, entry: `${pathToFileURL(entry).href}?${count++}` })
        const { ready, text } = await opened
        if (!ready) throw new Error(`${entry} does not load: ${text}`)
      }
      await load()
      return {
        reload: load,
        invoke: async (invocation) => {
          const done = answer(`${worker}/${invocation.id}`)
          send({ command: 'invoke', worker, ...invocation })
          const { status = 500, text: said = '' } = await done
          return { status, text: said }
        },
        kill: () => send({ command: 'kill', worker }),
      }
    },
    stop: async () => {
      child.stdin.end()
      await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** The packages that the functions import, from the npm registry wherever they say they come from, in fixed versions. */
async function importMap(): Promise<Record<string, string>> {
  const manifest = await readFile(join(root, 'node_modules/@supabase/supabase-js/package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const supabase = `npm:@supabase/supabase-js@${version}`
  return {
    'npm:@supabase/supabase-js@2': supabase,
    'jsr:@supabase/supabase-js@2': supabase,
    'https://esm.sh/@supabase/supabase-js@2': supabase,
    'npm:openai': 'npm:openai@4.104.0',
    'npm:openai@4': 'npm:openai@4.104.0',
    'npm:ai': 'npm:ai@4.3.19',
    'npm:@ai-sdk/openai': 'npm:@ai-sdk/openai@1.3.24',
    'npm:resend': 'npm:resend@4.8.0',
    'npm:resend@4': 'npm:resend@4.8.0',
    'npm:stripe@17': 'npm:stripe@17.7.0',
    'npm:@anthropic-ai/sdk': 'npm:@anthropic-ai/sdk@0.65.0',
  }
}
