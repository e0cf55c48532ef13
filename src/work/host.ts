import { packageOf } from '../effects/index.js'
import type { EffectMatch, Reason } from '../model/index.js'
import {
  clientMethod,
  clientValue,
  isClient,
  looksLikeClient,
  makesClient,
  schemaOption,
  type ClientData,
} from '../clients/supabase.js'
import { asSent, bringsRow, given, isOrmQuery, waits, type OrmQuery } from '../clients/builder.js'
import {
  extendOrm,
  isOrm,
  ormCall,
  ormExternal,
  ormMethod,
  ormProperty,
  ormTaints,
  ormTemplate,
} from '../clients/orm.js'
import { extend, isQuery, queryValue, type Query } from '../clients/query.js'
import {
  isResult,
  resultCompare,
  resultObject,
  resultProperty,
  resultTaints,
  resultTruth,
  rowOf,
  dataOf,
} from '../clients/results.js'
import { among, asked, failed, statementOf, tested, won } from '../clients/statement.js'
import type { Request } from '../clients/postgrest.js'
import {
  awaitSql,
  isSqlClient,
  sqlCall,
  sqlMember,
  sqlFactory,
  sqlMethod,
  sqlTemplate,
  type SqlRun,
} from '../clients/sql.js'
import {
  UNKNOWN,
  assume,
  constant,
  eachOption,
  foreign,
  opaqueCall,
  placeOf,
  textOfNode,
  unite,
  unknown,
  type ForeignData,
  type Host,
  type Machine,
  type Modules,
  type Site,
  type Value,
} from '../typescript/index.js'
import { noteThrow } from '../typescript/index.js'
import type { WorkContext } from './context.js'
import { handlersOf, runHandlers } from './handlers.js'
import { askedOf, isRequest, requestMethod, requestProperty, requestValue, seenUrl, type Incoming } from './incoming.js'
import { ROUTERS, routerCall } from './routers.js'
import { createRoutes } from './routes.js'
import { isStable, keyOfCall, keyOfRequest } from './idempotency.js'
import { walkedTaints, type Recorder } from './recorder.js'
import { clientRequest, fetchRequest, propsOf, routeOf } from './requests.js'
import { externalLock, sendQuery, sendSql } from './send.js'
import { beginTurn } from './turns.js'

/** The answer to a raw request to the project's REST address. */
type ResponseData = ForeignData & { readonly type: 'response'; readonly statement: number }

/** What the calls of an edge function mean: queries, effects, other functions; everything is written to the recorder. */
export interface WorkHost extends Host {
  /** The handlers of an entry file that a request reaches. */
  readonly handlers: (machine: Machine, modules: Modules, entry: string, request: Incoming) => readonly Value[]
  /** Functions of the project that were called. */
  readonly callees: Set<string>
}

