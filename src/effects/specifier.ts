/** Hosts that serve npm packages, each with what stands before the package's name in the path. */
const NPM_HOSTS: Readonly<Record<string, RegExp>> = {
  'esm.sh': /^(v\d+|stable|\*|npm)\//,
  'cdn.skypack.dev': /^(-|pin|new)\//,
  'cdn.jsdelivr.net': /^npm\//,
  'unpkg.com': /^$/,
  'ga.jspm.io': /^npm:/,
  'esm.run': /^$/,
  'cdn.esm.sh': /^(v\d+|stable|\*|npm)\//,
  'registry.npmjs.org': /^$/,
}

/**
 * The package that an import specifier means, without version and sub-path: `openai` for `npm:openai@4/helpers`,
 * `https://esm.sh/openai@4.52.0?target=deno` and `https://deno.land/x/openai@v4.69.0/mod.ts`; `@x/y` for `jsr:@x/y@1`. The packages of
 * deno.land bear their names of there. Null: a relative path, or an address that is no package.
 */
export function packageOf(specifier: string): string | null {
  if (/^(npm|jsr):/.test(specifier)) return nameIn(specifier.replace(/^(npm|jsr):\/?/, ''))
  if (specifier.startsWith('node:')) return specifier
  const url = /^https?:\/\/([^/]+)\/([^?#]*)/.exec(specifier)
  if (url !== null) return packageAt(url[1]!.toLowerCase(), url[2]!)
  return /^[./#]|^[a-z]+:/.test(specifier) ? null : nameIn(specifier)
}

function packageAt(host: string, path: string): string | null {
  if (host === 'deno.land') {
    const name = /^x\/([^/@]+)/.exec(path)?.[1]
    return name ?? (/^std(@|\/|$)/.test(path) ? 'std' : null)
  }
  if (host === 'jsr.io') return nameIn(path)
  const prefix = Object.hasOwn(NPM_HOSTS, host) ? NPM_HOSTS[host]! : null
  if (prefix === null) return null
  let rest = path
  // esm.sh nests them: /v135/*openai, /jsr/@x/y
  for (let before = ''; before !== rest;) [before, rest] = [rest, rest.replace(prefix, '')]
  return nameIn(rest.replace(/^\*/, '').replace(/^jsr\//, ''))
}

/** `@scope/name` or `name`, up to the version or the sub-path. */
function nameIn(path: string): string | null {
  return /^(@[^/@]+\/[^/@]+|[^/@]+)/.exec(path)?.[1]?.toLowerCase() ?? null
}
