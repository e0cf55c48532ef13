import type { SqlText } from './source.js'

/**
 * The statements of PL/pgSQL (PostgreSQL docs, 43.3–43.9) as a plain tree. Expressions and SQL statements stay texts with
 * exact positions and are parsed when asked: expressions by `parseExpression`, queries by `parseStatement`.
 * `at` is the whole statement.
 */
export type PlStatement =
  | PlBlock
  /** An SQL statement; its INTO clause is blanked out of `query` and stands in `into`. */
  | { readonly kind: 'sql'; readonly at: SqlText; readonly query: SqlText; readonly into: PlInto | null }
  /** PERFORM; `query` is the SELECT that it runs. */
  | { readonly kind: 'perform'; readonly at: SqlText; readonly query: SqlText }
  /** `target` as written without blanks: `v`, `v.field`, `v[1]`. */
  | { readonly kind: 'assign'; readonly at: SqlText; readonly target: string; readonly value: SqlText }
  | {
      readonly kind: 'if'
      readonly at: SqlText
      readonly branches: readonly PlBranch[]
      readonly otherwise: PlStatements
    }
  /** `condition` holds the value (or list of values) that is compared with `subject`, or a condition where there is none. */
  | {
      readonly kind: 'case'
      readonly at: SqlText
      readonly subject: SqlText | null
      readonly branches: readonly PlBranch[]
      readonly otherwise: PlStatements | null
    }
  | { readonly kind: 'loop'; readonly at: SqlText; readonly label: string | null; readonly body: PlStatements }
  | {
      readonly kind: 'while'
      readonly at: SqlText
      readonly label: string | null
      readonly condition: SqlText
      readonly body: PlStatements
    }
  | {
      readonly kind: 'for-integer'
      readonly at: SqlText
      readonly label: string | null
      readonly variable: string
      readonly from: SqlText
      readonly to: SqlText
      readonly body: PlStatements
    }
  /** Over the rows of a query or of a cursor; `query` null: a cursor that is not declared here. */
  | {
      readonly kind: 'for-query'
      readonly at: SqlText
      readonly label: string | null
      readonly variables: readonly string[]
      readonly query: SqlText | null
      readonly body: PlStatements
    }
  | {
      readonly kind: 'for-dynamic'
      readonly at: SqlText
      readonly label: string | null
      readonly variables: readonly string[]
      readonly query: SqlText
      readonly using: readonly SqlText[]
      readonly body: PlStatements
    }
  | {
      readonly kind: 'foreach'
      readonly at: SqlText
      readonly label: string | null
      readonly variables: readonly string[]
      readonly array: SqlText
      readonly body: PlStatements
    }
  | {
      readonly kind: 'exit' | 'continue'
      readonly at: SqlText
      readonly label: string | null
      readonly when: SqlText | null
    }
  | { readonly kind: 'return' | 'return-next'; readonly at: SqlText; readonly value: SqlText | null }
  | { readonly kind: 'return-query'; readonly at: SqlText; readonly query: SqlText }
  | {
      readonly kind: 'return-dynamic'
      readonly at: SqlText
      readonly query: SqlText
      readonly using: readonly SqlText[]
    }
  | { readonly kind: 'raise'; readonly at: SqlText; readonly level: string }
  | {
      readonly kind: 'execute'
      readonly at: SqlText
      /** The expression that makes the statement's text. */
      readonly query: SqlText
      readonly into: PlInto | null
      readonly using: readonly SqlText[]
    }
  | {
      readonly kind: 'get-diagnostics'
      readonly at: SqlText
      readonly items: readonly { readonly target: string; readonly item: string }[]
    }
  | {
      readonly kind: 'open'
      readonly at: SqlText
      readonly cursor: string
      readonly query: SqlText | null
      readonly dynamic: boolean
    }
  | { readonly kind: 'fetch'; readonly at: SqlText; readonly cursor: string; readonly into: PlInto | null }
  | { readonly kind: 'commit' | 'rollback' | 'null' | 'assert' | 'close'; readonly at: SqlText }
  /** Not understood; it costs itself alone. */
  | { readonly kind: 'unknown'; readonly at: SqlText; readonly reason: string }

export type PlStatements = readonly PlStatement[]

export interface PlBlock {
  readonly kind: 'block'
  readonly at: SqlText
  readonly label: string | null
  readonly declarations: readonly PlDeclaration[]
  readonly body: PlStatements
  readonly handlers: readonly PlHandler[]
}

export interface PlDeclaration {
  readonly name: string
  readonly at: SqlText
  /** As written, in lower case; empty for an alias or a cursor. */
  readonly type: string
  readonly constant: boolean
  readonly value: SqlText | null
  /** `name ALIAS FOR this`. */
  readonly alias: string | null
  /** The query of a bound cursor. */
  readonly cursor: SqlText | null
}

export interface PlBranch {
  readonly condition: SqlText
  readonly body: PlStatements
}

export interface PlHandler {
  /** `unique_violation`, `others`, `sqlstate '23505'`, … in lower case. */
  readonly conditions: readonly string[]
  readonly body: PlStatements
}

export interface PlInto {
  /** As written without blanks. */
  readonly targets: readonly string[]
  readonly strict: boolean
}
