import { ts } from './ts.js'
import { propertyKey } from './literals.js'
import type { Activation, Machine, Site } from './machine.js'
import { deadEnd, fork, joinStates, write } from './state.js'
import { executeBlock } from './statements.js'
import { UNDEFINED, UNKNOWN, altOf, unite, unknown, type Func, type Option, type Scope, type Value } from './value.js'

const K = ts.SyntaxKind

const DEEPEST = 14

/** Runs a function's body with arguments, as if it stood at the call. */
export function enterFunction(machine: Machine, func: Func, args: readonly Value[], site: Site): Value {
  const body = func.node.body
  const repeated = machine.activations.filter((activation) => activation.node === func.node).length
  if (!body || repeated > 0 || machine.calls.length >= DEEPEST)
    return unknown(unite(args.map((arg) => machine.taints(arg))))
  const scope: Scope = { names: new Map(), parent: func.scope, self: func.self, file: func.scope.file, module: false }
  const activation: Activation = {
    node: func.node,
    returns: [],
    yields: [],
    jumps: [],
    facts: machine.state.facts,
  }
  const calls = machine.calls
  machine.calls = [...calls, { node: site.node, file: site.file, target: func.node, targetFile: func.scope.file }]
  machine.activations.push(activation)
  machine.state = fork(machine.state)
  bindParameters(machine, func.node.parameters, [...(func.bound ?? []), ...args], scope)
  let value: Value
  if (ts.isBlock(body)) {
    executeBlock(machine, body.statements, scope)
    value = UNDEFINED
  } else value = machine.evaluate(body, scope)
  activation.returns.push({ state: machine.state, value })
  machine.activations.pop()
  machine.calls = calls
  const isAsync = func.node.modifiers?.some((modifier) => modifier.kind === K.AsyncKeyword) ?? false
  if (func.node.asteriskToken) return generated(machine, activation)
  const result = joinExits(machine, activation)
  // What an async function returns is awaited on the way out.
  return isAsync && !machine.state.dead ? machine.await(result, site) : result
}

/** One value and one state from all the ways out of a function; each way's own facts stay with its value. */
function joinExits(machine: Machine, activation: Activation): Value {
  const exits = activation.returns.filter((exit) => !exit.state.dead)
  if (exits.length === 0) {
    machine.state = deadEnd(machine.state)
    return UNKNOWN
  }
  machine.state = joinStates(exits.map((exit) => exit.state))
  const options: Option[] = exits.map((exit) => ({
    value: exit.value,
    facts: [...exit.state.facts].filter((fact) => !machine.state.facts.has(fact)),
  }))
  return options.length === 1 ? options[0]!.value : altOf(options)
}

function generated(machine: Machine, activation: Activation): Value {
  const ends = [...activation.returns, ...activation.yields].map((exit) => exit.state).filter((state) => !state.dead)
  if (ends.length > 0) machine.state = joinStates(ends)
  const yields = activation.yields.filter((exit) => !exit.state.dead)
  if (yields.length === 0) return machine.list({ items: [], element: null })
  const own = yields.map((exit) => [...exit.state.facts].filter((fact) => !activation.facts.has(fact)))
  return machine.list({
    element: altOf(yields.map((exit, index) => ({ value: exit.value, facts: own[index]! }))),
    facts: own[0]!.filter((fact) => own.every((facts) => facts.includes(fact))),
  })
}

function bindParameters(
  machine: Machine,
  parameters: readonly ts.ParameterDeclaration[],
  args: readonly Value[],
  scope: Scope,
): void {
  // A first parameter `this` only says what `this` is.
  const own = parameters.filter(({ name }) => !(ts.isIdentifier(name) && name.text === 'this'))
  own.forEach((parameter, index) => {
    if (parameter.dotDotDotToken) {
      const rest = args.slice(index)
      machine.bind(
        parameter.name,
        machine.list({ items: rest, element: rest.length > 0 ? altOf(rest.map(plain)) : null }),
        scope,
      )
      return
    }
    let value = args[index] ?? UNDEFINED
    if (parameter.initializer && value.kind === 'const' && value.value === undefined)
      value = machine.evaluate(parameter.initializer, scope)
    machine.bind(parameter.name, value, scope)
  })
}

const plain = (value: Value): Option => ({ value, facts: [] })

/** Gives the names of a pattern their values. */
export function bindPattern(machine: Machine, pattern: ts.BindingName, value: Value, scope: Scope): void {
  if (ts.isIdentifier(pattern)) {
    // A module's variables have their cells before it runs: others may have imported them.
    const known = scope.module ? scope.names.get(pattern.text) : undefined
    if (known !== undefined) write(machine.state, known, value)
    else scope.names.set(pattern.text, machine.alloc(value))
    return
  }
  const site = machine.site(pattern, scope)
  if (ts.isObjectBindingPattern(pattern)) {
    const taken = new Set<string>()
    for (const element of pattern.elements) {
      if (element.dotDotDotToken) {
        const cell = machine.objectCell(value)
        const rest = cell
          ? machine.object(
              [...cell.props].filter(([name]) => !taken.has(name)),
              cell.rest,
            )
          : value
        bindPattern(machine, element.name, rest, scope)
        continue
      }
      const key = element.propertyName
        ? propertyKey(machine, element.propertyName, scope)
        : (element.name as ts.Identifier).text
      if (key !== null) taken.add(key)
      bindPattern(
        machine,
        element.name,
        withDefault(machine, machine.property(value, key, site), element, scope),
        scope,
      )
    }
    return
  }
  pattern.elements.forEach((element, index) => {
    if (ts.isOmittedExpression(element)) return
    const item = element.dotDotDotToken ? value : machine.property(value, String(index), site)
    bindPattern(machine, element.name, withDefault(machine, item, element, scope), scope)
  })
}

function withDefault(machine: Machine, value: Value, element: ts.BindingElement, scope: Scope): Value {
  if (!element.initializer) return value
  if (value.kind === 'const' && value.value === undefined) return machine.evaluate(element.initializer, scope)
  if (value.kind === 'foreign' || value.kind === 'unknown' || value.kind === 'alt') {
    const other = machine.evaluate(element.initializer, scope)
    return altOf([plain(value), plain(other)])
  }
  return value
}
