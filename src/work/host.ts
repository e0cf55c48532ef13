import { packageOf } from '../effects/index.js'
import {
  clientMethod,
  clientValue,
  isClient,
  looksLikeClient,
  schemaOption,
  type ClientData,
} from '../clients/supabase.js'
import { asSent, bringsRow, given, isOrmQuery, waits, type OrmQuery } from '../clients/builder.js'
import { extendOrm, isOrm, ormCall, ormMethod, ormProperty, ormTaints, ormTemplate } from '../clients/orm.js'
import { extend, isQuery, queryValue, type Query } from '../clients/query.js'
import {
  isResult,
  resultCompare,
  resultObject,
  resultProperty,
  resultTaints,
  resultTruth,
  rowOf,
} from '../clients/results.js'
import { failed, won } from '../clients/statement.js'
import { awaitSql, isSqlClient, sqlCall, sqlMember, sqlMethod, sqlTemplate, type SqlRun } from '../clients/sql.js'
import {
  UNKNOWN,
  assume,
  constant,
  foreign,
  opaqueCall,
  placeOf,
  unknown,
  type ForeignData,
  type Host,
  type Machine,
  type Modules,
  type Value,
} from '../typescript/index.js'
import { createActs, type Acts } from './acts.js'
import { factsOfEqual, factsOfHas, noteTest } from './conditions.js'
import type { WorkContext } from './context.js'
import { packageCall } from './packages.js'
import { responseMethod, responseProperty, type ResponseData } from './responses.js'
import { isRequest, requestMethod, requestProperty } from './incoming.js'
import type { Recorder } from './recorder.js'
import { fetchRequest } from './requests.js'
import { sendQuery } from './send.js'
import { sendSql } from './send-sql.js'
import { beginTurn } from './turns.js'

/** What the calls of an edge function mean: queries, effects, other functions; everything is written to the recorder. */
export interface WorkHost extends Host {
  readonly handlers: Acts['handlers']
  readonly callees: Acts['callees']
}

