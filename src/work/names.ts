import { ts } from 'ts-morph'

/** The variable that holds the row of a request: `const { data: job } = await db.from(…)…`; null: none, or not by one name. */
export function boundName(request: ts.Node): string | null {
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
