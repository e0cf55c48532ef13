import type { Node } from '@pgsql/types'

export type { Node } from '@pgsql/types'

/** The names of node kinds: `SelectStmt`, `FuncCall`, … */
export type NodeKind = Node extends infer Each ? (Each extends Each ? keyof Each : never) : never

/** The fields of a kind of node. */
export type NodeOf<K extends NodeKind> = Node extends infer Each
  ? Each extends { [Name in K]: infer Fields }
    ? Fields
    : never
  : never

/** The fields of a node if it is of that kind, else undefined. */
export function as<K extends NodeKind>(node: Node | undefined | null, kind: K): NodeOf<K> | undefined {
  return node ? (node as unknown as Record<string, NodeOf<K> | undefined>)[kind] : undefined
}

/** The kind of a node. */
export function kindOf(node: Node): NodeKind {
  for (const kind in node) return kind as NodeKind
  return 'Null' as NodeKind
}

/**
 * Visits every node below (and including) `root`, parents first, in the order of the tree. `visit` gets the kind and the
 * fields; returning false leaves out what is below. `root` may also be the fields of a node. Iterative: trees can be deep.
 */
export function walk(root: object, visit: (kind: string, fields: object) => boolean | void): void {
  const waiting: object[] = [root]
  for (let current = waiting.pop(); current; current = waiting.pop()) {
    const below: object[] = []
    for (const key in current) {
      const value = (current as Record<string, unknown>)[key]
      if (typeof value !== 'object' || value === null) continue
      // Kinds start with a capital, fields do not.
      const isNode = key.charCodeAt(0) < 97 && !Array.isArray(current)
      if (isNode && visit(key, value) === false) continue
      below.push(value)
    }
    for (let index = below.length - 1; index >= 0; index--) waiting.push(below[index]!)
  }
}

/** All nodes of one kind below (and including) `root`. */
export function findAll<K extends NodeKind>(root: object, kind: K): NodeOf<K>[] {
  const found: NodeOf<K>[] = []
  walk(root, (each, fields) => {
    if (each === kind) found.push(fields as NodeOf<K>)
  })
  return found
}
