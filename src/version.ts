import { readFileSync } from 'node:fs'

let known: string | null = null

/** The version in the package's own package.json (one folder up, from src and dist alike); read once. */
export function version(): string {
  if (known === null) {
    const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
    known = (JSON.parse(text) as { version: string }).version
  }
  return known
}
