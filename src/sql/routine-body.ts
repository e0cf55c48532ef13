import type { CreateFunctionStmt, DefElem, DoStmt, Node } from '@pgsql/types'
import type { Statement, ParseFailure } from './parser.js'
import { parseStatements } from './parser.js'
import { tokensOf } from './expression.js'
import { parsePlpgsql } from './plpgsql.js'
import type { PlBlock } from './plpgsql-tree.js'
import { literalText, type SqlText } from './source.js'
import { as } from './walk.js'

/** What a routine or DO block runs, by its language. */
export type RoutineBody =
  | { readonly language: 'plpgsql'; readonly block: PlBlock }
  | { readonly language: 'sql'; readonly statements: readonly (Statement | ParseFailure)[] }
  | { readonly language: 'unknown'; readonly reason: string }

/** The parsed body of a CREATE FUNCTION or CREATE PROCEDURE; `source` is the text that the tree's locations refer to. */
export function routineBody(tree: CreateFunctionStmt, source: SqlText): RoutineBody {
  if (tree.sql_body) return { language: 'sql', statements: atomicStatements(tree.sql_body, source) }
  const options = (tree.options ?? []).flatMap((node) => as(node, 'DefElem') ?? [])
  return stringBody(options, source, 'sql')
}

/** The parsed body of a DO block (always PL/pgSQL unless it says otherwise). */
export function doBody(tree: DoStmt, source: SqlText): RoutineBody {
  const options = (tree.args ?? []).flatMap((node) => as(node, 'DefElem') ?? [])
  return stringBody(options, source, 'plpgsql')
}

/** The text of the body that stands in a string; null where there is none. */
export function bodyText(options: readonly DefElem[], source: SqlText): SqlText | null {
  const body = options.find((option) => option.defname === 'as')
  if (!body) return null
  // The parser gives the place of AS, or of the string itself (DO).
  const from = body.location ?? 0
  const string = tokensOf(source).find((token) => token.start >= from && token.kind === 'string')
  return string ? (literalText(source, string.start)?.content ?? null) : null
}

function stringBody(options: readonly DefElem[], source: SqlText, fallback: string): RoutineBody {
  const language = as(options.find((option) => option.defname === 'language')?.arg, 'String')?.sval ?? fallback
  const text = bodyText(options, source)
  if (!text) return { language: 'unknown', reason: 'the routine has no body that can be read' }
  if (language.toLowerCase() === 'plpgsql') return { language: 'plpgsql', block: parsePlpgsql(text) }
  if (language.toLowerCase() === 'sql') return { language: 'sql', statements: parseStatements(text) }
  return { language: 'unknown', reason: `the routine is written in ${language}` }
}

/** The statements of BEGIN ATOMIC … END, or the value of RETURN as a SELECT. */
function atomicStatements(body: Node, source: SqlText): Statement[] {
  const value = as(body, 'ReturnStmt')?.returnval
  if (value) return [{ ok: true, source, tree: selectOf(value) }]
  const outer = as(body, 'List')?.items ?? []
  const inner = outer.flatMap((item) => as(item, 'List')?.items ?? [item])
  return inner.map((tree) => {
    const returned = as(tree, 'ReturnStmt')?.returnval
    return { ok: true, source, tree: returned ? selectOf(returned) : tree }
  })
}

function selectOf(value: Node): Node {
  return { SelectStmt: { targetList: [{ ResTarget: { val: value } }] } }
}
