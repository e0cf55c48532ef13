import type { EffectKind, LatencyClass, CustomEffect, CustomNonEffect } from '../model/index.js'
import { AUTOMATION } from './automation.js'
import { CAMPAIGNS } from './campaigns.js'
import { CHATS } from './chats.js'
import { COMMERCE } from './commerce.js'
import { EMAIL } from './email.js'
import type { CatalogueEntry, Operation } from './entry.js'
import { GATEWAYS } from './gateways.js'
import { GOOGLE } from './google.js'
import { HARMLESS } from './harmless.js'
import { MEDIA } from './media.js'
import { MODELS } from './models.js'
import { PAYMENTS } from './payments.js'
import { PLATFORMS } from './platforms.js'
import { PUSH } from './push.js'
import { SCRAPING } from './scraping.js'
import { SOCIAL } from './social.js'
import { TEXT_MESSAGES } from './text-messages.js'
import { TRADING } from './trading.js'
import { WORK_TOOLS } from './work-tools.js'

/** Every entry, in a fixed order. */
export const ENTRIES: readonly CatalogueEntry[] = [
  MODELS,
  GATEWAYS,
  MEDIA,
  EMAIL,
  CAMPAIGNS,
  TEXT_MESSAGES,
  CHATS,
  PUSH,
  PAYMENTS,
  TRADING,
  SOCIAL,
  GOOGLE,
  WORK_TOOLS,
  COMMERCE,
  PLATFORMS,
  SCRAPING,
  AUTOMATION,
  HARMLESS,
].flat()

/** The entries, ready to be asked. Only match.ts looks inside. */
export interface Catalogue {
  readonly entries: readonly CatalogueEntry[]
  /** From the user's configuration: asked before all else, in order. */
  readonly custom: readonly CustomEntry[]
  readonly packages: ReadonlyMap<string, CatalogueEntry>
  readonly scopes: ReadonlyMap<string, CatalogueEntry>
  readonly hosts: ReadonlyMap<string, CatalogueEntry>
  /** Patterns with a star, the longest first. */
  readonly hostPatterns: readonly { readonly pattern: RegExp; readonly entry: CatalogueEntry }[]
}

/** An effect or a non-effect that the user's configuration names: by call, host or package; a call and a package together. */
export interface CustomEntry {
  readonly call?: string
  readonly host?: string
  readonly package?: string
  /** Null: it is no effect. */
  readonly operation: Operation | null
}

export const CATALOGUE: Catalogue = buildCatalogue(ENTRIES)

/** An index over the entries. The first entry that names a package or a host has it. */
export function buildCatalogue(entries: readonly CatalogueEntry[]): Catalogue {
  const packages = new Map<string, CatalogueEntry>()
  const scopes = new Map<string, CatalogueEntry>()
  const hosts = new Map<string, CatalogueEntry>()
  const patterns: { text: string; entry: CatalogueEntry }[] = []
  for (const entry of entries) {
    for (const name of entry.packages ?? []) {
      const [map, key] = name.endsWith('/*') ? [scopes, name.slice(0, -2)] : [packages, name.toLowerCase()]
      if (!map.has(key)) map.set(key, entry)
    }
    for (const host of entry.hosts ?? []) {
      if (host.includes('*')) patterns.push({ text: host, entry })
      else if (!hosts.has(host)) hosts.set(host, entry)
    }
  }
  patterns.sort((a, b) => b.text.length - a.text.length || (a.text < b.text ? -1 : 1))
  const hostPatterns = patterns.map(({ text, entry }) => ({ pattern: hostPattern(text), entry }))
  return { entries, custom: [], packages, scopes, hosts, hostPatterns }
}

/** The catalogue with the user's own effects and exceptions; exceptions are asked first. */
export function extendCatalogue(
  base: Catalogue,
  additions: { readonly effects?: readonly CustomEffect[]; readonly notEffects?: readonly CustomNonEffect[] },
): Catalogue {
  const none = (additions.notEffects ?? []).map((item) => ({ ...named(item), operation: null }))
  const effects = (additions.effects ?? []).map((item) => ({ ...named(item), operation: operationOf(item) }))
  return { ...base, custom: [...none, ...effects, ...base.custom] }
}

/** A host pattern; a star stands for any letters of the host, dots too. */
export function hostPattern(host: string): RegExp {
  return new RegExp(`^${host.toLowerCase().split('*').map(escaped).join('.*')}$`)
}

const KIND_OF_CLASS: Readonly<Record<LatencyClass, EffectKind>> = {
  'chat-model': 'spend',
  embedding: 'spend',
  'media-model': 'spend',
  email: 'message',
  'text-message': 'message',
  push: 'message',
  payment: 'money',
  'other-write': 'state',
  'edge-function': 'state',
}

function named(item: CustomNonEffect): CustomNonEffect {
  const { call, host, package: name } = item
  return {
    ...(call !== undefined && { call }),
    ...(host !== undefined && { host }),
    ...(name !== undefined && { package: name.toLowerCase() }),
  }
}

function operationOf(item: CustomEffect): Operation {
  const title = item.title ?? item.call ?? item.host ?? item.package ?? item.class
  const operation = { title, kind: item.kind ?? KIND_OF_CLASS[item.class], latency: item.class }
  const header = item.idempotencyHeader?.toLowerCase()
  return header === undefined ? operation : { ...operation, idempotency: { headers: [header] } }
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
}
