import { ts } from './ts.js'
import { applyValue } from './apply.js'
import { bindPattern, enterFunction } from './calls.js'
import { constructClass } from './classes.js'
import { assignTo } from './assignment.js'
import { evaluateExpression } from './expressions.js'
import { constructGlobal } from './globals.js'
import { itemsOf } from './items.js'
import { eachItem } from './loops.js'
import { TooLarge, type Host, type Machine, type Site } from './machine.js'
import { callMethod } from './methods.js'
import { importNamespace, type Modules } from './modules.js'
import { locationOf } from './parse.js'
import { readProperty } from './properties.js'
import { assume, emptyState, fork, lastCell, make, read, type Cell } from './state.js'
import { executeStatement } from './statements.js'
import { taintsOf } from './taint.js'
import { truthFacts } from './truth.js'
import { isRuntimeObject, runtimeCall, runtimeMethod, runtimeProperty, runtimeText } from './urls.js'
import { UNKNOWN, altOf, contrary, type Scope, type Value } from './value.js'

export * from './value.js'
export type { Host, Items, LoopFrame, Machine, Site } from './machine.js'
export { TooLarge } from './machine.js'
export { instantiate, parsedModule, type ModuleSource, type Modules, type ParsedModules } from './modules.js'
export { locate, locationOf } from './parse.js'
export { assume, forget, fork, joinStates, read, see } from './state.js'
export { fromJson } from './globals.js'
export { eachOption } from './options.js'
export { maybe, opaqueCall } from './opaque.js'
export { runtimeText } from './urls.js'

/** So many expressions of one function are followed at most; beyond that its verdict is unknown. */
const MOST_STEPS = 600_000

/** An interpreter over abstract values: runs the audited code once for all its runs. `host` says what calls mean. */
export function createMachine(host: Host, modules: Modules): Machine {
  const machine: Machine = {
    state: emptyState(),
    host,
    calls: [],
    loops: [],
    activations: [],
    tries: [],
    variants: [],
    steps: 0,

    evaluate(node, scope) {
      if (++machine.steps > MOST_STEPS) throw new TooLarge(`more than ${MOST_STEPS} steps`)
      return evaluateExpression(machine, node, scope)
    },
    execute(node, scope) {
      if (++machine.steps > MOST_STEPS) throw new TooLarge(`more than ${MOST_STEPS} steps`)
      executeStatement(machine, node, scope)
    },
    apply: (callee, args, site, self = null) =>
      callee.kind === 'foreign' && isRuntimeObject(callee)
        ? runtimeCall(callee, args, machine)
        : applyValue(machine, callee, args, site, self),
    enter: (func, args, site) => enterFunction(machine, func, args, site),
    construct(callee, args, site) {
      if (callee.kind === 'class') return constructClass(machine, callee, args, site)
      if (callee.kind === 'external')
        return host.external(callee, args, 'new', machine, site) ?? { ...callee, path: [], made: args }
      if (callee.kind === 'global')
        return (
          host.global(callee.path, args, 'new', machine, site) ??
          constructGlobal(machine, callee.path.join('.'), args, site) ??
          machine.object([], { kind: 'unknown', taints: new Set(args.flatMap((arg) => [...machine.taints(arg)])) })
        )
      if (callee.kind === 'alt') {
        const known = callee.options.find((option) => option.value.kind !== 'unknown' && option.value.kind !== 'const')
        return known ? machine.construct(known.value, args, site) : UNKNOWN
      }
      return UNKNOWN
    },
    property: (value, name, site) =>
      value.kind === 'foreign' && isRuntimeObject(value)
        ? runtimeProperty(value, name, machine)
        : readProperty(machine, value, name, site),
    method(value, name, args, site) {
      if (value.kind === 'foreign' && isRuntimeObject(value))
        return runtimeMethod(value, name, args, machine) ?? UNKNOWN
      return callMethod(machine, value, name, args, site)
    },
    await(value, site) {
      if (value.kind === 'foreign') {
        if (isRuntimeObject(value)) return value
        noteThrow(machine)
        return host.await(value, machine, site)
      }
      if (value.kind !== 'alt' || !value.options.some((option) => option.value.kind === 'foreign')) return value
      const merged = host.merge?.(value, machine)
      if (merged) return machine.await(merged, site)
      return altOf(
        value.options
          .filter((option) => !option.facts.some((fact) => machine.state.facts.has(contrary(fact))))
          .map((option) => ({
            ...option,
            value: option.value.kind === 'foreign' ? machine.await(option.value, site) : option.value,
          })),
      )
    },
    bind: (pattern, value, scope) => bindPattern(machine, pattern, value, scope),
    assign: (target, value, scope) => assignTo(machine, target, value, scope),
    each: (list, loop, site, body) => eachItem(machine, list, loop, site.file, body),
    refine(value, wanted, site) {
      if (machine.state.dead) return
      host.tested(value, machine, site)
      const facts = truthFacts(value, wanted, machine)
      if (facts === null) machine.state.dead = true
      else assume(machine.state, facts)
    },
    taints(value) {
      if (value.kind === 'foreign' && isRuntimeObject(value)) return taintsOf(runtimeText(value, machine), machine)
      return taintsOf(value, machine)
    },
    site: (node, scope): Site => ({
      variants: machine.variants,
      node,
      file: scope.file,
      calls: machine.calls,
      loops: machine.loops,
    }),
    import: (specifier, from) => importNamespace(machine, modules, specifier, from),
    items: (value) => itemsOf(machine, value),

    alloc: (cell: Cell) => make(machine.state, cell),
    cells: () => lastCell(machine.state),
    variant(number, act) {
      const around = machine.variants
      machine.variants = [...around, number]
      const result = act()
      machine.variants = around
      return result
    },
    object: (props, rest = null) => ({
      kind: 'object',
      cell: machine.alloc({ kind: 'object-cell', props: new Map(props), rest, proto: null }),
    }),
    list: (cell) => ({
      kind: 'list',
      cell: machine.alloc({
        kind: 'list-cell',
        items: null,
        element: null,
        facts: [],
        like: null,
        width: null,
        ...cell,
      }),
    }),
    objectCell(value) {
      const cell = value.kind === 'object' ? read(machine.state, value.cell) : undefined
      return cell?.kind === 'object-cell' ? cell : null
    },
    listCell(value) {
      const cell = value.kind === 'list' ? read(machine.state, value.cell) : undefined
      return cell?.kind === 'list-cell' ? cell : null
    },
    mapCell(value) {
      const cell = value.kind === 'map' ? read(machine.state, value.cell) : undefined
      return cell?.kind === 'map-cell' ? cell : null
    },
  }
  return machine
}

/** A call that reaches outside may throw: the catch block around may start from here. */
export function noteThrow(machine: Machine): void {
  const around = machine.tries[machine.tries.length - 1]
  if (!around || machine.state.dead) return
  around.last = machine.state
  machine.state = fork(machine.state)
}

/** A text for people that names where a call or an expression stands. */
export const placeOf = (site: Site) => locationOf(site.node, site.file)

/** The source text of a node, cut to one line. */
export function textOfNode(node: ts.Node): string {
  const text = node.getText().replace(/\s+/g, ' ')
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}

export type { Scope, Value }
