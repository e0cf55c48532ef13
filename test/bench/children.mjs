// What is measured in a process of its own: node test/bench/children.mjs read|floor|library FOLDER
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const children = {
  /** Reads every file. */
  read: (folder) => void textsOf(folder),
  /** Reads every file and parses each once: PostgreSQL's grammar for SQL and, where there is a tick, TypeScript's for functions. */
  async floor(folder) {
    const texts = textsOf(folder)
    const { loadModule, parseSync } = await import('libpg-query')
    await loadModule()
    for (const [file, text] of texts)
      if (file.endsWith('.sql'))
        try {
          parseSync(text)
        } catch {
          // What does not parse has been looked at
        }
    const code = texts.filter(([file]) => /[/\\]functions[/\\].*\.[cm]?[jt]sx?$/.test(file))
    if (code.length === 0 || !texts.some(([, text]) => text.includes('cron.schedule'))) return
    // The parser alone, as the built tool has it: all of the compiler would make the floor a quarter of a second higher.
    const { createSourceFile } = await import(new URL('../../dist/typescript-parser.js', import.meta.url))
    for (const [file, text] of code) createSourceFile(file, text, 99 /* latest */, true)
  },
  /** Calls the library, in one process: the first call, then warm ones. */
  async library(folder) {
    const { audit } = await import(new URL('../../dist/index.js', import.meta.url))
    const times = []
    for (let n = 0; n < 3; n++) {
      const started = performance.now()
      await audit(folder)
      times.push(performance.now() - started)
    }
    console.log(JSON.stringify({ warm: Math.min(...times.slice(1)) }))
  },
}

function textsOf(folder) {
  const files = readdirSync(join(folder, 'supabase'), { recursive: true, withFileTypes: true })
  return files
    .filter((entry) => entry.isFile() && /\.(sql|toml|json|[cm]?[jt]sx?)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('node_modules'))
    .map((file) => [file, readFileSync(file, 'utf8')])
}

const [, , child, folder] = process.argv
await children[child](folder)
