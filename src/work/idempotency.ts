import type { IdempotencyForm } from '../model/index.js'
import type { Machine, Value } from '../typescript/index.js'
import { propsOf } from './requests.js'

/** The key that a request passes on, in the header or body field that the provider reads. */
export function keyOfRequest(
  form: IdempotencyForm | null,
  headers: ReadonlyMap<string, Value>,
  body: Value | null,
  machine: Machine,
): Value | null {
  // A provider that is not known may honour the header all the same, but nothing says so: no key.
  if (!form) return null
  for (const name of form.headers) {
    const value = headers.get(name.toLowerCase())
    if (value) return value
  }
  return fieldOf(body?.kind === 'json' ? body.of : body, form.bodyFields, machine)
}

/** The key that an SDK call passes on: an option of one of its arguments, or a field of its first. */
export function keyOfCall(form: IdempotencyForm | null, args: readonly Value[], machine: Machine): Value | null {
  if (!form) return null
  for (const arg of args) {
    const found = fieldOf(arg, form.options, machine)
    if (found) return found
  }
  return args[0] ? fieldOf(args[0], form.bodyFields, machine) : null
}

function fieldOf(value: Value | null, names: readonly string[], machine: Machine): Value | null {
  if (!value) return null
  const props = propsOf(value, machine)
  for (const name of names) {
    const found = props.get(name)
    if (found) return found
  }
  return null
}

/** Is the key the same for two runs that handle the same row? Nothing of it is new for a call or follows the clock. */
export function isStable(value: Value): boolean {
  switch (value.kind) {
    case 'const':
    case 'foreign':
      return true
    case 'time':
      return value.coarse === true
    case 'text':
      return value.parts.every((part) => isStable(part))
    case 'shifted':
      return isStable(value.of)
    case 'alt':
      return value.options.every((option) => isStable(option.value))
    case 'unknown':
      return !value.taints.has('fresh') && (!value.taints.has('time') || value.taints.has('day'))
    default:
      return false
  }
}
