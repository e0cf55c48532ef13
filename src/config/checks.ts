import type { Node } from 'jsonc-parser'
import { closest } from '../closest.js'

/** What is wrong with a value, and where it starts in the text. */
export interface Problem {
  readonly offset: number
  readonly message: string
}

/** Looks at one value of the file and says all that is wrong with it; `path` is what people call it: `rules.no-claim`. */
export type Check = (node: Node, path: string) => readonly Problem[]

export const text: Check = (node, path) =>
  typeof node.value === 'string' && node.value !== '' ? [] : wrong(node, path, 'a text that is not empty')

export const anyText: Check = (node, path) => (typeof node.value === 'string' ? [] : wrong(node, path, 'a text'))

export const yesOrNo: Check = (node, path) =>
  typeof node.value === 'boolean' ? [] : wrong(node, path, 'true or false')

export const wholeNumber: Check = (node, path) =>
  Number.isInteger(node.value) && node.value >= 1 ? [] : wrong(node, path, 'a whole number of 1 or more')

export const positive: Check = (node, path) =>
  typeof node.value === 'number' && node.value > 0 && Number.isFinite(node.value)
    ? []
    : wrong(node, path, 'a number above 0')

export function oneOf(values: readonly string[]): Check {
  return (node, path) =>
    values.includes(node.value as string)
      ? []
      : [at(node, `${path} is ${shown(node)}.${meant(node.value, values)} It can be ${values.join(', ')}.`)]
}

/** One of a few fixed values (null, false), or what `check` asks for. */
export function orElse(check: Check, values: readonly (null | boolean)[]): Check {
  return (node, path) =>
    values.some((value) => node.value === value && node.type !== 'object') ? [] : check(node, path)
}

export function listOf(check: Check): Check {
  return (node, path) =>
    node.type === 'array'
      ? (node.children ?? []).flatMap((item, index) => check(item, `${path}[${index}]`))
      : wrong(node, path, 'a list')
}

/** An object with these fields and no others. `what`: how to speak of a field; `required`: one of each group has to be there. */
export function object(
  fields: Readonly<Record<string, Check>>,
  { what = 'key', required = [] }: { readonly what?: string; readonly required?: readonly (readonly string[])[] } = {},
): Check {
  return (node, path) => {
    if (node.type !== 'object') return wrong(node, path, 'an object')
    const seen = new Set<string>()
    const problems = (node.children ?? []).flatMap((property): readonly Problem[] => {
      const [key, value] = property.children ?? []
      const name = String(key?.value)
      if (!key || !value) return []
      if (seen.has(name)) return [at(key, `the key "${name}" stands here twice.`)]
      seen.add(name)
      const check = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (check) return check(value, path === '' ? name : `${path}.${name}`)
      const where = path === '' ? '' : ` in ${path}`
      return [at(key, `unknown ${what} "${name}"${where}.${meant(name, Object.keys(fields)) || all(fields)}`)]
    })
    const missing = required.filter((group) => !group.some((name) => seen.has(name)))
    return [
      ...problems,
      ...missing.map((group) => at(node, `${path} has no ${group.join(', ').replace(/, ([^,]+)$/, ' or $1')}.`)),
    ]
  }
}

/** Of a short list all names are said where none is near. */
function all(fields: Readonly<Record<string, Check>>): string {
  const names = Object.keys(fields).filter((name) => !name.startsWith('$'))
  return names.length > 12 ? '' : ` It can be ${names.join(', ')}.`
}

function meant(word: unknown, candidates: readonly string[]): string {
  const guess = typeof word === 'string' ? closest(word, candidates) : null
  return guess === null ? '' : ` Did you mean "${guess}"?`
}

const at = (node: Node, message: string): Problem => ({ offset: node.offset, message })

const wrong = (node: Node, path: string, wanted: string): Problem[] => [
  at(node, `${path === '' ? 'the configuration' : path} is ${shown(node)}, but has to be ${wanted}.`),
]

function shown(node: Node): string {
  if (node.type === 'object') return 'an object'
  if (node.type === 'array') return 'a list'
  const value = JSON.stringify(node.value) as string | undefined
  return value === undefined ? 'nothing' : value.length > 40 ? `${value.slice(0, 40)}…` : value
}
