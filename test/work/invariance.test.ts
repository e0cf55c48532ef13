import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { format, type Options } from 'prettier'
import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { fixtures } from '../fixtures/projects.js'
import type { Finding } from '../../src/model/index.js'
import { auditFiles, shapeOf, type Files } from './folder.js'
import { renamed } from './rename.js'

/** Every project of src/fixtures, as texts. */
const projects = fixtures().map((fixture) => ({ name: fixture.name, files: readFiles(fixture.path) }))

function readFiles(root: string): Files {
  return Object.fromEntries(
    readdirSync(join(root, 'supabase'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(root, path), readFileSync(path, 'utf8')]),
  )
}

const isCode = (path: string) => /\.[cm]?[jt]sx?$/.test(path)

async function mapCode(files: Files, change: (text: string, path: string) => string | Promise<string>): Promise<Files> {
  const changed = await Promise.all(
    Object.entries(files).map(async ([path, text]) => [path, isCode(path) ? await change(text, path) : text] as const),
  )
  return Object.fromEntries(changed)
}

const NARROW: Options = {
  printWidth: 40,
  semi: true,
  singleQuote: false,
  tabWidth: 8,
  trailingComma: 'all',
  arrowParens: 'always',
  objectWrap: 'preserve',
}
const WIDE: Options = {
  printWidth: 400,
  semi: false,
  singleQuote: true,
  tabWidth: 1,
  trailingComma: 'none',
  arrowParens: 'avoid',
  objectWrap: 'collapse',
}

/** The code without its comments; strings and templates are left as they are. */
function withoutComments(text: string): string {
  const file = ts.createSourceFile('m.ts', text, ts.ScriptTarget.Latest, true)
  const spans = new Map<number, number>()
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) return
    for (const range of ts.getLeadingCommentRanges(text, node.pos) ?? []) spans.set(range.pos, range.end)
    for (const range of ts.getTrailingCommentRanges(text, node.end) ?? []) spans.set(range.pos, range.end)
    node.getChildren(file).forEach(visit)
  }
  visit(file)
  return [...spans]
    .sort(([a], [b]) => b - a)
    .reduce((all, [from, to]) => `${all.slice(0, from)} ${all.slice(to)}`, text)
}

const sqlWithoutComments = (path: string, text: string) =>
  path.endsWith('.sql') ? text.replace(/^\s*--.*$/gm, '') : text

describe.each(projects)('$name', ({ name, files }) => {
  it('says the same however it is printed, commented and named', async () => {
    const original = shapeOf(await auditFiles(files))
    const bare: Files = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [
        path,
        isCode(path) ? withoutComments(text) : sqlWithoutComments(path, text),
      ]),
    )
    const versions: Record<string, Files> = {
      'printed narrow': await mapCode(files, (text) => format(text, { ...NARROW, parser: 'typescript' })),
      'printed wide, without comments': await mapCode(bare, (text) => format(text, { ...WIDE, parser: 'typescript' })),
      'with other names': renamed(files, name.length),
    }
    expect(versions['with other names']).not.toEqual(files)
    for (const [version, changed] of Object.entries(versions))
      expect({ version, ...shapeOf(await auditFiles(changed)) }).toEqual({ version, ...original })
  })
})

/** The statement of a block in which a place lies, and how one leaves its turn: a loop's, or a callback's. */
function statementAt(text: string, line: number, column: number): { start: number; leave: 'continue' | 'return' } {
  const file = ts.createSourceFile('m.ts', text, ts.ScriptTarget.Latest, true)
  const position = file.getPositionOfLineAndCharacter(line - 1, column - 1)
  let start = 0
  let leave: 'continue' | 'return' = 'return'
  const visit = (node: ts.Node): void => {
    if (position < node.getStart() || position >= node.end) return
    if (ts.isFunctionLike(node)) leave = 'return'
    if (ts.isIterationStatement(node, false)) leave = 'continue'
    if (ts.isBlock(node.parent ?? node)) start = node.getStart()
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { start, leave }
}

/** The project with the printed claim before the first effect, and with the ledger that it asks for. */
function mended(files: Files, { fix, effects }: Finding): Files {
  const { file, startLine, startColumn } = effects[0]!.location
  const text = files[file]!
  const { start, leave } = statementAt(text, startLine, startColumn)
  const ledger = /\/\* in a migration:\n([\s\S]*?)\*\//.exec(fix.code!)?.[1]
  const code = fix.code!.replace(/\bcontinue\b/g, leave)
  return {
    ...files,
    [file]: `${text.slice(0, start)}${code}\n${text.slice(start)}`,
    ...(ledger === undefined ? {} : { 'supabase/migrations/99999999999999_ledger.sql': ledger }),
  }
}

describe('printed fixes', () => {
  it('that take the row in TypeScript make the loop safe where they are put', async () => {
    const tally = { put: 0, sql: 0, none: [] as string[] }
    for (const { name, files } of projects)
      for (const finding of (await auditFiles(files)).findings) {
        const { code, language } = finding.fix
        expect(finding.fix.steps.length).toBeGreaterThan(0)
        if (code === null) tally.none.push(finding.ruleId)
        else if (language === 'sql') tally.sql++
        else {
          const report = await auditFiles(mended(files, finding))
          const verdict = report.functions.find((each) => each.name === finding.function)?.verdict
          expect({ name, verdict, reasons: report.findings.map((each) => each.ruleId) }).toEqual({
            name,
            verdict: 'safe',
            reasons: [],
          })
          tally.put++
        }
      }
    expect(tally).toEqual({ put: 14, sql: 4, none: [] })
  })

  it('that write a record print the record, its key and a unique key', async () => {
    const texts: string[] = []
    for (const { files } of projects)
      for (const { ruleId, fix } of (await auditFiles(files)).findings)
        if (/^(insert|upsert|check)-/.test(ruleId)) texts.push(fix.code ?? `no code for ${ruleId}`)
    expect(texts.filter((text) => /no code|as it is written now|onConflict: 'id'/.test(text))).toEqual([])
  })
})
