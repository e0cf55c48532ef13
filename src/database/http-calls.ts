import type { Location } from '../model/index.js'
import { byName } from './arguments.js'
import type { EvaluatedArgument, Frame } from './machine.js'
import { asJson } from './sql-text.js'
import { known } from './contents.js'
import { NULL, object, SOMETHING, unknown, UNKNOWN, type Value } from './value.js'

/** Parameters of pg_net (sql/pg_net.sql). */
const NET: Readonly<Record<string, { readonly method: string; readonly names: readonly string[] }>> = {
  http_get: { method: 'GET', names: ['url', 'params', 'headers', 'timeout_milliseconds'] },
  http_post: { method: 'POST', names: ['url', 'body', 'params', 'headers', 'timeout_milliseconds'] },
  http_delete: { method: 'DELETE', names: ['url', 'params', 'headers', 'timeout_milliseconds', 'body'] },
}

/** A call of pg_net: the request goes out after the commit; the call gives its id. */
export function callNet(frame: Frame, name: string, args: readonly EvaluatedArgument[], location: Location): Value {
  const form = NET[name]
  if (!form) return UNKNOWN
  const given = byName(args, form.names)
  send(frame, 'net', form.method, given.get('url') ?? NULL, given.get('body') ?? object(new Map()), location)
  return SOMETHING
}

/** Parameters of the http extension (pgsql-http). */
const HTTP: Readonly<Record<string, { readonly method: string; readonly names: readonly string[] }>> = {
  http_get: { method: 'GET', names: ['uri', 'data'] },
  http_post: { method: 'POST', names: ['uri', 'content', 'content_type'] },
  http_put: { method: 'PUT', names: ['uri', 'content', 'content_type'] },
  http_patch: { method: 'PATCH', names: ['uri', 'content', 'content_type'] },
  http_delete: { method: 'DELETE', names: ['uri', 'content', 'content_type'] },
  http_head: { method: 'HEAD', names: ['uri'] },
}

/** The fields of its composite type http_request. */
const REQUEST = ['method', 'uri', 'headers', 'content_type', 'content']

/** A call of the http extension: it waits for the answer. Null where the function is none of its. */
export function callHttp(
  frame: Frame,
  name: string,
  args: readonly EvaluatedArgument[],
  location: Location,
): Value | null {
  const form = Object.hasOwn(HTTP, name) ? HTTP[name] : undefined
  if (form) {
    const given = byName(args, form.names)
    send(
      frame,
      'http',
      form.method,
      given.get('uri') ?? NULL,
      given.get('content') ?? given.get('data') ?? NULL,
      location,
    )
    return answer()
  }
  const request = args[0]?.value
  if (name === 'http' && args.length > 1) {
    // Not a form of the extension, but people write the fields of its request as arguments.
    const given = byName(args, REQUEST)
    const method = known(given.get('method') ?? NULL)?.toUpperCase() ?? 'POST'
    send(frame, 'http', method, given.get('uri') ?? NULL, given.get('content') ?? NULL, location)
    return answer()
  }
  if (name !== 'http' || request?.kind !== 'object') return null
  const fieldOf = (field: string): Value =>
    request.fields.get(field) ?? request.fields.get(`f${REQUEST.indexOf(field) + 1}`) ?? NULL
  send(frame, 'http', known(fieldOf('method'))?.toUpperCase() ?? 'POST', fieldOf('uri'), fieldOf('content'), location)
  return answer()
}

const answer = (): Value =>
  object(
    new Map(['status', 'content_type', 'headers', 'content'].map((name) => [name, unknown({ kind: 'expression' })])),
  )

function send(frame: Frame, api: 'net' | 'http', method: string, url: Value, body: Value, location: Location): void {
  const { machine, via, rows, routine } = frame
  machine.sends.push({
    api,
    method,
    url,
    body: asJson(machine, body),
    location,
    via,
    rows,
    routine,
    arms: [...machine.path.arms],
  })
}
