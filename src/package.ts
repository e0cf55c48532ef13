import { readFileSync } from 'node:fs'

// This file stands at the top of src, and the build puts all of the code at the top of dist.

/** The package's own folder. */
export const packageFolder = new URL('..', import.meta.url)

/** The JSON Schemas that are shipped. */
export const schemaFolder = new URL('schema/', import.meta.url)

let known: string | null = null

/** The version in the package's own package.json; read once. */
export function version(): string {
  if (known === null) {
    const text = readFileSync(new URL('package.json', packageFolder), 'utf8')
    known = (JSON.parse(text) as { version: string }).version
  }
  return known
}
