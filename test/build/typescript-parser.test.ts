import fc from 'fast-check'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ts } from 'ts-morph'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compilerLicence, parserModule } from '../../src/build/typescript-parser.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const NAMES = [
  'createSourceFile',
  'forEachChild',
  'flattenDiagnosticMessageText',
  'ScriptTarget',
  'SyntaxKind',
  'isBlock',
]

let folder: string
let small: typeof ts
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tick-audit-parser-'))
  writeFileSync(join(folder, 'parser.mjs'), parserModule([...NAMES, 'SourceFile']))
  small = (await import(pathToFileURL(join(folder, 'parser.mjs')).href)) as typeof ts
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** All that a parser says of a text: every node with its kind, place, flags and text, and every error. */
function saidBy(parser: typeof ts, path: string, text: string): string {
  const file = parser.createSourceFile(path, text, parser.ScriptTarget.Latest, true)
  const said: string[] = []
  const visit = (node: ts.Node, depth: number): void => {
    const own = node as { text?: unknown; operator?: unknown }
    const up = node.parent === undefined ? 'none' : node.parent.kind
    said.push(
      [depth, node.kind, node.getStart(), node.end, node.flags, up, own.text, own.operator].map(String).join(' '),
    )
    parser.forEachChild(node, (child) => visit(child, depth + 1))
  }
  visit(file, 0)
  const { parseDiagnostics } = file as unknown as { parseDiagnostics: readonly ts.DiagnosticWithLocation[] }
  for (const { start, length, code, messageText } of parseDiagnostics)
    said.push(`${code} ${start} ${length} ${parser.flattenDiagnosticMessageText(messageText, '\n')}`)
  return said.join('\n')
}

const sources = ['src', 'test']
  .flatMap((top) => readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((file) => join(top, file)))
  .filter((file) => /\.[cm]?tsx?$/.test(file) && !file.includes('node_modules'))
  .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)

const ODD = [
  ['generics.tsx', 'const a = <T,>(x: T) => <b c={x} {...x}>{x}<></></b>;'],
  [
    'decorators.ts',
    '@a @b() class C<const T> extends D { @c accessor x = 1; static { using y = z } declare w: string; #p?: 1 }',
  ],
  ['types.ts', 'type A<T> = T extends `${infer U}-x` ? { readonly [K in keyof U as `a${K}`]-?: U[K] } : unique symbol'],
  [
    'module.mts',
    'import a, { type b as c } from "d" with { type: "json" }; export * as e from "f"; export = a; import g = require("h")',
  ],
  [
    'old.ts',
    'namespace A.B { enum C { D = 1 << 2, E } } declare global { var x } abstract class F { abstract g(): asserts this is F }',
  ],
  ['broken.ts', 'const = ; if (a { b( } class { x: ; `${ ` /* never closed'],
  ['hostile.ts', '\uFEFF#!/usr/bin/env node\n/* */ \u2028 "\\u{110000}" 0b12 1__0 /[/u 💥 \u0000'],
  [
    'plain.js',
    '/** @type {import("./a").B<string>} @param {number} [x=1] */ let a = async function* () { yield* await b?.c!.d }',
  ],
] as const

describe('the parser that is taken out of the compiler', () => {
  it('says of every file of this project what the whole compiler says', () => {
    expect(sources.length).toBeGreaterThan(300)
    for (const [path, text] of sources) expect(saidBy(small, path, text), path).toBe(saidBy(ts, path, text))
  })

  it.each(ODD)('says the same of %s', (path, text) => {
    expect(saidBy(small, path, text)).toBe(saidBy(ts, path, text))
  })

  it('says the same of files that were cut and mixed up', () => {
    const piece = fc
      .tuple(fc.nat(sources.length - 1), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(300))
      .map(([file, from, length]) => {
        const text = sources[file]![1]
        const start = Math.floor(from * text.length)
        return text.slice(start, start + length)
      })
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 6 }),
        fc.constantFrom('a.ts', 'a.tsx', 'a.js', 'a.mts'),
        (pieces, path) => {
          const text = pieces.join('')
          expect(saidBy(small, path, text)).toBe(saidBy(ts, path, text))
        },
      ),
      { numRuns: 100 },
    )
  })

  it('exports the names that the compiler declares, and leaves its types out', () => {
    expect(Object.keys(small).sort()).toEqual([...NAMES].sort())
    expect(small.SyntaxKind).toEqual(ts.SyntaxKind)
  })

  it('is a tenth of the compiler, which is why it is made', () => {
    expect(readFileSync(join(folder, 'parser.mjs')).length).toBeLessThan(1_500_000)
  })

  it('comes with the licence under which it is passed on', () => {
    expect(compilerLicence()).toMatch(/Copyright \(c\) Microsoft[^]+Apache License\s+Version 2\.0[^]+END OF TERMS/)
  })
})

describe('what is kept', () => {
  const compiler = (body: string) => `/*! c */\nvar ts = {}; ((module) => {\n${body}\n})(ts)`

  it('is what the names need, and what fills it', () => {
    const text = compiler(`
function used() { return helper.kind + Space.name }
function helper() {}
function unused() { return used() }
var Space;
((Space2) => { Space2.name = later })(Space || (Space = {}));
helper.kind = 1;
unused.kind = 2;
var later = 3, { never } = {};
register(unused);`)
    const module = parserModule(['used', 'NoSuchType'], text)
    for (const kept of [
      'function used',
      'function helper',
      'Space2.name',
      'helper.kind = 1',
      'var later = 3',
      'export { used }',
    ])
      expect(module).toContain(kept)
    for (const gone of ['unused', 'never', 'register', 'NoSuchType']) expect(module).not.toContain(gone)
  })

  it('of the messages, those that are named', () => {
    const text = compiler(`
function diag(code) { return code }
var Diagnostics = { One: diag(1), Two: diag(2) };
function parse() { return Diagnostics.Two }`)
    const module = parserModule(['parse'], text)
    expect(module).toContain('Diagnostics.Two = diag(2)')
    expect(module).not.toContain('diag(1)')
  })
})
