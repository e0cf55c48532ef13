import type { A_Const, ColumnRef, FuncCall, Node, RangeVar, SelectStmt, TypeName } from '@pgsql/types'
import { tokenize, type Token } from './lexer.js'
import { literalText, locate, computedText, prefixed, type SqlText } from './source.js'
import { parseStatement, type ParseFailure } from './parser.js'
import { as } from './walk.js'

/** A name with its schema, as the parser folded it; `schema` null where none is written. */
export interface QualifiedName {
  readonly schema: string | null
  readonly name: string
}

/** The strings of a list of String nodes (`funcname`, `fields` without `*`). */
export function nameParts(nodes: readonly Node[] | undefined): string[] {
  return (nodes ?? []).flatMap((node) => as(node, 'String')?.sval ?? [])
}

/** The last two parts of a dotted name. */
export function qualifiedName(nodes: readonly Node[] | undefined): QualifiedName {
  const parts = nameParts(nodes)
  return { schema: parts.at(-2) ?? null, name: parts.at(-1) ?? '' }
}

/** The name of a table in FROM, UPDATE, INSERT …. */
export function tableName(table: RangeVar): QualifiedName {
  return { schema: table.schemaname ?? null, name: table.relname ?? '' }
}

/** `schema.name` of a function called, `name` where no schema is written. */
export function functionName(call: FuncCall): string {
  return nameParts(call.funcname).slice(-2).join('.')
}

export interface Argument {
  /** Of `name => value` and `name := value`; null by position. */
  readonly name: string | null
  readonly value: Node
}

/** The arguments of a call in order. */
export function callArguments(call: FuncCall): Argument[] {
  return (call.args ?? []).map((node) => {
    const named = as(node, 'NamedArgExpr')
    return named?.arg ? { name: named.name ?? null, value: named.arg } : { name: null, value: node }
  })
}

/** The argument of that name, else the one at that position (0-based) if it is not named. */
export function argument(call: FuncCall, name: string, position: number): Node | undefined {
  const all = callArguments(call)
  const named = all.find((each) => each.name === name)
  if (named) return named.value
  const positional = all[position]
  return positional && positional.name === null ? positional.value : undefined
}

/** The value of a constant; undefined where the node is none. Casts are looked through. */
export function constantOf(node: Node | undefined): string | number | boolean | null | undefined {
  const constant = as(withoutCasts(node), 'A_Const')
  return constant ? constantValue(constant) : undefined
}

function constantValue(constant: A_Const): string | number | boolean | null {
  if (constant.isnull) return null
  if (constant.sval) return constant.sval.sval ?? ''
  if (constant.ival) return constant.ival.ival ?? 0
  if (constant.fval) return Number(constant.fval.fval ?? '0')
  if (constant.boolval) return constant.boolval.boolval ?? false
  return constant.bsval?.bsval ?? null
}

/** The expression under any number of `::type` casts and COLLATE clauses. */
export function withoutCasts(node: Node | undefined): Node | undefined {
  let current = node
  for (;;) {
    const inner = as(current, 'TypeCast')?.arg ?? as(current, 'CollateClause')?.arg
    if (!inner) return current
    current = inner
  }
}

/** The content of a string constant as a text of its own, every character mapped to where it stands; casts are looked through. */
export function stringText(source: SqlText, node: Node | undefined): SqlText | null {
  const constant = as(withoutCasts(node), 'A_Const')
  if (!constant?.sval) return null
  const value = constant.sval.sval ?? ''
  const start = constant.location ?? 0
  const literal = literalText(source, start)
  if (literal && literal.content.text === value) return literal.content
  // Forms like U&'' are not decoded here: the value is the parser's, its place the whole literal.
  return computedText(value, locate(source, start, literal?.end ?? start + 1))
}

/** Where the constant at a node stands, quotes included. */
export function constantLocation(source: SqlText, constant: A_Const): ReturnType<typeof locate> {
  const start = constant.location ?? 0
  const token = tokenAt(source, start)
  return locate(source, start, token?.end ?? start + 1)
}

/** The column names of a reference: `['t', 'id']`; a trailing `*` is left out. */
export function columnParts(reference: ColumnRef): string[] {
  return nameParts(reference.fields)
}

/** The type as written, without schema `pg_catalog` and modifiers: `uuid`, `int4`, `app.state`, `text[]`. */
export function typeText(type: TypeName | undefined): string {
  const parts = nameParts(type?.names).filter((part) => part !== 'pg_catalog')
  return parts.join('.') + (type?.arrayBounds?.length ? '[]' : '')
}

const tokens = new WeakMap<SqlText, Token[]>()

/** The lexemes of a text, made once. */
export function tokensOf(source: SqlText): readonly Token[] {
  let known = tokens.get(source)
  if (!known) tokens.set(source, (known = tokenize(source.text)))
  return known
}

/** The lexeme that starts at or covers `offset`. */
export function tokenAt(source: SqlText, offset: number): Token | undefined {
  const index = indexAt(tokensOf(source), offset)
  const token = tokensOf(source)[index]
  return token && token.end > offset && token.start <= offset ? token : undefined
}

/** The nearest lexeme before `offset` that is one of these words. Trees give no position of UPDATE, SELECT and the like. */
export function keywordBefore(source: SqlText, offset: number, ...words: readonly string[]): Token | undefined {
  const all = tokensOf(source)
  for (let index = indexAt(all, offset); index >= 0; index--) {
    const token = all[index]!
    if (token.start < offset && token.kind === 'word' && words.includes(token.value)) return token
  }
  return undefined
}

/** Index of the last lexeme of a text that starts at or before `offset`; -1 where none does. */
export function tokenIndexAt(source: SqlText, offset: number): number {
  return indexAt(tokensOf(source), offset)
}

/** Index of the last lexeme that starts at or before `offset`; -1 where none does. */
function indexAt(all: readonly Token[], offset: number): number {
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (all[middle]!.start <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A value and the text that its locations refer to. */
export interface Expression {
  readonly ok: true
  readonly source: SqlText
  readonly node: Node
}

const expressions = new WeakMap<SqlText, Expression | ParseFailure>()

/** Parses a text that is one expression (`a + 1`), as PL/pgSQL does: as `SELECT a + 1`. */
export function parseExpression(text: SqlText): Expression | ParseFailure {
  const known = expressions.get(text)
  if (known) return known
  const source = prefixed('SELECT ', text)
  const result = parseStatement(source)
  const select = result.ok ? as(result.tree, 'SelectStmt') : undefined
  const node = select && onlyValue(select)
  const expression: Expression | ParseFailure = node
    ? { ok: true, source, node }
    : {
        ok: false,
        source,
        message: result.ok ? 'not a single expression' : result.message,
        location: result.ok ? locate(source, 7, source.text.length) : result.location,
      }
  expressions.set(text, expression)
  return expression
}

/**
 * The single value of a SELECT's list. `SELECT count(*) FROM t WHERE …` is legal where PL/pgSQL wants an expression; then
 * the whole query is the value.
 */
function onlyValue(select: SelectStmt): Node | undefined {
  const value = as(select.targetList?.[0], 'ResTarget')?.val
  if (!value || select.targetList?.length !== 1) return undefined
  const plain = !select.fromClause && !select.whereClause && !select.withClause && !select.larg
  return plain ? value : { SubLink: { subLinkType: 'EXPR_SUBLINK', subselect: { SelectStmt: select }, location: 0 } }
}
