import { ts } from 'ts-morph'
import type { Files } from './folder.js'

/** Words that the platform or the language gives a meaning: a column of that name keeps it. */
const TAKEN = new Set(
  `id body text date day name time key value url method headers signal count data error length status message kind type
  new old returning now all any row rows begin end first last from select event limit order position result user role
  public cron net vault format set get add has delete map filter find push values keys entries json then`.split(/\s+/),
)

/** Gives every table, column, routine, parameter and local variable another name, the same in SQL and TypeScript. */
export function renamed(files: Files, seed: number): Files {
  const next = random(seed)
  const used = new Set<string>()
  const fresh = (): string => {
    for (;;) {
      const name = `q${Math.floor(next() * 36 ** 5).toString(36)}z`
      if (!used.has(name)) return (used.add(name), name)
    }
  }
  const give = (words: Iterable<string>): Map<string, string> =>
    new Map([...new Set(words)].filter((word) => !TAKEN.has(word)).map((word) => [word, fresh()]))
  const isCode = (path: string) => path.endsWith('.ts')
  const sql = Object.entries(files).flatMap(([path, text]) => (path.endsWith('.sql') ? [text] : []))
  const shared = give(sql.flatMap(sqlNames))
  const own = give(Object.entries(files).flatMap(([path, text]) => (isCode(path) ? localNames(parse(path, text)) : [])))
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      path.endsWith('.sql')
        ? renameSql(text, shared)
        : isCode(path)
          ? renameCode(parse(path, text), shared, own)
          : text,
    ]),
  )
}

const parse = (path: string, text: string) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)

/** mulberry32. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Tables and their columns, routines and their parameters and variables. */
function sqlNames(text: string): string[] {
  const names: string[] = []
  for (const [, name, at] of matches(text, /create table (?:if not exists )?(?:public\.)?(\w+)\s*\(/gi)) {
    names.push(name!)
    for (const part of parts(text, at))
      if (!/^(primary|unique|foreign|check|constraint|exclude)\b/i.test(part)) names.push(/^\w+/.exec(part)?.[0] ?? '')
  }
  for (const [, name, at] of matches(text, /create (?:or replace )?function (?:public\.)?(\w+)\s*\(/gi)) {
    names.push(name!)
    for (const part of parts(text, at)) names.push(/^\w+/.exec(part)?.[0] ?? '')
  }
  for (const match of text.matchAll(/\bdeclare\b([\s\S]*?)\bbegin\b/gi))
    for (const line of match[1]!.matchAll(/^\s*(\w+)\s/gm)) names.push(line[1]!)
  return names.filter((name) => name !== '')
}

const matches = (text: string, pattern: RegExp): [string, string | undefined, number][] =>
  [...text.matchAll(pattern)].map((match) => [match[0], match[1]?.toLowerCase(), match.index + match[0].length])

/** What stands between commas, up to the closing parenthesis. */
function parts(text: string, from: number): string[] {
  const found: string[] = []
  let depth = 0
  let start = from
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '(') depth++
    else if ((char === ')' || char === ',') && depth === 0) {
      found.push(text.slice(start, at).replace(/--.*$/gm, '').trim())
      start = at + 1
      if (char === ')') break
    } else if (char === ')') depth--
  }
  return found
}

function renameSql(text: string, names: ReadonlyMap<string, string>): string {
  const word = (name: string) => names.get(name) ?? name
  return text.replace(/--.*$|'(?:[^']|'')*'|\b[a-z_]\w*\b/gim, (token) => {
    if (token.startsWith('--')) return token
    if (!token.startsWith("'")) return word(token)
    if (/\b(select|perform|call)\b/i.test(token) && !token.includes('://'))
      return `'${renameSql(token.slice(1, -1), names)}'`
    return `'${word(token.slice(1, -1))}'`
  })
}

/** Variables, parameters, functions and classes that a file declares. */
function localNames(file: ts.SourceFile): string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (
      (ts.isVariableDeclaration(node) || ts.isBindingElement(node) || ts.isParameter(node)) &&
      ts.isIdentifier(node.name)
    )
      names.push(node.name.text)
    if ((ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && node.name) names.push(node.name.text)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return names
}

function renameCode(
  file: ts.SourceFile,
  shared: ReadonlyMap<string, string>,
  own: ReadonlyMap<string, string>,
): string {
  const edits: { from: number; to: number; text: string }[] = []
  const edit = (node: ts.Node, text: string) => edits.push({ from: node.getStart(), to: node.end, text })
  const property = (name: string) => shared.get(name) ?? name
  const variable = (name: string) => own.get(name) ?? name
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && !(node.moduleSpecifier as ts.StringLiteral).text.startsWith('.')) return
    if (ts.isIdentifier(node)) edit(node, identifier(node, property, variable))
    else if (
      ts.isStringLiteral(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    )
      edit(node, words(node.getText(), property))
    else ts.forEachChild(node, visit)
  }
  visit(file)
  return edits
    .sort((a, b) => b.from - a.from)
    .reduce((text, each) => text.slice(0, each.from) + each.text + text.slice(each.to), file.text)
}

/** The names in a text for PostgREST or SQL; addresses of others and modules are left alone. */
const words = (text: string, rename: (name: string) => string): string =>
  /:\/\/|npm:|jsr:|^.\.{1,2}\//.test(text) || (/\/v\d/.test(text) && !text.includes('/rest/v1/'))
    ? text
    : text.replace(/\b[a-z_]\w*\b/g, rename)

function identifier(
  node: ts.Identifier,
  property: (name: string) => string,
  variable: (name: string) => string,
): string {
  const { parent, text } = node
  if (ts.isShorthandPropertyAssignment(parent)) return `${property(text)}: ${variable(text)}`
  if (ts.isBindingElement(parent)) {
    if (parent.propertyName === node) return property(text)
    if (
      parent.name === node &&
      !parent.propertyName &&
      !parent.dotDotDotToken &&
      ts.isObjectBindingPattern(parent.parent)
    )
      return `${property(text)}: ${variable(text)}`
    return variable(text)
  }
  const isMember =
    ((ts.isPropertyAccessExpression(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isMethodDeclaration(parent)) &&
      parent.name === node) ||
    (ts.isQualifiedName(parent) && parent.right === node)
  return isMember ? property(text) : variable(text)
}
