import type { Location, Operand, RoutineAnswer, SqlTaking } from '../model/index.js'
import {
  argument,
  callArguments,
  constantOf,
  findAll,
  locate,
  qualifiedName,
  tokenAt,
  type NodeOf,
  type SqlText,
} from '../sql/index.js'
import { bindAnswer } from './bind.js'
import type { KnownRoutine, Scope } from './env.js'
import { operandOf } from './operand.js'

/** An advisory lock taken by a call (PostgreSQL docs 9.28.10). Shared ones exclude nobody and are left out. */
export interface AdvisoryLock {
  readonly scope: 'session' | 'transaction'
  /** The `try` forms answer false instead of waiting. */
  readonly tries: boolean
  readonly location: Location
}

const LOCKS = /^pg_(try_)?advisory_(xact_)?lock$/

/** The advisory locks that are taken anywhere below a node. */
export function advisoryLocks(root: object, source: SqlText): AdvisoryLock[] {
  return findAll(root, 'FuncCall').flatMap((call) => advisoryLock(call, source) ?? [])
}

/** The advisory lock that a call takes; null for any other call. */
export function advisoryLock(call: NodeOf<'FuncCall'>, source: SqlText): AdvisoryLock | null {
  const match = LOCKS.exec(qualifiedName(call.funcname).name)
  if (!match) return null
  return {
    scope: match[2] ? 'transaction' : 'session',
    tries: match[1] !== undefined,
    location: callLocation(call, source),
  }
}

/** Does anything below send a request: pg_net's `net.http_*`, or the http extension's functions? */
export function sendsRequest(root: object): boolean {
  return findAll(root, 'FuncCall').some((call) => {
    const { schema, name } = qualifiedName(call.funcname)
    if (schema === 'net') return /^http_(get|post|delete)$/.test(name)
    return (
      /^http(_(get|post|put|patch|delete|head))?$/.test(name) &&
      (schema === null || /^(extensions|http|public)$/.test(schema))
    )
  })
}

/**
 * What pgmq gives: `read` and `read_with_poll` lock, move the visibility and return, `pop` deletes (pgmq.sql). All exclude
 * each other. Null for any other call.
 */
export function queueTaking(call: NodeOf<'FuncCall'>, scope: Scope): SqlTaking | null {
  const { schema, name } = qualifiedName(call.funcname)
  if (schema !== 'pgmq' && schema !== 'pgmq_public') return null
  if (name !== 'read' && name !== 'read_with_poll' && name !== 'pop') return null
  const queue = constantOf(argument(call, 'queue_name', 0))
  const open = schema === 'pgmq_public'
  const seconds = constantOf(argument(call, open ? 'sleep_seconds' : 'vt', 1))
  const quantity = argument(call, open ? 'n' : 'qty', 2)
  const until: Operand = { kind: 'now', offset: typeof seconds === 'number' ? seconds * 1000 : null, later: true }
  return {
    table: typeof queue === 'string' ? `q_${queue}` : null,
    where: { kind: 'compare', column: 'vt', op: '<=', operand: { kind: 'now', offset: 0 } },
    change: name === 'pop' ? { kind: 'delete' } : { kind: 'set', assignments: [{ column: 'vt', operand: until }] },
    soundness: 'sound',
    location: callLocation(call, scope.source),
    limit: name === 'pop' ? { kind: 'literal', value: 1 } : quantity ? operandOf(quantity, scope) : null,
    keys: [],
  }
}

/** Functions of PostgreSQL and its usual extensions that read no table: what they give are values. */
const BUILT_IN = new RegExp(
  `^(${[
    'unnest|generate_\\w+|jsonb?_\\w+|to_jsonb?|row_to_json|array_\\w+|cardinality|string_\\w+|regexp_\\w+|pg_\\w+',
    'count|max|min|sum|avg|bool_and|bool_or|every|row_number|rank|lag|lead|first_value|last_value|ntile|coalesce|nullif|greatest|least',
    'lower|upper|initcap|[lrb]?trim|[lr]pad|md5|sha\\d+|encode|decode|replace|translate|concat|concat_ws|format|quote_\\w+|split_part',
    '(char_|octet_|bit_)?length|substr|substring|left|right|position|strpos|overlay|reverse|repeat|starts_with|ascii|chr',
    'abs|ceil|ceiling|floor|round|trunc|mod|power|sqrt|exp|ln|log|sign|random|setseed|width_bucket|hashtext\\w*',
    'now|clock_timestamp|statement_timestamp|transaction_timestamp|timezone|age|date|date_\\w+|extract|make_\\w+|to_(char|date|timestamp|number)|justify_\\w+',
    'gen_random_\\w+|uuid\\w*|digest|hmac|crypt|gen_salt|pgp_\\w+|armor|dearmor|(word_)?similarity|unaccent|levenshtein|ts_\\w+|\\w*to_tsquery|to_tsvector',
    'current_setting|set_config|nextval|currval|setval|lastval|version|txid_\\w+|has_\\w+_privilege|inet_\\w+|st_\\w+',
  ].join('|')})$`,
)

/** Schemas of the platform: what their functions give are no rows to work on. */
const SYSTEM = new Set([
  'pg_catalog',
  'net',
  'cron',
  'vault',
  'extensions',
  'http',
  'auth',
  'storage',
  'realtime',
  'pgmq',
  'pgmq_public',
])

/** What a call in FROM or in a SELECT list gives, as far as rows go. */
export function callAnswer(call: NodeOf<'FuncCall'>, scope: Scope): RoutineAnswer {
  const lock = advisoryLock(call, scope.source)
  if (lock) return lock.tries ? { kind: 'lock', scope: lock.scope, location: lock.location } : { kind: 'other' }
  const taking = queueTaking(call, scope)
  if (taking) return { kind: 'rows', taking }
  const { schema, name } = qualifiedName(call.funcname)
  const routine = scope.env.routine(schema, name, callArguments(call).length)
  if (routine) return bound(routine, call, scope)
  if (schema === null ? BUILT_IN.test(name) : SYSTEM.has(schema)) return { kind: 'other' }
  return { kind: 'unknown', reason: `the routine ${name} is not known`, location: callLocation(call, scope.source) }
}

/** The answer of a routine with the values that this call passes. */
function bound(routine: KnownRoutine, call: NodeOf<'FuncCall'>, scope: Scope): RoutineAnswer {
  const values = new Map<string, Operand>()
  callArguments(call).forEach(({ name, value }, index) => {
    const parameter = name ?? routine.parameters[index] ?? `$${index + 1}`
    values.set(parameter, operandOf(value, scope))
  })
  return bindAnswer(routine.summary.answer, values)
}

/** Where a call stands: its name. */
export function callLocation(call: NodeOf<'FuncCall'>, source: SqlText): Location {
  const start = call.location ?? 0
  return locate(source, start, tokenAt(source, start)?.end ?? start + 1)
}