export function createHost(context: WorkContext, recorder: Recorder, modules: Modules): WorkHost {
  const registered: { file: string; handler: Value }[] = []
  const known = new Map<string, readonly Value[]>()
  const routes = createRoutes()
  const callees = new Set<string>()

  const effect = (
    match: EffectMatch,
    args: readonly Value[],
    key: Value | null,
    timeoutSeconds: number | null,
    machine: Machine,
    site: Site,
  ): Value => {
    noteThrow(machine)
    const taints = unite(args.map((arg) => machine.taints(arg)))
    recorder.events.push({
      kind: 'effect',
      match,
      site,
      walked: walkedTaints(machine, site),
      taints,
      facts: machine.state.facts,
      seen: machine.state.seen,
      key,
      keyTaints: key ? machine.taints(key) : new Set(),
      keyStable: key !== null && isStable(key),
      timeoutSeconds,
    })
    return unknown(taints)
  }

  const lost = (reason: Reason, args: readonly Value[], machine: Machine, site: Site): void => {
    recorder.events.push({
      kind: 'lost',
      reason,
      site,
      walked: walkedTaints(machine, site),
      taints: unite(args.map((arg) => machine.taints(arg))),
      facts: machine.state.facts,
    })
  }

  /** Calls another function of the project: what it does happens here, with the body that it is sent. */
  const callFunction = (name: Value, body: Value, machine: Machine, site: Site): Value => {
    if (name.kind === 'alt') return eachOption(machine, name, (option) => callFunction(option, body, machine, site))
    if (name.kind !== 'const') {
      lost(
        {
          message: `calls an edge function whose name is not known here: ${textOfNode(site.node)}`,
          location: placeOf(site),
        },
        [body],
        machine,
        site,
      )
      return UNKNOWN
    }
    const address = String(name.value).replace(/^\//, '')
    const slug = address.split(/[/?]/)[0] ?? ''
    callees.add(slug)
    const entry = context.entry(slug)
    if (entry === null) {
      lost(
        { message: `calls the edge function ${slug}, whose source is not there`, location: placeOf(site) },
        [body],
        machine,
        site,
      )
      return UNKNOWN
    }
    if (machine.calls.filter((call) => call.targetFile === entry).length > 0 || machine.calls.length > 10)
      return UNKNOWN
    noteThrow(machine)
    // Where no row drives the call, what the callee does is its own work, and its own verdict speaks of it.
    const driven = [machine.taints(body), ...walkedTaints(machine, site)].some((taints) =>
      [...taints].some((taint) => statementOf(taint) !== null),
    )
    if (!driven) return UNKNOWN
    const walked = walkedTaints(machine, site)
    recorder.events.push({ kind: 'handoff', site, walked, taints: machine.taints(body), facts: machine.state.facts })
    const request = requestValue(body, 'POST', seenUrl(address))
    const reached = host.handlers(machine, context.modulesFor(slug, modules), entry, request)
    for (const handler of reached) if (handler.kind === 'function') recorder.boundaries.add(handler.node)
    return runHandlers(machine, reached, request, site)
  }

  const request = (asked: Request, machine: Machine, site: Site): Value => {
    const route = routeOf(asked, machine)
    switch (route.kind) {
      case 'database': {
        noteThrow(machine)
        const statement = sendQuery(context, recorder, route.query, machine)
        return foreign({ type: 'response', statement: statement.id } as ResponseData)
      }
      case 'function': {
        const body = route.body?.kind === 'json' ? route.body.of : (route.body ?? UNKNOWN)
        return callFunction(route.name, body, machine, site)
      }
      case 'own':
        return UNKNOWN
      case 'outside': {
        const match = context.effects.matchRequest({
          method: route.method ?? 'POST',
          host: route.host,
          path: route.path,
        })
        const args = [asked.url, ...(asked.body ? [asked.body] : []), ...asked.headers.values()]
        const taints = unite(args.map((arg) => machine.taints(arg)))
        if (match === 'read' || match === 'none') {
          noteThrow(machine)
          return unknown(taints)
        }
        const named: EffectMatch =
          match.unknownHost && route.host === null && route.variable !== null
            ? { ...match, title: `write to the address in ${route.variable}` }
            : match
        return effect(
          named,
          args,
          keyOfRequest(match.idempotency, asked.headers, asked.body, machine),
          asked.timeoutSeconds,
          machine,
          site,
        )
      }
    }
  }

  const host: WorkHost = {
    callees,
    handlers: (machine, modulesOf, entry, request) =>
      routes.reached(handlersOf(machine, modulesOf, entry, registered, routes, known), askedOf(request)),

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
          const options = args[1] ? propsOf(args[1], machine) : new Map<string, Value>()
          const answer = callFunction(args[0] ?? UNKNOWN, bodyValue(options.get('body')), machine, site)
          return machine.object([
            ['data', answer.kind === 'unknown' ? answer : UNKNOWN],
            ['error', UNKNOWN],
          ])
        }
        const match = context.effects.matchCall({ package: '@supabase/supabase-js', path: [...data.part, name] })
        if (match && match !== 'read' && match !== 'none') return effect(match, args, null, null, machine, site)
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

    equal(left, right, wanted, machine) {
      if (!wanted) return []
      // The row read again holds the token that this run's claim writes: the claim was won.
      for (const [read, token] of [
        [left, right],
        [right, left],
      ] as const) {
        if (
          read.kind !== 'foreign' ||
          !isResult(read) ||
          read.data.type !== 'column' ||
          !machine.taints(token).has('fresh')
        )
          continue
        const { statement, column } = read.data
        const again = recorder.statements.get(statement)
        for (const claim of recorder.statements.values())
          if (claim.kind === 'update' && claim.table === again?.table && claim.inserted.get(column) === token)
            return [won(claim.id)]
      }
      return []
    },

    has(list, item, wanted, machine) {
      if (!wanted) {
        // Not among the rows that were read: no record of this one.
        const inside = machine.items(list)?.element
        const read = inside ? [...machine.taints(inside)].flatMap((taint) => statementOf(taint)?.id ?? []) : []
        return read.map((id) => `!${among(id)}`)
      }
      // A row's key among the keys of the rows that a claim gave back: that row was won.
      const column = item.kind === 'foreign' && isResult(item) && item.data.type === 'column' ? item.data.column : null
      if (column === null) return []
      const inside = machine.items(list)?.element
      if (
        inside?.kind !== 'foreign' ||
        !isResult(inside) ||
        inside.data.type !== 'column' ||
        inside.data.column !== column
      )
        return []
      // A list of keys that was filled row by row: what was known of each when it went in is known of this one.
      const same = item.kind === 'foreign' && isResult(item) && item.data.statement === inside.data.statement
      return [among(inside.data.statement), ...(same ? (machine.items(list)?.facts ?? []) : [])]
    },

    turn: (element, list, machine) => beginTurn(element, list, recorder, machine),

    taints(value) {
      if (isResult(value)) return resultTaints(value)
      if (isRequest(value)) return new Set(['request'])
      return ormTaints(value)
    },

    external(value, args, made, machine, site) {
      const name = packageOf(value.specifier) ?? ''
      const last = value.path[value.path.length - 1] ?? ''
      if (made === 'new' || value.path.length <= 1) {
        if (makesClient(name, value.path)) return clientValue(schemaOption(args, machine))
      }
      if (
        made === 'call' &&
        (last === 'serve' || last === 'listen') &&
        args.length > 0 &&
        (isServer(name) || ROUTERS.test(name))
      ) {
        register(args, site, machine)
        return UNKNOWN
      }
      if (ROUTERS.test(name)) {
        const routed = routerCall(routes, value, args, made)
        if (routed) {
          routed.handlers.forEach((handler) => routes.add(handler, routed.route))
          register(routed.handlers, site, machine)
          return routed.value
        }
      }
      const sql = sqlFactory(name, value.path, made) ?? ormExternal(name, value, args, made, machine, site)
      if (sql) return sql
      const lock = made === 'call' ? externalLock(recorder, value.path, args, machine, site) : null
      if (lock) return lock
      const asked = made === 'call' ? clientRequest(name, value.path, args, value.made, machine, site) : null
      if (asked) return request(asked, machine, site)
      if (made === 'call') {
        const match = context.effects.matchCall({ package: name, path: value.path, ...commandOf(args) })
        if (match === 'read') {
          // What was read, or a part of the package that was got from it: `ai.getGenerativeModel(…).generateContent(…)`.
          noteThrow(machine)
          return { ...value, path: [], made: args }
        }
        if (match && match !== 'none')
          return effect(
            match,
            args,
            keyOfCall(match.idempotency, args, machine),
            sdkTimeout(value.made, args, machine),
            machine,
            site,
          )
        if (value.path.length > 0 && looksLikeClient(last, args) && match === null)
          return clientMethod(null, last, args, site)
        if (last === 'invoke' && value.path.includes('functions')) {
          const options = args[1] ? propsOf(args[1], machine) : new Map<string, Value>()
          return callFunction(args[0] ?? UNKNOWN, bodyValue(options.get('body')), machine, site)
        }
      } else if (commandClass(value.path)) return { ...value, path: [], made: args, command: last } as Value
      return undefined
    },

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
          return request(fetchRequest(args, machine, site), machine, site)
        case 'Deno.serve':
        case 'serve':
          register(args, site, machine)
          return UNKNOWN
        case 'addEventListener':
          if (args[0]?.kind === 'const' && args[0].value === 'fetch') register(args.slice(1), site, machine)
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
      if (name === 'invoke' && args[0]?.kind === 'const' && context.functionNames.includes(String(args[0].value))) {
        const options = args[1] ? propsOf(args[1], machine) : new Map<string, Value>()
        return callFunction(args[0], bodyValue(options.get('body')), machine, site)
      }
      if (value.kind === 'unknown' && value.lost)
        lost({ message: `calls something of ${value.lost}`, location: placeOf(site) }, args, machine, site)
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

    tested(value, machine, site) {
      const taints = machine.taints(value)
      const facts: string[] = []
      for (const taint of taints) {
        const found = statementOf(taint)
        if (found) {
          facts.push(tested(found.id))
          if (taints.has('time')) recorder.timeTested.add(found.id)
        } else if (taint.startsWith('module:') && machine.activations.length > 0) {
          facts.push(`m${taint}`)
          if (!recorder.moduleTests.has(taint)) recorder.moduleTests.set(taint, site)
        }
      }
      noteColumns(value, recorder, 0)
      facts.push(...memberships(value, machine, 0).map(asked))
      const fresh = facts.filter((fact) => !machine.state.facts.has(fact))
      if (fresh.length > 0) machine.state.facts = new Set([...machine.state.facts, ...fresh])
    },

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

  function register(args: readonly Value[], site: Site, machine: Machine): void {
    const add = (value: Value): void => {
      if (value.kind === 'function') registered.push({ file: site.file, handler: value })
      else if (value.kind === 'alt') for (const option of value.options) add(option.value)
    }
    for (const arg of args)
      if (arg.kind === 'object') for (const name of ['handler', 'fetch']) add(machine.property(arg, name, site))
      else add(arg)
  }

  return host
}

const isServer = (name: string): boolean =>
  name === 'std' || name.startsWith('std/') || name.startsWith('@std/') || name.includes('http/server')

const bodyValue = (body: Value | undefined): Value => (body?.kind === 'json' ? body.of : (body ?? constant(undefined)))

function responseProperty(data: ResponseData, name: string | null, recorder: Recorder): Value {
  const wins = recorder.statements.get(data.statement)?.kind === 'insert'
  const error = foreign({ type: 'error', statement: data.statement, wins } as ForeignData)
  if (name === 'ok') return { kind: 'test', op: 'not', left: error, right: constant(undefined) }
  if (name === 'status') return foreign({ type: 'error-code', statement: data.statement, wins: true } as ForeignData)
  return UNKNOWN
}

function responseMethod(data: ResponseData, name: string, recorder: Recorder): Value {
  const statement = recorder.statements.get(data.statement)
  return name === 'json' && statement ? dataOf(statement.id, statement.result, statement.answer) : UNKNOWN
}

/** The statements of whose rows a condition asks "is this one among them?". */
function memberships(value: Value, machine: Machine, depth: number): number[] {
  if (depth > 5) return []
  if (value.kind === 'alt') return value.options.flatMap((option) => memberships(option.value, machine, depth + 1))
  if (value.kind !== 'test') return []
  if (value.op === 'not') return memberships(value.left, machine, depth + 1)
  return value.op === 'has' ? [...machine.taints(value.left)].flatMap((taint) => statementOf(taint)?.id ?? []) : []
}

/** Columns of rows over which a condition decides. */
function noteColumns(value: Value, recorder: Recorder, depth: number): void {
  if (depth > 5) return
  if (value.kind === 'foreign' && isResult(value) && value.data.type === 'column') {
    const columns = recorder.testedColumns.get(value.data.statement) ?? new Set<string>()
    columns.add(value.data.column)
    recorder.testedColumns.set(value.data.statement, columns)
  } else if (value.kind === 'test') {
    noteColumns(value.left, recorder, depth + 1)
    noteColumns(value.right, recorder, depth + 1)
  } else if (value.kind === 'alt') for (const option of value.options) noteColumns(option.value, recorder, depth + 1)
  else if (value.kind === 'shifted') noteColumns(value.of, recorder, depth + 1)
}

/** AWS: `client.send(new SendEmailCommand(…))`. */
const commandClass = (path: readonly string[]): boolean => path[path.length - 1]?.endsWith('Command') ?? false

function commandOf(args: readonly Value[]): { argumentClass?: string } {
  const command = args[0] as (Value & { command?: string }) | undefined
  return command?.kind === 'external' && command.command ? { argumentClass: command.command } : {}
}

/** `new OpenAI({ timeout: 30_000 })`, or the option of the call: seconds. */
function sdkTimeout(made: readonly Value[], args: readonly Value[], machine: Machine): number | null {
  for (const value of [...args, ...made]) {
    const timeout = propsOf(value, machine).get('timeout')
    if (timeout?.kind === 'const' && typeof timeout.value === 'number') return timeout.value / 1000
  }
  return null
}
