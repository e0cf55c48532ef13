// What a careful user writes in an afternoon: a custom rule of the same intent, over one file and without types.
import * as parser from '@typescript-eslint/parser'

const LOOPS = new Set(['ForOfStatement', 'ForInStatement', 'ForStatement', 'WhileStatement', 'DoWhileStatement'])
const isUpdate = ({ property, computed }) => !computed && property.name === 'update'

/** An awaited call in a loop, with no `.update` before it in that loop. */
const effectBeforeUpdate = {
  meta: { type: 'problem', schema: [], messages: { late: 'A row is worked on before anything takes it.' } },
  create(context) {
    const updates = []
    const loopOf = (node) => context.sourceCode.getAncestors(node).findLast((each) => LOOPS.has(each.type))
    return {
      MemberExpression: (node) => void (isUpdate(node) && updates.push(node)),
      'AwaitExpression:has(CallExpression):exit'(node) {
        const loop = loopOf(node)
        if (!loop) return
        const taken = updates.some(({ range }) => range[0] >= loop.range[0] && range[1] <= node.range[1])
        if (!taken) context.report({ node, messageId: 'late' })
      },
    }
  },
}

export default [
  {
    files: ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'],
    languageOptions: { parser },
    plugins: { bench: { rules: { 'effect-before-update': effectBeforeUpdate } } },
    rules: { 'bench/effect-before-update': 'warn' },
  },
]