export function createHost(context: WorkContext, recorder: Recorder, modules: Modules): WorkHost {
  const acts = createActs(context, recorder, modules)

  const host: WorkHost = {
    callees: acts.callees,
    handlers: acts.handlers,

    property(value, name) {
      if (isResult(value)) return resultProperty(value, name)
      if (isRequest(value)) return requestProperty(value, name)
      if (isClient(value)) {
        const data = value.data as ClientData
        return name === null ? UNKNOWN : foreign({ ...data, part: [...data.part, name] } as ClientData)
      }
      if (value.data.type === 'response') return responseProperty(value.data as ResponseData, name, recorder)
      if (value.data.type === 'sql-client') return name === null ? UNKNOWN : sqlMember(value, name)
      if (isOrm(value)) return ormProperty(value, name) ?? UNKNOWN
      if (isQuery(value)) {
        // `const { data } = query` without await: nothing was sent.
        return UNKNOWN
      }
      return unknown(host.taints(value))
    },

    method(value, name, args, machine, site) {
      if (isClient(value)) {
        const data = value.data as ClientData
        if (data.part.length === 0) {
          const started = clientMethod(data.schema, name, args, site)
          if (started !== undefined) return started
        }
        if (data.part[0] === 'functions' && name === 'invoke') {
          const answer = acts.invoke(args, machine, site)
          return machine.object([
            ['data', answer.kind === 'unknown' ? answer : UNKNOWN],
            ['error', UNKNOWN],
          ])
        }
        const match = context.effects.matchCall({ package: '@supabase/supabase-js', path: [...data.part, name] })
        if (match && match !== 'read' && match !== 'none') return acts.effect(match, args, null, null, machine, site)
        return UNKNOWN
      }
      if (isQuery(value)) {
        if (name === 'then' || name === 'catch' || name === 'finally') return undefined
        const built = extendOrm(value.data.query, name, args, machine, site)
        if (built !== undefined) return built ?? value
        const longer = extend(value.data.query, name, args, machine)
        return longer ? queryValue(longer) : value
      }
      if (isRequest(value)) return requestMethod(value, name, args) ?? UNKNOWN
      if (value.data.type === 'response') return responseMethod(value.data as ResponseData, name, recorder)
      if (isOrm(value)) return ormMethod(value, name, args, machine, site, runSql)
      if (isSqlClient(value)) return sqlMethod(value, name, args, machine, site, runSql)
      return undefined
    },

    call(value, args, machine, site) {
      if (isSqlClient(value)) return sqlCall(value, args, machine, site, runSql)
      return ormCall(value, args, machine, site) ?? opaqueCall(machine, [value, ...args], args, site)
    },

    await(value, machine, site) {
      const rows = awaitSql(value, machine, site, runSql)
      if (rows !== undefined) return rows
      if (!isQuery(value)) return value
      const query = value.data.query
      if (isOrmQuery(query)) return awaitOrm(query, value, machine)
      const statement = sendQuery(context, recorder, query, machine)
      if (query.throws) {
        const wins = query.shape === 'one' || query.verb === 'insert'
        assume(machine.state, wins ? [`!${failed(statement.id)}`, won(statement.id)] : [`!${failed(statement.id)}`])
      }
      return resultObject(machine, statement)
    },

    items(value) {
      if (isResult(value) && (value.data.type === 'rows' || value.data.type === 'answer'))
        return {
          element: value.data.type === 'rows' ? rowOf(value.data.statement, value.data.names) : value,
          facts: [won(value.data.statement)],
        }
      if (isResult(value) && value.data.type === 'column') return { element: unknown(resultTaints(value)), facts: [] }
      return undefined
    },

    truth: (value, wanted) =>
      isResult(value) ? resultTruth(value, wanted) : isClient(value) || isQuery(value) ? (wanted ? [] : null) : [],
    compare: (value, op, other, wanted) => (isResult(value) ? resultCompare(value, op, other, wanted) : []),

    equal: (left, right, wanted, machine) => (wanted ? factsOfEqual(left, right, recorder, machine) : []),
    has: (list, item, wanted, machine) => factsOfHas(list, item, wanted, machine),
    turn: (element, list, machine) => beginTurn(element, list, recorder, machine),

    taints(value) {
      if (isResult(value)) return resultTaints(value)
      if (isRequest(value)) return new Set(['request'])
      return ormTaints(value)
    },

    external: (value, args, made, machine, site) =>
      packageCall(value, args, made, machine, site, { acts, context, recorder }),

    global(path, args, made, machine, site) {
      const name = path.join('.')
      if (made === 'new') {
        if (name === 'Request')
          return foreign({ type: 'outgoing', request: fetchRequest(args, machine, site) } as ForeignData)
        if (name === 'Response') return args[0] ?? UNKNOWN
        if (name === 'SupabaseClient') return clientValue()
        return undefined
      }
      switch (name) {
        case 'fetch':
        case 'globalThis.fetch':
          return acts.request(fetchRequest(args, machine, site), machine, site)
        case 'Deno.serve':
        case 'serve':
          acts.register(args, site, machine)
          return UNKNOWN
        case 'addEventListener':
          if (args[0]?.kind === 'const' && args[0].value === 'fetch') acts.register(args.slice(1), site, machine)
          return UNKNOWN
        case 'AbortSignal.timeout':
          return machine.object([['milliseconds', args[0] ?? UNKNOWN]])
        case 'Response.json':
          return args[0] ? { kind: 'json', of: args[0] } : UNKNOWN
        case 'console.log':
        case 'console.error':
        case 'console.warn':
        case 'console.info':
        case 'console.debug':
          return constant(undefined)
        case 'createClient':
          return clientValue(schemaOption(args, machine))
        default:
          return undefined
      }
    },

    template: (tag, strings, values, machine, site) =>
      tag.kind === 'external'
        ? ormTemplate(packageOf(tag.specifier) ?? '', tag, strings, values, machine, site)
        : sqlTemplate(tag, strings, values, machine, site, runSql),

    opaque(value, name, args, machine, site) {
      if (name !== null && looksLikeClient(name, args)) return clientMethod(null, name, args, site)
      if (name === 'invoke' && args[0]?.kind === 'const' && context.functionNames.includes(String(args[0].value)))
        return acts.invoke(args, machine, site)
      if (value.kind === 'unknown' && value.lost)
        acts.lost({ message: `calls something of ${value.lost}`, location: placeOf(site) }, args, machine, site)
      return undefined
    },

    merge(value) {
      const queries: Query[] = []
      for (const option of value.options) {
        if (option.value.kind !== 'foreign' || !isQuery(option.value)) return undefined
        queries.push(option.value.data.query)
      }
      const first = queries[0]!
      if (queries.some((query) => query.verb !== first.verb || query.site.node !== first.site.node)) return undefined
      // Filters that all paths share come first; the rest is there on some paths only and proves nothing.
      const shared = first.filters.filter((filter) => queries.every((query) => query.filters.includes(filter)))
      const extra = [...new Set(queries.flatMap((query) => query.filters))].filter((filter) => !shared.includes(filter))
      const columns = extra.flatMap((filter) => ('column' in filter ? [filter.column] : []))
      const optional =
        extra.length === 0 ? [] : [{ kind: 'other' as const, columns, text: 'further conditions on some paths' }]
      return queryValue({ ...queries[queries.length - 1]!, filters: [...shared, ...optional] })
    },

    dropped(value, machine) {
      // Statements on their own: a query that nobody awaits is not sent; a `then` has awaited it.
      if (value.kind !== 'foreign' || !isQuery(value) || value.data.query.verb === 'select') return
      const { query } = value.data
      const ready = isOrmQuery(query) && query.orm.ready
      sendQuery(context, recorder, isOrmQuery(query) ? asSent(query, machine) : query, machine, ready)
    },

    tested: (value, machine, site) => noteTest(value, recorder, machine, site),

    moduleVariable(name, value, machine) {
      const fact = `smodule:${name}`
      const sets = !(value.kind === 'const' && !value.value)
      if (sets && machine.state.facts.has(`mmodule:${name}`)) assume(machine.state, [fact])
    },

    mark: () => recorder.events.length,
    rollback(mark) {
      recorder.events.length = mark
    },
  }

  /** A query of an ORM gives rows and throws where it fails; one that still waits for its `execute()` is not sent. */
  const awaitOrm = (query: OrmQuery, value: Value, machine: Machine): Value => {
    const statement = sendQuery(context, recorder, asSent(query, machine), machine, !waits(query))
    if (waits(query)) return value
    const facts = bringsRow(query) ? [won(statement.id)] : []
    assume(machine.state, [`!${failed(statement.id)}`, ...facts])
    return given(query, statement, machine)
  }

  const runSql: SqlRun = (run, machine) => sendSql(context, recorder, run, machine)

  return host
}
