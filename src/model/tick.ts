import type { Location } from './span.js'
import type { SqlPick, SqlTaking } from './claim.js'

/** A pg_cron job that is still scheduled once all migrations have run, and that sends an HTTP request. */
export interface Tick {
  readonly name: string | null
  readonly schedule: string
  /** The smallest gap between two firings; null where the schedule is not one. */
  readonly intervalSeconds: number | null
  readonly active: boolean
  readonly location: Location
  readonly dispatches: readonly Dispatch[]
}

/** One `net.http_post`/`http_get` that a tick reaches. */
export interface Dispatch {
  /** The edge function's name as the URL says it; null: not an edge function, or not known. */
  readonly function: string | null
  /** What is known of the URL; "…" stands for what is not. */
  readonly url: string
  /** The SQL functions on the way, outermost first. */
  readonly via: readonly string[]
  readonly location: Location
  /** One request for each row of a query. */
  readonly fanout: boolean
  readonly body: BodyValue
  /** The rows whose values stand in the body, or that the fan-out walks over; null: none. */
  readonly rows: DispatchRows | null
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly assumed?: string
  readonly unresolved?: string
}

/** The rows that a dispatch hands on: taken by the SQL (then `taking` is sound), or only picked. */
export interface DispatchRows {
  readonly table: string | null
  readonly taking: SqlTaking | null
  readonly pick: SqlPick | null
}

/** The request's JSON body, as far as the SQL shows it. */
export type BodyValue =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, BodyValue>> }
  | { readonly kind: 'array'; readonly items: readonly BodyValue[] }
  /** A column of the one row that this request is about. */
  | { readonly kind: 'column'; readonly column: string }
  /** The whole row that this request is about. */
  | { readonly kind: 'row' }
  /** A list of rows (jsonb_agg); `element` is what stands for each. */
  | { readonly kind: 'rows'; readonly element: BodyValue }
  | { readonly kind: 'unknown' }
