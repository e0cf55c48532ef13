import { packageOf } from '../effects/index.js'
import { ormExternal } from '../clients/orm.js'
import { sqlFactory } from '../clients/sql.js'
import { clientMethod, clientValue, looksLikeClient, makesClient, schemaOption } from '../clients/supabase.js'
import { UNKNOWN, noteThrow, type External, type Machine, type Site, type Value } from '../typescript/index.js'
import type { Acts } from './acts.js'
import type { WorkContext } from './context.js'
import { keyOfCall } from './idempotency.js'
import type { Recorder } from './recorder.js'
import { clientRequest, propsOf } from './requests.js'
import { ROUTERS, routerCall } from './routers.js'
import { externalLock } from './store-lock.js'

/** What a call or `new` of something of a package means; undefined: nothing is known of it. */
export function packageCall(
  value: External,
  args: readonly Value[],
  made: 'call' | 'new',
  machine: Machine,
  site: Site,
  { acts, context, recorder }: { readonly acts: Acts; readonly context: WorkContext; readonly recorder: Recorder },
): Value | undefined {
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
    acts.register(args, site, machine)
    return UNKNOWN
  }
  if (ROUTERS.test(name)) {
    const routed = routerCall(acts.routes, value, args, made)
    if (routed) {
      routed.handlers.forEach((handler) => acts.routes.add(handler, routed.route))
      acts.register(routed.handlers, site, machine)
      return routed.value
    }
  }
  const sql = sqlFactory(name, value.path, made) ?? ormExternal(name, value, args, made, machine, site)
  if (sql) return sql
  const lock = made === 'call' ? externalLock(recorder, value.path, args, machine, site) : null
  if (lock) return lock
  const asked = made === 'call' ? clientRequest(name, value.path, args, value.made, machine, site) : null
  if (asked) return acts.request(asked, machine, site)
  if (made === 'call') {
    const match = context.effects.matchCall({ package: name, path: value.path, ...commandOf(args) })
    if (match === 'read') {
      // What was read, or a part of the package that was got from it: `ai.getGenerativeModel(…).generateContent(…)`.
      noteThrow(machine)
      return { ...value, path: [], made: args }
    }
    if (match && match !== 'none')
      return acts.effect(
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
      return acts.invoke(args, machine, site)
    }
  } else if (commandClass(value.path)) return { ...value, path: [], made: args, command: last } as Value
  return undefined
}

const isServer = (name: string): boolean =>
  name === 'std' || name.startsWith('std/') || name.startsWith('@std/') || name.includes('http/server')

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
