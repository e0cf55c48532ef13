import { ts } from './ts.js'
import { propertyKey } from './literals.js'
import { selfOf } from './names.js'
import type { Machine, Site } from './machine.js'
import { write } from './state.js'
import { UNDEFINED, UNKNOWN, type ClassValue, type Scope, type Value } from './value.js'

const K = ts.SyntaxKind

/** What a class's own code is evaluated in: `this`, and the class for `super`. */
const scopeWithin = (made: Home, self: Value): Scope => ({
  names: new Map(),
  parent: made.scope,
  self,
  home: made,
  file: made.scope.file,
  module: false,
})

type Home = Pick<ClassValue, 'node' | 'scope'>

/** `new C(…)`: an object with the fields of the class, after its constructor has run. */
export function constructClass(machine: Machine, made: ClassValue, args: readonly Value[], site: Site): Value {
  const object = machine.object([], null)
  if (object.kind !== 'object') return UNKNOWN
  const cell = machine.objectCell(object)!
  write(machine.state, object.cell, { ...cell, proto: { node: made.node, scope: made.scope } })
  initialize(machine, made, object, args, site)
  return object
}

/** `super(…)`: the parent's fields and constructor, then the fields of the class itself. */
export function superCall(machine: Machine, args: readonly Value[], scope: Scope, site: Site): void {
  const home = homeOf(scope)
  const self = selfOf(scope)
  const parent = home && parentOf(machine, home)
  if (parent?.kind === 'class') initialize(machine, parent, self, args, site)
  if (home) setFields(machine, home, self)
}

/** The method that `super.name` is; undefined: the parent has none that is known. */
export function superMember(machine: Machine, name: string, scope: Scope, site: Site): Value | undefined {
  const home = homeOf(scope)
  const parent = home && parentOf(machine, home)
  return parent?.kind === 'class' ? classMember(machine, parent, name, selfOf(scope), false, site) : undefined
}

function homeOf(scope: Scope): Home | null {
  for (let at: Scope | null = scope; at; at = at.parent) if (at.home) return at.home
  return null
}

function parentOf(machine: Machine, made: Home): Value | null {
  const heritage = made.node.heritageClauses?.find((clause) => clause.token === K.ExtendsKeyword)?.types[0]
  return heritage ? machine.evaluate(heritage.expression, made.scope) : null
}

function initialize(machine: Machine, made: Home, object: Value, args: readonly Value[], site: Site): void {
  const parent = parentOf(machine, made)
  const constructor = made.node.members.find(ts.isConstructorDeclaration)
  // Without a constructor of its own a class hands all arguments on; with one, its fields wait for super(…).
  if (!constructor && parent?.kind === 'class') initialize(machine, parent, object, args, site)
  if (!constructor || parent === null) setFields(machine, made, object)
  if (!constructor) return
  const scope = scopeWithin(made, object)
  constructor.parameters.forEach((parameter, index) => {
    if (!ts.isParameterPropertyDeclaration(parameter, constructor) || !ts.isIdentifier(parameter.name)) return
    const given = args[index]
    const value = given ?? (parameter.initializer ? machine.evaluate(parameter.initializer, scope) : UNDEFINED)
    setField(machine, object, parameter.name.text, value)
  })
  if (constructor.body) machine.enter({ kind: 'function', node: constructor, scope, self: object }, args, site)
}

function setFields(machine: Machine, made: Home, object: Value): void {
  const scope = scopeWithin(made, object)
  for (const member of made.node.members) {
    if (!ts.isPropertyDeclaration(member) || isStatic(member)) continue
    const key = propertyKey(machine, member.name, scope)
    if (key !== null)
      setField(machine, object, key, member.initializer ? machine.evaluate(member.initializer, scope) : UNDEFINED)
  }
}

function setField(machine: Machine, object: Value, name: string, value: Value): void {
  const cell = machine.objectCell(object)
  if (cell && object.kind === 'object')
    write(machine.state, object.cell, { ...cell, props: new Map(cell.props).set(name, value) })
}

const isStatic = (member: ts.ClassElement): boolean =>
  ts.canHaveModifiers(member) &&
  (ts.getModifiers(member)?.some((modifier) => modifier.kind === K.StaticKeyword) ?? false)

/** A method, getter or static member of a class, looked for upwards. */
export function classMember(
  machine: Machine,
  made: { node: ts.ClassLikeDeclaration; scope: Scope },
  name: string,
  self: Value,
  statics: boolean,
  site: Site,
): Value | undefined {
  const scope = scopeWithin(made, self)
  for (const member of made.node.members) {
    if (isStatic(member) !== statics || !member.name) continue
    const key = ts.isIdentifier(member.name) || ts.isPrivateIdentifier(member.name) ? member.name.text : null
    if (key !== name) continue
    if (ts.isMethodDeclaration(member)) return { kind: 'function', node: member, scope, self }
    if (ts.isGetAccessorDeclaration(member))
      return machine.enter({ kind: 'function', node: member, scope, self }, [], site)
    if (ts.isPropertyDeclaration(member) && statics)
      return member.initializer ? machine.evaluate(member.initializer, scope) : UNDEFINED
  }
  const parent = parentOf(machine, made)
  return parent?.kind === 'class' ? classMember(machine, parent, name, self, statics, site) : undefined
}
