import type { Operand, Predicate } from '../model/index.js'
import { parseExpression, type SqlText } from '../sql/index.js'
import { allOf } from './algebra.js'
import type { Scope, SqlEnv } from './env.js'
import { operandOf } from './operand.js'
import { predicateOf } from './predicate.js'
import { conjunctNodes, subselectLink, type Context, type Rows } from './rows.js'

/** The table whose row a piece of SQL speaks of. */
export interface About {
  readonly schema: string | null
  readonly name: string
}

/** A condition on the row, and the queries over which it finds the row. */
export interface Asked {
  readonly own: Predicate | null
  readonly finders: readonly Rows[]
}

/** A piece of SQL that stands alone as a condition: what a query builder puts into its WHERE as it is. */
export function readCondition(text: SqlText, about: About, env: SqlEnv): Asked {
  const expression = parseExpression(text)
  if (!expression.ok) return { own: { kind: 'other', text: text.text, columns: namesIn(text.text) }, finders: [] }
  const scope = scopeOn(about, expression.source, env)
  const context: Context = { env, source: expression.source, named: new Map() }
  const own: Predicate[] = []
  const finders: Rows[] = []
  for (const term of conjunctNodes(expression.node)) {
    const link = subselectLink(term, scope, context)
    if (link && link.rows.table === about.name) finders.push(link.rows)
    else own.push(predicateOf(term, scope))
  }
  return { own: allOf(own), finders }
}

/** A piece of SQL that stands alone as a value: `now() + interval '5 minutes'`, `"tries" + 1`. */
export function readValue(text: SqlText, about: About, env: SqlEnv): Operand | null {
  const expression = parseExpression(text)
  return expression.ok ? operandOf(expression.node, scopeOn(about, expression.source, env)) : null
}

const scopeOn = (about: About, source: SqlText, env: SqlEnv): Scope => ({
  env,
  source,
  target: { alias: about.name, name: about.name, table: env.table(about.schema, about.name) },
  others: new Map(),
})

/** Every word of a text that cannot be parsed may be a column that it asks about. */
const namesIn = (text: string): string[] => [...new Set(text.match(/[a-z_]\w*/gi) ?? [])]
