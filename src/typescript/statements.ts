import { ts } from './ts.js'
import { either } from './branches.js'
import { loopStatement } from './loops.js'
import type { Jump, Machine, Try } from './machine.js'
import { assume, deadEnd, fork, joinStates, write, type State } from './state.js'
import { truthFacts } from './truth.js'
import { UNDEFINED, UNKNOWN, type Scope, type Value } from './value.js'

const K = ts.SyntaxKind

/** Runs a statement: the machine's state becomes what holds after it; `dead` where control never gets there. */
export function executeStatement(machine: Machine, node: ts.Statement, scope: Scope): void {
  if (machine.state.dead) return
  switch (node.kind) {
    case K.ExpressionStatement: {
      const expression = (node as ts.ExpressionStatement).expression
      const value = machine.evaluate(expression, scope)
      if (expression.kind !== K.AwaitExpression && !isAssignment(expression))
        machine.host.dropped(value, machine, machine.site(expression, scope))
      return
    }
    case K.VariableStatement:
      declare(machine, (node as ts.VariableStatement).declarationList, scope)
      return
    case K.Block:
      executeBlock(machine, (node as ts.Block).statements, childScope(scope))
      return
    case K.IfStatement:
      ifStatement(machine, node as ts.IfStatement, scope)
      return
    case K.ReturnStatement: {
      const expression = (node as ts.ReturnStatement).expression
      const value = expression ? machine.evaluate(expression, scope) : UNDEFINED
      leave(machine, (state) => machine.activations[machine.activations.length - 1]?.returns.push({ state, value }))
      return
    }
    case K.ThrowStatement:
      machine.evaluate((node as ts.ThrowStatement).expression, scope)
      leave(machine, (state) => machine.tries[machine.tries.length - 1]?.thrown.push(state))
      return
    case K.ForStatement:
    case K.ForOfStatement:
    case K.ForInStatement:
    case K.WhileStatement:
    case K.DoStatement:
      loopStatement(machine, node as ts.IterationStatement, scope, null)
      return
    case K.LabeledStatement:
      labeled(machine, node as ts.LabeledStatement, scope)
      return
    case K.BreakStatement:
    case K.ContinueStatement: {
      const label = (node as ts.BreakStatement).label?.text ?? null
      const jump = findJump(machine, label, node.kind === K.ContinueStatement)
      leave(machine, (state) => (node.kind === K.BreakStatement ? jump?.breaks : jump?.continues)?.push(state))
      return
    }
    case K.SwitchStatement:
      switchStatement(machine, node as ts.SwitchStatement, scope)
      return
    case K.TryStatement:
      tryStatement(machine, node as ts.TryStatement, scope)
      return
    case K.ClassDeclaration: {
      const named = node as ts.ClassDeclaration
      if (named.name) declareName(machine, named.name.text, { kind: 'class', node: named, scope }, scope)
      return
    }
    case K.EnumDeclaration:
      enumDeclaration(machine, node as ts.EnumDeclaration, scope)
      return
    default:
      return
  }
}

const isAssignment = (node: ts.Expression): boolean =>
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind >= K.FirstAssignment &&
  node.operatorToken.kind <= K.LastAssignment

/** Ends the path: what `keep` does with the state is all that remains of it. */
function leave(machine: Machine, keep: (state: State) => void): void {
  if (!machine.state.dead) keep(machine.state)
  machine.state = deadEnd(machine.state)
}

export const childScope = (parent: Scope): Scope => ({
  names: new Map(),
  parent,
  self: null,
  file: parent.file,
  module: false,
})

export function declareName(machine: Machine, name: string, value: Value, scope: Scope): void {
  // A module's names have their cells before it runs: others may have imported them.
  const known = scope.module ? scope.names.get(name) : undefined
  if (known !== undefined) write(machine.state, known, value)
  else scope.names.set(name, machine.alloc(value))
}

/** Statements in order; functions are there from the start, as in JavaScript. */
export function executeBlock(machine: Machine, statements: readonly ts.Statement[], scope: Scope): void {
  hoist(machine, statements, scope)
  for (const statement of statements) {
    if (machine.state.dead) return
    machine.execute(statement, scope)
  }
}

export function hoist(machine: Machine, statements: readonly ts.Statement[], scope: Scope): void {
  for (const statement of statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name && statement.body)
      declareName(machine, statement.name.text, { kind: 'function', node: statement, scope, self: null }, scope)
  }
}

export function declare(machine: Machine, list: ts.VariableDeclarationList, scope: Scope): void {
  for (const declaration of list.declarations) {
    const value = declaration.initializer ? machine.evaluate(declaration.initializer, scope) : UNDEFINED
    if (machine.state.dead) return
    machine.bind(declaration.name, value, scope)
  }
}

function ifStatement(machine: Machine, node: ts.IfStatement, scope: Scope): void {
  const condition = machine.evaluate(node.expression, scope)
  either(machine, condition, node.expression, scope, [
    () => run(machine, node.thenStatement, scope),
    () => (node.elseStatement ? run(machine, node.elseStatement, scope) : UNKNOWN),
  ])
}

function run(machine: Machine, statement: ts.Statement, scope: Scope): Value {
  machine.execute(statement, scope)
  return UNKNOWN
}

