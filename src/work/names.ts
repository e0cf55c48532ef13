import { ts } from '../typescript/ts.js'
import { isResult } from '../clients/results.js'
import type { Foreign, Site, Value } from '../typescript/index.js'
import type { Driver } from './sources.js'

/** The variable that holds the row of a request: `const { data: job } = await db.from(…)…`; null: none, or not by one name. */
function boundName(request: ts.Node): string | null {
  let node = request
  while (
    ts.isAwaitExpression(node.parent) ||
    ts.isParenthesizedExpression(node.parent) ||
    ts.isAsExpression(node.parent) ||
    ts.isNonNullExpression(node.parent) ||
    (ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node) ||
    (ts.isCallExpression(node.parent) && node.parent.expression === node)
  )
    node = node.parent
  if (!ts.isVariableDeclaration(node.parent) || !ts.isObjectBindingPattern(node.parent.name)) return null
  for (const { propertyName, name } of node.parent.name.elements) {
    const property = propertyName ?? name
    if (ts.isIdentifier(property) && property.text === 'data' && ts.isIdentifier(name)) return name.text
  }
  return null
}

/** The variable that holds the row where its effect is made; null: none does, or it is not in reach. */
export function nameOfRow({ frame, source }: Driver, effect: Site): string | null {
  // A loop over keys, names or groups has no row.
  if (frame?.element) return isRowLike(frame.element) ? frame.item : null
  const one = source.result === 'one' || source.result === 'maybe-one'
  return one && isAround(source.site, effect) ? boundName(source.site.node) : (frame?.item ?? null)
}

const isRowLike = (value: Value): boolean =>
  value.kind === 'alt'
    ? value.options.every((option) => isRowLike(option.value))
    : value.kind === 'object' || (value.kind === 'foreign' && !isColumn(value))

const isColumn = (value: Foreign): boolean => isResult(value) && value.data.type === 'column'

/** Does a place stand in a call that the other one is within? Then its variables are in reach there. */
const isAround = (outer: Site, inner: Site): boolean =>
  outer.calls.every(
    (call, index) => call.node === inner.calls[index]?.node && call.target === inner.calls[index]?.target,
  )
