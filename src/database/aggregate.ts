import { nameParts, type Node, type NodeOf } from '../sql/index.js'
import { as } from '../sql/index.js'
import { truth } from './compare.js'
import type { Frame } from './machine.js'
import { known, toParts } from './contents.js'
import { anyOf, fingerprint, list, NULL, number, object, SOMETHING, template, UNKNOWN, type Value } from './value.js'

const AGGREGATES = new Set(['count', 'sum', 'min', 'max', 'avg', 'array_agg', 'jsonb_agg', 'json_agg', 'string_agg'])
for (const name of ['bool_and', 'bool_or', 'every', 'jsonb_object_agg', 'json_object_agg', 'jsonb_agg_strict'])
  AGGREGATES.add(name)

export const isAggregate = (name: readonly string[]): boolean =>
  AGGREGATES.has(name.at(-1) ?? '') && (name.length === 1 || name[0] === 'pg_catalog')

/** Does the expression hold an aggregate of its own query? */
export function hasAggregate(node: Node | undefined): boolean {
  if (!node) return false
  const waiting: unknown[] = [node]
  while (waiting.length > 0) {
    const at = waiting.pop()
    if (typeof at !== 'object' || at === null) continue
    const call = (at as { FuncCall?: NodeOf<'FuncCall'> }).FuncCall
    if (call && !call.over && isAggregate(nameParts(call.funcname))) return true
    if ('SubLink' in at) continue
    waiting.push(...Object.values(at))
  }
  return false
}

/** An aggregate over the group's rows. */
export function aggregate(
  frame: Frame,
  name: string,
  call: NodeOf<'FuncCall'>,
  evaluate: (frame: Frame, node: Node | undefined) => Value,
): Value {
  const members = (frame.group ?? []).filter(
    (member) => !call.agg_filter || truth(evaluate(member.frame, call.agg_filter)) !== 'no',
  )
  const sources = members.flatMap((member) => member.sources)
  const argument = call.args?.[0]
  if (name === 'count') return sources.length > 0 ? SOMETHING : number(members.length)
  const values = members.map((member) => evaluate(member.frame, argument))
  const distinct = call.agg_distinct
    ? [...new Map(values.map((value) => [fingerprint(value), value])).values()]
    : values
  switch (name) {
    case 'array_agg':
    case 'jsonb_agg':
    case 'json_agg':
    case 'jsonb_agg_strict':
      if (sources.length > 0) return { kind: 'rows', element: anyOf(values), sources }
      return distinct.length === 0 ? NULL : list(distinct)
    case 'string_agg': {
      if (sources.length > 0) return UNKNOWN
      const separator = as(call.args?.[1], 'A_Const')?.sval?.sval ?? ''
      return distinct.length === 0
        ? NULL
        : template(
            distinct.flatMap((value, index) =>
              index === 0
                ? toParts(value)
                : [
                    ...toParts({ kind: 'text', parts: [{ kind: 'run', text: separator, from: null }] }),
                    ...toParts(value),
                  ],
            ),
          )
    }
    case 'min':
    case 'max':
      if (sources.length > 0) return UNKNOWN
      if (values.length === 0) return NULL
      return values.length === 1
        ? values[0]!
        : values.every((value) => value.kind === 'number')
          ? numeric(name, values)
          : anyOf(values)
    case 'jsonb_object_agg':
    case 'json_object_agg': {
      if (sources.length > 0) return object(new Map(), true)
      const fields = members.map((member): [string, Value] => [
        known(evaluate(member.frame, argument)) ?? '',
        evaluate(member.frame, call.args?.[1]),
      ])
      return object(new Map(fields))
    }
    default:
      return members.length === 0 ? NULL : UNKNOWN
  }
}

function numeric(name: string, values: readonly Value[]): Value {
  const numbers = values.map((value) => (value.kind === 'number' ? value.value : 0))
  return number(name === 'min' ? Math.min(...numbers) : Math.max(...numbers))
}