function labeled(machine: Machine, node: ts.LabeledStatement, scope: Scope): void {
  if (ts.isIterationStatement(node.statement, false)) {
    loopStatement(machine, node.statement, scope, node.label.text)
    return
  }
  const jump: Jump = { label: node.label.text, loop: false, breaks: [], continues: [] }
  const jumps = machine.activations[machine.activations.length - 1]?.jumps
  jumps?.push(jump)
  machine.execute(node.statement, scope)
  jumps?.pop()
  machine.state = joinStates([machine.state, ...jump.breaks])
}

function findJump(machine: Machine, label: string | null, continues: boolean): Jump | undefined {
  const jumps = machine.activations[machine.activations.length - 1]?.jumps ?? []
  for (let index = jumps.length - 1; index >= 0; index--) {
    const jump = jumps[index]!
    if (label !== null ? jump.label === label : jump.loop || (!continues && jump.label === null)) return jump
  }
  return undefined
}

/** Each clause runs where its value is that of the switch, or where the one before falls through. */
function switchStatement(machine: Machine, node: ts.SwitchStatement, scope: Scope): void {
  const value = machine.evaluate(node.expression, scope)
  const site = machine.site(node.expression, scope)
  const inner = childScope(scope)
  const jump: Jump = { label: null, loop: false, breaks: [], continues: [] }
  const jumps = machine.activations[machine.activations.length - 1]?.jumps
  jumps?.push(jump)
  let unmatched: State = machine.state
  let falling: State | null = null
  let decided = false
  const clauses = [...node.caseBlock.clauses]
  const hasDefault = clauses.some((clause) => ts.isDefaultClause(clause))
  for (const clause of clauses) {
    let entry: State = fork(unmatched)
    if (ts.isCaseClause(clause)) {
      machine.state = fork(unmatched)
      const wanted = machine.evaluate(clause.expression, inner)
      const test: Value = { kind: 'test', op: '==', left: value, right: wanted }
      const certain = value.kind === 'const' && wanted.kind === 'const'
      if (certain && value.value !== wanted.value) entry = deadEnd(unmatched)
      else {
        machine.state = fork(unmatched)
        machine.refine(test, true, site)
        entry = machine.state
        if (certain) decided = true
        else {
          const rest = fork(unmatched)
          machine.state = rest
          const facts = truthFacts(test, false, machine)
          if (facts === null) rest.dead = true
          else assume(rest, facts)
          unmatched = rest
        }
      }
    } else if (decided) entry = { ...entry, dead: true }
    machine.state = falling ? joinStates([falling, entry]) : entry
    if (decided && ts.isCaseClause(clause) && !entry.dead) unmatched = deadEnd(unmatched)
    executeBlock(machine, clause.statements, inner)
    falling = machine.state
  }
  jumps?.pop()
  const ends = [...jump.breaks, ...(falling ? [falling] : []), ...(hasDefault ? [] : [unmatched])]
  machine.state = ends.length > 0 ? joinStates(ends) : unmatched
}

/**
 * The catch block starts from every state in which the try block may be left by a throw: its start, after each call that
 * reaches outside, and each `throw`. What was known only later is not known there.
 */
function tryStatement(machine: Machine, node: ts.TryStatement, scope: Scope): void {
  const start = machine.state
  const activation = machine.activations[machine.activations.length - 1]
  const leaving = (): State[] => [
    ...(activation?.returns.map((exit) => exit.state) ?? []),
    ...(activation?.jumps.flatMap((jump) => [...jump.breaks, ...jump.continues]) ?? []),
    ...(machine.tries[machine.tries.length - 1]?.thrown ?? []),
  ]
  const before = new Set(node.finallyBlock ? leaving() : [])
  const around: Try = { thrown: [start], last: null }
  machine.state = fork(start)
  if (node.catchClause) machine.tries.push(around)
  executeBlock(machine, node.tryBlock.statements, childScope(scope))
  if (node.catchClause) machine.tries.pop()
  const ends: State[] = [machine.state]
  if (node.catchClause) {
    const inner = childScope(scope)
    machine.state = fork(joinStates(around.last ? [...around.thrown, around.last] : around.thrown))
    if (node.catchClause.variableDeclaration) machine.bind(node.catchClause.variableDeclaration.name, UNKNOWN, inner)
    executeBlock(machine, node.catchClause.block.statements, inner)
    ends.push(machine.state)
  }
  machine.state = joinStates(ends)
  if (!node.finallyBlock) return
  // The block also runs on the way out by return, break, continue or throw.
  const left = leaving().filter((state) => !before.has(state) && !state.dead)
  const normal = machine.state
  if (left.length > 0) {
    machine.state = fork(joinStates(left))
    executeBlock(machine, node.finallyBlock.statements, childScope(scope))
  }
  machine.state = normal
  if (!normal.dead) executeBlock(machine, node.finallyBlock.statements, childScope(scope))
}

function enumDeclaration(machine: Machine, node: ts.EnumDeclaration, scope: Scope): void {
  const props = new Map<string, Value>()
  let next = 0
  for (const member of node.members) {
    const name = ts.isComputedPropertyName(member.name) ? null : (member.name as ts.Identifier).text
    const value: Value = member.initializer
      ? machine.evaluate(member.initializer, scope)
      : { kind: 'const', value: next }
    if (value.kind === 'const' && typeof value.value === 'number') next = value.value + 1
    if (name !== null) props.set(name, value)
  }
  declareName(machine, node.name.text, machine.object(props), scope)
}
