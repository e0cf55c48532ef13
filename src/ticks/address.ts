import { alternatives, render, toParts, type Unknown, type Value } from '../database/index.js'

/** Where a request goes, as far as its URL tells. */
export interface Address {
  /** The edge function; null: none, or not known. */
  readonly function: string | null
  /** What is known of the URL; "…" for what is not. */
  readonly url: string
  /** From which name the function is assumed; nothing of the URL is known. */
  readonly assumed?: string
  /** Why the function is not known, and what would tell. */
  readonly unresolved?: string
}

/** What addresses are resolved against. */
export interface AddressBook {
  /** The project's edge functions. */
  readonly functions: ReadonlySet<string>
  /** The job at hand. */
  readonly job: string | null
}

const HOLE = '\ufffc'

/**
 * The addresses that a URL may be: one for each function, or one that says why there is none. What certainly names a function
 * (a literal path) outweighs what does not; only a URL of which nothing is known is assumed to be a function's by a name (the contract).
 */
export function addressesOf(url: Value, book: AddressBook): readonly Address[] {
  const all = alternatives(url).filter((each) => each.kind !== 'null')
  const found = all.map((each) => addressOf(each, book))
  const named = found.filter((each) => each.function !== null && each.assumed === undefined)
  if (named.length > 0) return distinct(named)
  const elsewhere = found.filter((each) => each.function === null && each.unresolved === undefined)
  if (elsewhere.length > 0) return elsewhere.slice(0, 1)
  const assumed = found.filter((each) => each.assumed !== undefined)
  if (assumed.length > 0) return distinct(assumed)
  return found.length > 0 ? found.slice(0, 1) : [{ function: null, url: '…', unresolved: 'The URL is null' }]
}

function distinct(addresses: readonly Address[]): Address[] {
  return [...new Map(addresses.map((each) => [each.function, each])).values()]
}

function addressOf(value: Value, book: AddressBook): Address {
  const url = render(value)
  const template = render(value, HOLE).trim()
  const path = /^[^?#]*?\/functions\/v1\/([^/?#\s]*)/.exec(template)
  if (path) return named(path[1]!, url)
  const domain = /^https?:\/\/[^/?#]*\.functions\.supabase\.(?:co|net)(?::\d+)?\/([^/?#\s]*)/i.exec(template)
  if (domain) return named(domain[1]!, url)
  if (/^https?:\/\/[^/?#\ufffc]+(?:[/?#]|$)/i.test(template) && !endsInBase(template)) return { function: null, url }
  return behindBase(template, url, book) ?? assumedFrom(value, template, url, book)
}

/** A whole URL that only lacks the function's name: `https://host/functions/v1` + something. */
const endsInBase = (template: string): boolean => /\/functions\/v1\ufffc/.test(template)

function named(name: string, url: string): Address {
  if (!name.includes(HOLE) && name !== '') return { function: decoded(name), url }
  const part = name === HOLE || name === '' ? 'The name of the function' : 'A part of the name of the function'
  return { function: null, url, unresolved: `${part} is made at run time and stands nowhere in the SQL` }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** A base that is not known (a setting, a secret, a row) and then `/NAME`: NAME is a function if the project has one of that name. */
function behindBase(template: string, url: string, { functions }: AddressBook): Address | null {
  const rest = /^(?:https?:\/\/)?[^?#]*\ufffc([^\ufffc?#]*)(?=[?#]|\ufffc|$)/.exec(template)?.[1]
  if (rest === undefined || !/[\p{L}\p{N}]/u.test(rest)) return null
  const segments = rest.replace(/^\/+/, '').split('/')
  const first = segments[0] ?? ''
  if (functions.has(first)) return { function: first, url }
  if (rest.startsWith('/') && segments.length > 1) return { function: null, url }
  const why = `Neither the host nor a path /functions/v1/ is known, and the project has no function ${first}`
  return { function: null, url, unresolved: why }
}

/** Nothing of the URL is known: the job, the secret or the configuration key may bear a function's name. */
function assumedFrom(value: Value, template: string, url: string, book: AddressBook): Address {
  const holes = toParts(value).filter((part): part is Unknown => part.kind === 'unknown')
  if (holes.length === 0) return { function: null, url, unresolved: 'This is no URL; it may be a placeholder' }
  const free = template
    .replaceAll(HOLE, '')
    .replace(/^https?:\/\//i, '')
    .trim()
  const origins = holes.flatMap(namesOf)
  const names = [...(book.job === null ? [] : [{ what: `the job's name "${book.job}"`, name: book.job }]), ...origins]
  const matches = names.flatMap(({ what, name }) => {
    const wanted = plain(name)
    const candidates = [...book.functions].filter((each) => comparable(each) === wanted)
    return candidates.length === 1 ? [{ what, function: candidates[0]! }] : []
  })
  const functions = new Set(matches.map((match) => match.function))
  if (free === '' && functions.size === 1) return { function: matches[0]!.function, url, assumed: matches[0]!.what }
  return { function: null, url, unresolved: whyUnresolved(holes, functions) }
}

function whyUnresolved(holes: readonly Unknown[], functions: ReadonlySet<string>): string {
  if (functions.size > 1)
    return `The URL is not in the SQL, and the names around it fit several functions: ${[...functions].join(', ')}`
  const [what] = holes.map(describe)
  return `The URL is ${what}, and no name around it is that of exactly one function; a migration that writes the URL, or /functions/v1/NAME after a base, would tell`
}

/** What a hole is, in words. */
function describe({ origin }: Unknown): string {
  switch (origin.kind) {
    case 'secret':
      return origin.name === '' ? 'a Vault secret' : `the Vault secret "${origin.name}"`
    case 'setting':
      return `the setting "${origin.name}"`
    case 'parameter':
      return `the parameter ${origin.name}`
    case 'cell':
      return `a value of the table ${origin.table}`
    case 'column': {
      const table = origin.source.kind === 'statement' ? origin.source.table : origin.source.routine.name
      return `the value ${origin.column} of ${table ?? 'a query'}, which no migration fills`
    }
    default:
      return 'made at run time'
  }
}

/** Names of secrets, settings and configuration keys. */
function namesOf({ origin }: Unknown): { what: string; name: string }[] {
  switch (origin.kind) {
    case 'secret':
      return [{ what: `the secret's name "${origin.name}"`, name: origin.name }]
    case 'setting':
      return [{ what: `the setting's name "${origin.name}"`, name: origin.name.split('.').at(-1)! }]
    case 'cell':
      return [{ what: `the key "${origin.key ?? origin.column}"`, name: origin.key ?? origin.column }]
    case 'column': {
      const pinned = origin.source.kind === 'statement' ? origin.source.pinned : []
      const keys = pinned.map(({ value }) => ({ what: `the key "${value}"`, name: value }))
      return [...keys, { what: `the column "${origin.column}"`, name: origin.column }]
    }
    default:
      return []
  }
}

const comparable = (name: string): string => name.toLowerCase().replaceAll('-', '_')

/** A name without what says that it is an address. */
function plain(name: string): string {
  let rest = comparable(name.trim())
  for (let before = ''; before !== rest;) {
    before = rest
    rest = rest.replace(/_+(?:url|uri|endpoint|webhook)$/, '')
  }
  return rest
}
