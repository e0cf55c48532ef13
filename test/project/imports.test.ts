import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openProject } from '../../src/project/index.js'
import { matches } from '../../src/project/glob.js'
import { applyImportTable, importTable } from '../../src/project/import-map.js'
import { folderOf } from './folder.js'

const ENTRY = 'supabase/functions/send/index.ts'

async function importsOf(files: Readonly<Record<string, string>>) {
  const project = await openProject(folderOf({ 'supabase/migrations/1_a.sql': '', [ENTRY]: '', ...files }))
  if (project.kind !== 'project') throw new Error(project.message)
  const map = project.importMapFor('send')
  return { map, resolve: (specifier: string, from = ENTRY) => map.resolve(specifier, from) }
}

const file = (path: string) => ({ kind: 'file', path })
const external = (specifier: string) => ({ kind: 'external', specifier })

describe('relative imports', () => {
  it('are found with and without an extension', async () => {
    const { resolve } = await importsOf({
      'supabase/functions/_shared/mail.ts': '',
      'supabase/functions/_shared/view.tsx': '',
      'supabase/functions/_shared/db/index.ts': '',
    })
    expect(resolve('../_shared/mail.ts')).toEqual(file('supabase/functions/_shared/mail.ts'))
    expect(resolve('../_shared/mail')).toEqual(file('supabase/functions/_shared/mail.ts'))
    expect(resolve('../_shared/mail.js')).toEqual(file('supabase/functions/_shared/mail.ts'))
    expect(resolve('../_shared/mail.ts?v=2')).toEqual(file('supabase/functions/_shared/mail.ts'))
    expect(resolve('../_shared/view')).toEqual(file('supabase/functions/_shared/view.tsx'))
    expect(resolve('../_shared/db')).toEqual(file('supabase/functions/_shared/db/index.ts'))
    expect(resolve('./mail.ts', 'supabase/functions/_shared/db/index.ts').kind).toBe('missing')
  })

  it('are missing where there is no file, or one outside the project', async () => {
    const { resolve } = await importsOf({})
    expect(resolve('./gone.ts')).toEqual({ kind: 'missing', path: 'supabase/functions/send/gone.ts' })
    expect(resolve('../../../../../etc/passwd').kind).toBe('missing')
  })
})

