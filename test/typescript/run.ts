import {
  UNKNOWN,
  contrary,
  createMachine,
  foreign,
  instantiate,
  read,
  type Const,
  type Fact,
  type ForeignData,
  type Host,
  type Machine,
  type Modules,
  type Value,
} from '../../src/typescript/index.js'

/** What `show(x)` was given: the value as text, and what was known then; "dead" where no path leads there. */
export interface Shown {
  readonly text: string
  readonly facts: readonly Fact[]
}

type Token = ForeignData & { readonly type: 'token'; readonly name: string }

/**
 * Runs a function's body over abstract values. The host knows `show(x)`, `ask('a')` (truthy: fact a; falsy: !a),
 * `rows('r')` (a list of rows of which nothing is known but their name), `any('x')` (unknown, made of x), and
 * `out()` (a call that may throw).
 */
export function run(body: string, files: Readonly<Record<string, string>> = {}): readonly Shown[] {
  const shown: Shown[] = []
  const texts: Record<string, string> = { 'main.ts': main(body), ...files }
  const modules: Modules = {
    instances: new Map(),
    problems: [],
    parsed: new Map(),
    source: {
      read: (path) => texts[path] ?? null,
      resolve: (specifier) => {
        const path = specifier.replace(/^\.\//, '')
        if (!specifier.startsWith('.')) return { kind: 'external', specifier }
        return path in texts ? { kind: 'file', path } : { kind: 'missing', path }
      },
    },
  }
  const machine = createMachine(hostOf(shown), modules)
  const instance = instantiate(machine, modules, 'main.ts')
  const handler = read(machine.state, instance!.exports.get('default')!) as Value
  const node = handler.kind === 'function' ? handler.node : (null as never)
  machine.apply(handler, [], { node, file: 'main.ts', calls: [], loops: [], variants: [] })
  return shown
}

/** Imports and functions above a line of dashes stand at the top of the module. */
const main = (body: string): string => {
  const [head, rest] = body.includes('\n---\n') ? body.split('\n---\n') : ['', body]
  return `${head}\nexport default async () => {\n${rest}\n}`
}

/** The texts that were shown. */
export const texts = (body: string, files?: Readonly<Record<string, string>>): readonly string[] =>
  run(body, files).map((each) => each.text)

/** The facts that were known at the first `show`. */
export const facts = (body: string): string => [...(run(body)[0]?.facts ?? ['never'])].sort().join(' ')

const isToken = (value: Value): value is Value & { data: Token } =>
  value.kind === 'foreign' && value.data.type === 'token'
const token = (name: string): Value => foreign({ type: 'token', name } as Token)
const truth = (value: { data: ForeignData }, wanted: boolean): readonly Fact[] =>
  value.data.type === 'token' ? [wanted ? (value.data as Token).name : contrary((value.data as Token).name)] : []

function hostOf(shown: Shown[]): Host {
  return {
    property: (value, name) =>
      isToken(value)
        ? token(`${value.data.name}.${name ?? '*'}`)
        : name === null && value.data.type === 'rows'
          ? token((value.data as unknown as Token).name)
          : UNKNOWN,
    method: () => undefined,
    call: () => UNKNOWN,
    await: (value) => value,
    items: (value) =>
      value.data.type === 'rows' ? { element: token((value.data as unknown as Token).name), facts: [] } : undefined,
    truth: (value, wanted) => truth(value, wanted),
    compare: (value, op, other: Const, wanted) =>
      op === '==' && (other.value === null || other.value === undefined || other.value === false)
        ? truth(value, !wanted)
        : [],
    equal: () => [],
    has: (_list, item, wanted) => (isToken(item) ? [wanted ? `in:${item.data.name}` : `!in:${item.data.name}`] : []),
    taints: (value) => new Set([(value.data as Token).name]),
    external: () => undefined,
    global(path, args, _made, machine) {
      const name = args[0]?.kind === 'const' ? String(args[0].value) : ''
      switch (path.join('.')) {
        case 'show':
          shown.push({ text: textOf(machine, args[0]), facts: [...machine.state.facts] })
          return UNKNOWN
        case 'ask':
          return token(name)
        case 'rows':
          return foreign({ type: 'rows', name } as ForeignData)
        case 'any':
          return { kind: 'unknown', taints: new Set([name]) }
        default:
          return undefined
      }
    },
    template: () => undefined,
    opaque: () => undefined,
    dropped: () => undefined,
    tested: () => undefined,
    moduleVariable: () => undefined,
    mark: () => shown.length,
    rollback: (mark) => void (shown.length = mark),
  }
}

/** A value as text: `{a: 1}`, `[r*]` (any number of r), `1 | 2{fact}`, `?x` (unknown, made of x), `now+5`, `"a<?x>"`. */
export function textOf(machine: Machine, value: Value | undefined, depth = 0): string {
  if (!value || depth > 6) return '…'
  const inner = (part: Value | undefined) => textOf(machine, part, depth + 1)
  switch (value.kind) {
    case 'const':
      return JSON.stringify(value.value) ?? 'undefined'
    case 'text':
      return `"${value.parts.map((part) => (part.kind === 'const' ? String(part.value) : `<${inner(part)}>`)).join('')}"`
    case 'time':
      return `now${value.offset === null ? '±' : value.offset === 0 ? '' : value.offset > 0 ? `+${value.offset}` : value.offset}${value.coarse ? ' (day)' : ''}`
    case 'shifted':
      return `${inner(value.of)}${value.delta === null ? '±' : value.delta < 0 ? value.delta : `+${value.delta}`}`
    case 'json':
      return `json ${inner(value.of)}`
    case 'alt':
      return value.options
        .map((each) => inner(each.value) + (each.facts.length > 0 ? `{${each.facts.join()}}` : ''))
        .join(' | ')
    case 'foreign':
      return (value.data as Token).name ?? value.data.type
    case 'unknown':
      return `?${[...value.taints].join()}`
    case 'test':
      return `(${inner(value.left)} ${value.op} ${inner(value.right)})`
    case 'list': {
      const cell = machine.listCell(value)
      if (!cell) return '[?]'
      const known = cell.facts.length > 0 ? `{${cell.facts.join()}}` : ''
      return cell.items
        ? `[${cell.items.map(inner).join(', ')}]${known}`
        : cell.element
          ? `[${inner(cell.element)}*]${known}`
          : '[]'
    }
    case 'object': {
      const cell = machine.objectCell(value)
      const props = [...(cell?.props ?? [])].map(([name, item]) => `${name}: ${inner(item)}`)
      return `{${[...props, ...(cell?.rest ? [`...${inner(cell.rest)}`] : [])].join(', ')}}`
    }
    case 'map': {
      const cell = machine.mapCell(value)
      return cell?.value ? `Map ${inner(cell.key ?? undefined)} → ${inner(cell.value)}` : 'Map'
    }
    default:
      return value.kind
  }
}
