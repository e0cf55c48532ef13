import { ts } from './ts.js'
import { lookup } from './names.js'
import type { Jump, LoopFrame, Machine } from './machine.js'
import { assume, changedSince, deadEnd, fork, joinStates, read, write, type State } from './state.js'
import { UNKNOWN, altOf, contrary, unknown, type Scope, type Value } from './value.js'

const K = ts.SyntaxKind

const scopeWithin = (parent: Scope): Scope => ({
  names: new Map(),
  parent,
  self: null,
  file: parent.file,
  module: false,
})

/** A loop statement, run for one turn that stands for all of them. */
export function loopStatement(machine: Machine, node: ts.IterationStatement, scope: Scope, label: string | null): void {
  const inner = scopeWithin(scope)
  if (ts.isForOfStatement(node)) {
    const list = machine.evaluate(node.expression, scope)
    const target = node.awaitModifier ? machine.await(list, machine.site(node.expression, scope)) : list
    const declaration = ts.isVariableDeclarationList(node.initializer) ? node.initializer.declarations[0] : undefined
    const item = declaration && ts.isIdentifier(declaration.name) ? declaration.name.text : null
    widenAssigned(machine, node.statement, scope)
    machine.each(target, { node, width: 1, item }, machine.site(node, scope), (value) => {
      const turn = scopeWithin(scope)
      if (declaration) machine.bind(declaration.name, value, turn)
      else machine.assign(node.initializer as ts.Expression, value, turn)
      withJumps(machine, label, () => machine.execute(node.statement, turn))
    })
    return
  }
  if (ts.isForStatement(node) && node.initializer) {
    if (ts.isVariableDeclarationList(node.initializer)) {
      for (const declaration of node.initializer.declarations) {
        const value = declaration.initializer ? machine.evaluate(declaration.initializer, inner) : UNKNOWN
        machine.bind(declaration.name, value.kind === 'const' ? UNKNOWN : value, inner)
      }
    } else machine.evaluate(node.initializer, inner)
  }
  if (ts.isForInStatement(node) && ts.isVariableDeclarationList(node.initializer)) {
    const object = machine.evaluate(node.expression, scope)
    machine.bind(node.initializer.declarations[0]!.name, unknown(machine.taints(object)), inner)
  }
  const condition = conditionOf(node)
  widenAssigned(machine, node.statement, scope)
  if (condition) widenAssigned(machine, condition, scope)
  const jump: Jump = { label, loop: true, breaks: [], continues: [] }
  const turns = (start: State): State => {
    machine.state = fork(start)
    const exits: State[] = []
    const test = (): boolean => {
      if (!condition) return true
      const value = machine.evaluate(condition, inner)
      const before = machine.state
      machine.state = fork(before)
      machine.refine(value, false, machine.site(condition, inner))
      exits.push(machine.state)
      machine.state = fork(before)
      machine.refine(value, true, machine.site(condition, inner))
      return !machine.state.dead
    }
    const enter = ts.isDoStatement(node) || test()
    if (enter) {
      inLoop(machine, { node, file: scope.file, element: null, width: 1, item: null }, () => {
        jumpsOf(machine)?.push(jump)
        machine.execute(node.statement, inner)
        jumpsOf(machine)?.pop()
      })
      machine.state = joinStates([machine.state, ...jump.continues])
      if (ts.isForStatement(node) && node.incrementor && !machine.state.dead) machine.evaluate(node.incrementor, inner)
      if (ts.isDoStatement(node) && !machine.state.dead) test()
      else if (condition && !machine.state.dead) {
        // The turn after the last: what the body left, seen by a condition that no longer holds.
        const mark = machine.host.mark()
        const value = machine.evaluate(condition, inner)
        machine.host.rollback(mark)
        machine.refine(value, false, machine.site(condition, inner))
        exits.push(machine.state)
      }
    }
    const all = [...exits, ...jump.breaks]
    return all.length > 0 ? joinStates(all) : deadEnd(start)
  }
  machine.state = settle(machine, machine.state, turns, jump)
}

/**
 * Runs a loop; where its body gave a variable another query, list or function, runs it once more from what it left, so
 * that the second turn is seen as well. What the first run recorded is dropped then.
 */
function settle(machine: Machine, start: State, turns: (start: State) => State, jump: Jump): State {
  const mark = machine.host.mark()
  const after = turns(start)
  if (after.dead || !changesAnything(start, [after, ...jump.continues])) return after
  machine.host.rollback(mark)
  jump.breaks.length = 0
  const again = joinStates([start, after, ...jump.continues])
  jump.continues.length = 0
  return turns(again)
}

/** Did a variable that was there before get a value that is more than a number or a text? */
function changesAnything(start: State, ends: readonly State[]): boolean {
  for (const end of ends)
    for (const cell of changedSince(start, end)) {
      const value = read(end, cell)
      const before = read(start, cell)
      if (before === undefined || before === value || before.kind.endsWith('-cell')) continue
      if (isTelling(value as Value)) return true
    }
  return false
}