describe('import maps', () => {
  it('lead to packages, to files and to folders', async () => {
    const { resolve } = await importsOf({
      'supabase/functions/send/deno.json': `{
        // comments and trailing commas are JSONC
        "imports": { "ai": "npm:openai@4", "@shared/": "../_shared/", "mail": "../_shared/mail.ts", "esm/": "https://esm.sh/", },
      }`,
      'supabase/functions/_shared/mail.ts': '',
    })
    expect(resolve('ai')).toEqual(external('npm:openai@4'))
    expect(resolve('ai/resources')).toEqual(external('npm:openai@4/resources'))
    expect(resolve('esm/stripe@14')).toEqual(external('https://esm.sh/stripe@14'))
    expect(resolve('mail')).toEqual(file('supabase/functions/_shared/mail.ts'))
    expect(resolve('@shared/mail')).toEqual(file('supabase/functions/_shared/mail.ts'))
    expect(resolve('@shared/gone.ts')).toEqual({ kind: 'missing', path: 'supabase/functions/_shared/gone.ts' })
    expect(resolve('npm:resend@2')).toEqual(external('npm:resend@2'))
    expect(resolve('lodash')).toEqual(external('lodash'))
  })

  it('the longest prefix wins, and a scope wins over the rest', () => {
    const table = importTable(
      {
        imports: { 'a/': './one/', 'a/b/': './two/', x: 'npm:x@1', './old.ts': './new.ts' },
        scopes: { './send/': { x: 'npm:x@2' }, './send/deep/': { x: 'npm:x@3' } },
      },
      'supabase/functions',
    )
    const at = (specifier: string, from = 'supabase/functions/other/index.ts') =>
      applyImportTable(table, specifier, from)
    expect(at('a/c.ts')).toBe('/supabase/functions/one/c.ts')
    expect(at('a/b/c.ts')).toBe('/supabase/functions/two/c.ts')
    expect(at('x')).toBe('npm:x@1')
    expect(at('x', 'supabase/functions/send/index.ts')).toBe('npm:x@2')
    expect(at('x', 'supabase/functions/send/deep/a.ts')).toBe('npm:x@3')
    expect(at('../old.ts')).toBe('/supabase/functions/new.ts')
  })

  it('the function has one of its own, else the shared one; config.toml wins', async () => {
    const map = (version: number) => `{"imports":{"x":"npm:x@${version}"}}`
    const files = {
      'supabase/functions/deno.json': map(1),
      'supabase/functions/import_map.json': map(2),
      'supabase/functions/send/import_map.json': map(3),
      'supabase/functions/send/deno.jsonc': map(4),
      'supabase/functions/send/deno.json': map(5),
      'supabase/maps/x.json': map(6),
      'supabase/config.toml': '[functions.send]\nimport_map = "./maps/x.json"',
    }
    const entries = Object.entries(files)
    for (let known = 1; known <= entries.length - 1; known++) {
      if (known === 6) known = 7
      const { resolve } = await importsOf(Object.fromEntries(entries.slice(0, known)))
      expect(resolve('x')).toEqual(external(`npm:x@${Math.min(known, 6)}`))
    }
  })

  it('a deno.json may name another file; a package.json serves where there is none', async () => {
    const named = await importsOf({
      'supabase/functions/send/deno.json': '{"importMap":"../map.json"}',
      'supabase/functions/map.json': '{"imports":{"s/":"./_shared/"}}',
      'supabase/functions/_shared/a.ts': '',
    })
    expect(named.resolve('s/a.ts')).toEqual(file('supabase/functions/_shared/a.ts'))
    const { resolve } = await importsOf({
      'supabase/functions/send/package.json': '{"dependencies":{"openai":"^4.2.0","y":"npm:z@1","@w/w":"workspace:*"}}',
    })
    expect(resolve('openai')).toEqual(external('npm:openai@^4.2.0'))
    expect(resolve('y')).toEqual(external('npm:z@1'))
    expect(resolve('@w/w')).toEqual(external('@w/w'))
  })

  it('one that does not parse is a problem, and maps what could be read', async () => {
    const { map, resolve } = await importsOf({ 'supabase/functions/send/deno.json': '{"imports": [' })
    expect(map.problem).toMatchObject({
      code: 'import-map-invalid',
      location: { file: 'supabase/functions/send/deno.json' },
    })
    expect(resolve('x')).toEqual(external('x'))
    const circle = await importsOf({ 'supabase/functions/send/deno.json': '{"importMap":"./deno.json"}' })
    expect(circle.resolve('x')).toEqual(external('x'))
  })

  it('never throw', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), fc.string(), (json, specifier, from) => {
        applyImportTable(importTable({ imports: JSON.parse(json), scopes: JSON.parse(json) }, 'a'), specifier, from)
      }),
    )
  })
})

describe('globs', () => {
  it.each([
    ['*.sql', 'a.sql', true],
    ['*.sql', 'a.sqlx', false],
    ['a?c', 'abc', true],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a]*', 'bcd', true],
    ['a*b*c', 'aXbYbZc', true],
    ['\\*', '*', true],
    ['[', '[', true],
  ])('%s %s: %s', (pattern, name, expected) => expect(matches(pattern, name)).toBe(expected))

  it('agree with a regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 })
    fc.assert(
      fc.property(letters, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }), (pattern, name) => {
        const source = pattern.replaceAll('*', '.*').replaceAll('?', '.')
        expect(matches(pattern, name)).toBe(new RegExp(`^${source}$`).test(name))
      }),
    )
  })

  it('take no exponential time', () => {
    expect(matches('*a'.repeat(200) + 'b', 'a'.repeat(5000))).toBe(false)
  })
})
