import type { Location } from '../model/index.js'
import { callCron } from './cron-calls.js'
import { callPure } from './functions.js'
import { callHttp, callNet } from './http-calls.js'
import { report, type EvaluatedArgument, type Frame, type Relation } from './machine.js'
import { matchRoutine, rowsOfRoutine, valueOfRoutine } from './routine-calls.js'
import { asJson } from './sql-text.js'
import { storedRows } from './store.js'
import { known } from './contents.js'
import { NULL, object, SOMETHING, UNKNOWN, type Value } from './value.js'

/** What a function call gives, and does. */
export function call(
  frame: Frame,
  name: readonly string[],
  args: readonly EvaluatedArgument[],
  location: Location,
): Value {
  const last = name.at(-1) ?? ''
  const schema = name.at(-2) ?? null
  if (schema === 'cron') return callCron(frame, last, args, location)
  if (schema === 'net') return callNet(frame, last, args, location)
  if (schema === 'vault') return callVault(frame, last, args)
  const routine = matchRoutine(frame.machine, last, schema, args)
  if (routine) return valueOfRoutine(frame, routine, args)
  const http = callHttp(frame, last, args, location)
  if (http) return http
  const builtIn = schema === null || schema === 'pg_catalog' || schema === 'extensions'
  if (!builtIn) return missing(frame, name, location)
  const values = args.map((arg) => arg.value)
  if (last === 'current_setting') {
    const setting = frame.machine.settings.get(known(values[0] ?? NULL) ?? '')
    if (setting) return setting
  }
  // Functions of json take what is written as text.
  const ready = /^jsonb?_(?!build)/.test(last) ? [asJson(frame.machine, values[0] ?? NULL), ...values.slice(1)] : values
  return callPure(last, ready) ?? missing(frame, name, location)
}

/** Schemas of extensions, whose functions no migration defines. */
const EXTENSIONS = new Set([
  'pgmq',
  'pgmq_public',
  'partman',
  'storage',
  'auth',
  'realtime',
  'graphql',
  'extensions',
  'pg_catalog',
  'vault',
])

/** A function that nothing here defines. Where a job calls it by its schema, what the job does is not known. */
function missing(frame: Frame, name: readonly string[], location: Location): Value {
  const [schema, routine] = name.slice(-2)
  if (frame.machine.frozen && frame.via.length === 0 && routine !== undefined && !EXTENSIONS.has(schema!)) {
    report(frame.machine, {
      code: 'routine-not-found',
      severity: 'info',
      message: `A job calls ${name.join('.')}(), which no migration defines: whether it sends requests is not known`,
      location,
    })
  }
  return UNKNOWN
}

export function routineRows(
  frame: Frame,
  name: readonly string[],
  args: readonly EvaluatedArgument[],
  location: Location,
): Relation | null {
  const schema = name.at(-2) ?? null
  if (schema === 'cron' || schema === 'net') return null
  const routine = matchRoutine(frame.machine, name.at(-1) ?? '', schema, args)
  return routine && rowsOfRoutine(frame, routine, args, location)
}

/** vault.create_secret(value, name): the one place where a migration says what a secret is. */
function callVault(frame: Frame, name: string, args: readonly EvaluatedArgument[]): Value {
  if (name !== 'create_secret') return UNKNOWN
  const at = (key: string, index: number): Value =>
    args.find((arg) => arg.name === key)?.value ?? (args[index]?.name === null ? args[index].value : NULL)
  const secret = at('new_secret', 0)
  const secretName = at('new_name', 1)
  if (known(secretName) === null || frame.machine.frozen) return SOMETHING
  const row = object(
    new Map<string, Value>([
      ['name', secretName],
      ['decrypted_secret', secret],
      ['secret', secret],
    ]),
  )
  frame.machine.store.tables.set('decrypted_secrets', [...storedRows(frame.machine, 'decrypted_secrets'), row])
  return SOMETHING
}
