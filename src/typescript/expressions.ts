import { ts } from './ts.js'
import { selfOf, readName, keyOf } from './names.js'
import { either } from './branches.js'
import { prefix, binary } from './operators.js'
import { objectLiteral, arrayLiteral } from './literals.js'
import { call, argumentsOf } from './invocation.js'
import type { Machine } from './machine.js'
import { fork } from './state.js'
import { UNDEFINED, UNKNOWN, constant, textOf, unknown, unite, type Scope, type Value } from './value.js'

const K = ts.SyntaxKind

/** The value of an expression; what it calls happens on the way. */
export function evaluateExpression(machine: Machine, node: ts.Expression, scope: Scope): Value {
  switch (node.kind) {
    case K.Identifier:
      return readName(machine, node as ts.Identifier, scope)
    case K.StringLiteral:
    case K.NoSubstitutionTemplateLiteral:
      return constant((node as ts.StringLiteral).text)
    case K.NumericLiteral:
      return constant(Number((node as ts.NumericLiteral).text))
    case K.BigIntLiteral:
      return constant(BigInt((node as ts.BigIntLiteral).text.replace(/n$/, '')))
    case K.TrueKeyword:
      return constant(true)
    case K.FalseKeyword:
      return constant(false)
    case K.NullKeyword:
      return constant(null)
    case K.ThisKeyword:
      return selfOf(scope)
    case K.TemplateExpression: {
      const template = node as ts.TemplateExpression
      const parts: Value[] = [constant(template.head.text)]
      for (const span of template.templateSpans) {
        parts.push(machine.evaluate(span.expression, scope), constant(span.literal.text))
      }
      return textOf(parts)
    }
    case K.TaggedTemplateExpression: {
      const tagged = node as ts.TaggedTemplateExpression
      const tag = machine.evaluate(tagged.tag, scope)
      const template = tagged.template
      const strings = ts.isNoSubstitutionTemplateLiteral(template)
        ? [template.text]
        : [template.head.text, ...template.templateSpans.map((span) => span.literal.text)]
      const values = ts.isNoSubstitutionTemplateLiteral(template)
        ? []
        : template.templateSpans.map((span) => machine.evaluate(span.expression, scope))
      const known = machine.host.template(tag, strings, values, machine, machine.site(node, scope))
      return known ?? unknown(unite(values.map((value) => machine.taints(value))))
    }
    case K.ParenthesizedExpression:
    case K.AsExpression:
    case K.NonNullExpression:
    case K.SatisfiesExpression:
    case K.TypeAssertionExpression:
      return machine.evaluate((node as ts.ParenthesizedExpression).expression, scope)
    case K.ExpressionWithTypeArguments:
      return machine.evaluate((node as ts.ExpressionWithTypeArguments).expression, scope)
    case K.AwaitExpression: {
      const value = machine.evaluate((node as ts.AwaitExpression).expression, scope)
      return machine.await(value, machine.site((node as ts.AwaitExpression).expression, scope))
    }
    case K.VoidExpression:
      machine.evaluate((node as ts.VoidExpression).expression, scope)
      return UNDEFINED
    case K.DeleteExpression: {
      const target = (node as ts.DeleteExpression).expression
      machine.assign(target, UNDEFINED, scope) // and not sent: JSON leaves out what is undefined
      return constant(true)
    }
    case K.TypeOfExpression: {
      const value = machine.evaluate((node as ts.TypeOfExpression).expression, scope)
      return unknown(machine.taints(value))
    }
    case K.PropertyAccessExpression: {
      const access = node as ts.PropertyAccessExpression
      const target = machine.evaluate(access.expression, scope)
      return machine.property(target, access.name.text, machine.site(node, scope))
    }
    case K.ElementAccessExpression: {
      const access = node as ts.ElementAccessExpression
      const target = machine.evaluate(access.expression, scope)
      const index = machine.evaluate(access.argumentExpression, scope)
      return machine.property(target, keyOf(index), machine.site(node, scope))
    }
    case K.CallExpression:
      return call(machine, node as ts.CallExpression, scope)
    case K.NewExpression: {
      const made = node as ts.NewExpression
      const callee = machine.evaluate(made.expression, scope)
      return machine.construct(callee, argumentsOf(machine, made.arguments ?? [], scope), machine.site(node, scope))
    }
    case K.ObjectLiteralExpression:
      return objectLiteral(machine, node as ts.ObjectLiteralExpression, scope)
    case K.ArrayLiteralExpression:
      return arrayLiteral(machine, node as ts.ArrayLiteralExpression, scope)
    case K.ArrowFunction:
    case K.FunctionExpression:
      return {
        kind: 'function',
        node: node as ts.ArrowFunction,
        scope,
        self: node.kind === K.ArrowFunction ? selfOf(scope) : null,
      }
    case K.ClassExpression:
      return { kind: 'class', node: node as ts.ClassExpression, scope }
    case K.ConditionalExpression: {
      const conditional = node as ts.ConditionalExpression
      const condition = machine.evaluate(conditional.condition, scope)
      return either(machine, condition, conditional.condition, scope, [
        () => machine.evaluate(conditional.whenTrue, scope),
        () => machine.evaluate(conditional.whenFalse, scope),
      ])
    }
    case K.PrefixUnaryExpression:
      return prefix(machine, node as ts.PrefixUnaryExpression, scope)
    case K.PostfixUnaryExpression: {
      const operand = (node as ts.PostfixUnaryExpression).operand
      const before = machine.evaluate(operand, scope)
      machine.assign(operand, unknown(machine.taints(before)), scope)
      return before.kind === 'const' ? UNKNOWN : before
    }
    case K.BinaryExpression:
      return binary(machine, node as ts.BinaryExpression, scope)
    case K.SpreadElement:
      return machine.evaluate((node as ts.SpreadElement).expression, scope)
    case K.YieldExpression: {
      const yielded = node as ts.YieldExpression
      const value = yielded.expression ? machine.evaluate(yielded.expression, scope) : UNDEFINED
      const activation = machine.activations[machine.activations.length - 1]
      if (activation) {
        const { state } = machine
        machine.state = fork(state)
        const list = yielded.asteriskToken ? machine.listCell(value) : null
        activation.yields.push({ state, value: list?.element ?? value })
      }
      return UNKNOWN
    }
    default:
      return UNKNOWN
  }
}