function isTelling(value: Value): boolean {
  if (value.kind === 'alt') return value.options.some((option) => isTelling(option.value))
  return value.kind === 'foreign' || value.kind === 'list' || value.kind === 'object' || value.kind === 'function'
}

const conditionOf = (node: ts.IterationStatement): ts.Expression | undefined => {
  const condition = ts.isForStatement(node)
    ? node.condition
    : ts.isWhileStatement(node) || ts.isDoStatement(node)
      ? node.expression
      : undefined
  return condition && condition.kind === K.TrueKeyword ? undefined : condition
}

const jumpsOf = (machine: Machine): Jump[] | undefined => machine.activations[machine.activations.length - 1]?.jumps

function withJumps(machine: Machine, label: string | null, body: () => void): void {
  const jump: Jump = { label, loop: true, breaks: [], continues: [] }
  const jumps = jumpsOf(machine)
  jumps?.push(jump)
  body()
  jumps?.pop()
  if (jump.continues.length > 0 || jump.breaks.length > 0)
    machine.state = joinStates([machine.state, ...jump.continues, ...jump.breaks])
}

let loopIds = 0

/** Runs a turn of a loop: sites made in it know the loop. */
function inLoop(
  machine: Machine,
  loop: Pick<LoopFrame, 'node' | 'file' | 'element' | 'width' | 'item'>,
  turn: () => void,
) {
  const around = machine.loops
  machine.loops = [...around, { ...loop, id: ++loopIds, depth: machine.calls.length, since: machine.cells() }]
  turn()
  machine.loops = around
}

const MOST_UNROLLED = 8

/**
 * One turn for all items of a list, with what is known of each of them; a short list of constants is walked item by item.
 * After the loop only what holds whether or not it ran is known.
 */
export function eachItem(
  machine: Machine,
  list: Value,
  loop: { node: ts.Node; width: number | 'all'; item: string | null },
  file: string,
  body: (item: Value) => void,
): void {
  const items = machine.items(list)
  if (items === null || items.element === null || machine.state.dead) return
  const width = items.width !== null && loop.width === 'all' ? items.width : loop.width
  const turn = (item: Value, start: State, variant: number | null): State => {
    machine.state = fork(start)
    machine.host.turn?.(item, list, machine)
    const usable = items.facts.filter((fact) => !start.facts.has(contrary(fact)))
    assume(machine.state, usable)
    const run = () =>
      inLoop(machine, { node: loop.node, file, element: item, width, item: loop.item }, () => body(item))
    if (variant === null) run()
    else machine.variant(variant, run)
    return machine.state
  }
  const constants = items.items
  if (
    constants &&
    constants.length <= MOST_UNROLLED &&
    machine.variants.length < 2 &&
    constants.every((item) => machine.taints(item).size === 0)
  ) {
    let state = machine.state
    constants.forEach((item, index) => {
      const end = turn(item, state, index)
      state = end.dead ? state : end
    })
    machine.state = state
    return
  }
  const start = machine.state
  const jump: Jump = { label: null, loop: true, breaks: [], continues: [] }
  const element = items.element
  machine.state = settle(machine, start, (from) => joinStates([from, turn(element, from, null)]), jump)
}

const assignedIn = new WeakMap<ts.Node, readonly string[]>()

/** Variables that a piece of code assigns to, by name. */
function assignedNames(node: ts.Node): readonly string[] {
  const known = assignedIn.get(node)
  if (known) return known
  const names = new Set<string>()
  const visit = (at: ts.Node): void => {
    if (
      ts.isBinaryExpression(at) &&
      at.operatorToken.kind >= K.FirstAssignment &&
      at.operatorToken.kind <= K.LastAssignment
    ) {
      if (ts.isIdentifier(at.left)) names.add(at.left.text)
    } else if ((ts.isPrefixUnaryExpression(at) || ts.isPostfixUnaryExpression(at)) && ts.isIdentifier(at.operand)) {
      if (at.operator === K.PlusPlusToken || at.operator === K.MinusMinusToken) names.add(at.operand.text)
    }
    ts.forEachChild(at, visit)
  }
  visit(node)
  const list = [...names]
  assignedIn.set(node, list)
  return list
}

/** A number, flag or text that the loop changes is not known in any of its turns. */
function widenAssigned(machine: Machine, node: ts.Node, scope: Scope): void {
  for (const name of assignedNames(node)) {
    const found = lookup(scope, name)
    if (!found) continue
    const value = read(machine.state, found.cell) as Value | undefined
    if (value?.kind === 'const' && value.value !== null && value.value !== undefined)
      write(machine.state, found.cell, UNKNOWN)
    else if (value?.kind === 'const')
      write(
        machine.state,
        found.cell,
        altOf([
          { value, facts: [] },
          { value: UNKNOWN, facts: [] },
        ]),
      )
  }
}
