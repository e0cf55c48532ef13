import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ts } from 'ts-morph'

/** A declaration at the top level of the compiler, or a statement that fills one. */
interface Piece {
  readonly text: string
  readonly declares: readonly string[]
  readonly fills: string | null
  /** Every name that it mentions, whatever it means there: too much may be kept, never too little. */
  readonly mentions: ReadonlySet<string>
}

/** The catalogue of messages, half a megabyte: each message is a piece of its own, under the name `Diagnostics.name`. */
const MESSAGES = 'Diagnostics'

/** What gives the trees their methods (`getStart`, `getText`). */
const METHODS = 'setObjectAllocator'

/**
 * The compiler as ts-morph ships it: one CommonJS file of nine megabytes, of which the parser needs a tenth. Loading all of
 * it takes a quarter of a second, more than all else that an audit of a small project needs (measured, Node 20).
 */
export function compilerText(): string {
  const tsMorph = createRequire(import.meta.url).resolve('ts-morph')
  return readFileSync(join(dirname(createRequire(tsMorph).resolve('@ts-morph/common')), 'typescript.js'), 'utf8')
}

/** Its copyright, and the licence under which a part of it may be passed on. */
export function compilerLicence(): string {
  const { resolve } = createRequire(import.meta.url)
  const licence = readFileSync(join(dirname(resolve('typescript/package.json')), 'LICENSE.txt'), 'utf8')
  const copyright = /^\/\*![\s*]*([^]*?)[\s*]*\*\//.exec(compilerText())?.[1]
  if (copyright === undefined) throw new Error('the compiler says nothing of its copyright')
  return `Parts of the TypeScript compiler are contained in these files, without changes to the parts.\n\n${copyright}\n\n${licence}`
}

/**
 * An ES module that exports these names of the compiler, and holds what they need: the declarations that they mention, those
 * that these mention, and so on. Names that the compiler does not declare (its types) are left out.
 */
export function parserModule(names: Iterable<string>, compiler = compilerText()): string {
  const pieces = piecesOf(ts.createSourceFile('typescript.js', compiler, ts.ScriptTarget.Latest, true))
  const byName = new Map<string, Piece[]>()
  for (const piece of pieces)
    for (const name of [...piece.declares, ...(piece.fills === null ? [] : [piece.fills])])
      byName.set(name, [...(byName.get(name) ?? []), piece])
  const exported = [...new Set(names)].filter((name) => byName.has(name)).sort()
  const kept = new Set<Piece>()
  const reached = new Set(exported)
  for (const name of reached)
    for (const piece of byName.get(name) ?? [])
      if (!kept.has(piece)) {
        kept.add(piece)
        for (const mentioned of piece.mentions) reached.add(mentioned)
      }
  const code = pieces.filter((piece) => kept.has(piece)).map((piece) => piece.text)
  return [`var ${MESSAGES} = {};`, ...code, `export { ${exported.join(', ')} };`, ''].join('\n')
}

function piecesOf(file: ts.SourceFile): Piece[] {
  return topLevelOf(file).flatMap((statement): Piece[] => {
    const mentions = () => mentionedIn(statement)
    const text = statement.getText(file)
    if (ts.isFunctionDeclaration(statement))
      return [{ text, declares: [statement.name!.text], fills: null, mentions: mentions() }]
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap((each) => piecesOfVariable(each, file))
    const fills = filledBy(statement)
    return fills === null ? [] : [{ text, declares: [], fills, mentions: mentions() }]
  })
}

/** What stands in the function that wraps all of the compiler. */
function topLevelOf(file: ts.SourceFile): readonly ts.Statement[] {
  let body: ts.NodeArray<ts.Statement> = file.statements
  ts.forEachChild(file, function visit(node): void {
    if (ts.isArrowFunction(node) && ts.isBlock(node.body) && node.body.statements.length > body.length)
      body = node.body.statements
    else if (!ts.isFunctionDeclaration(node)) ts.forEachChild(node, visit)
  })
  return body
}

function piecesOfVariable(declaration: ts.VariableDeclaration, file: ts.SourceFile): Piece[] {
  const { name, initializer } = declaration
  if (name.getText(file) === MESSAGES && initializer && ts.isObjectLiteralExpression(initializer))
    return initializer.properties.map((message) => {
      const key = `${MESSAGES}.${message.name!.getText(file)}`
      const value = (message as ts.PropertyAssignment).initializer
      return { text: `${key} = ${value.getText(file)};`, declares: [key], fills: null, mentions: mentionedIn(value) }
    })
  const text = `var ${declaration.getText(file)};`
  return [{ text, declares: boundNames(name), fills: null, mentions: mentionedIn(declaration) }]
}

const boundNames = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []))

/** The declaration that a statement fills: `(ns => { … })(ns || (ns = {}))`, `a.b = c`. Null: none that a parser needs. */
function filledBy(statement: ts.Statement): string | null {
  if (!ts.isExpressionStatement(statement)) return null
  let { expression } = statement
  if (ts.isCallExpression(expression)) {
    if (ts.isIdentifier(expression.expression))
      return expression.expression.text === METHODS ? 'createSourceFile' : null
    const argument = expression.arguments[0]
    return argument && ts.isBinaryExpression(argument) && ts.isIdentifier(argument.left) ? argument.left.text : null
  }
  if (!ts.isBinaryExpression(expression)) return null
  for (expression = expression.left; ts.isPropertyAccessExpression(expression);) expression = expression.expression
  return ts.isIdentifier(expression) ? expression.text : null
}

function mentionedIn(node: ts.Node): Set<string> {
  const names = new Set<string>()
  const visit = (at: ts.Node): void => {
    if (ts.isPropertyAccessExpression(at) && at.expression.getText() === MESSAGES)
      names.add(`${MESSAGES}.${at.name.text}`)
    else if (ts.isPropertyAccessExpression(at)) visit(at.expression)
    else if (ts.isIdentifier(at)) names.add(at.text)
    else if (ts.isPropertyAssignment(at) && ts.isIdentifier(at.name)) visit(at.initializer)
    else ts.forEachChild(at, visit)
  }
  visit(node)
  return names
}
