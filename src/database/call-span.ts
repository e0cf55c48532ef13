import type { Location } from '../model/index.js'
import { locate, tokensOf, type SqlText } from '../sql/index.js'

/** The whole call, from its name to its closing parenthesis. */
export function callSpan(source: SqlText, start: number): Location {
  const tokens = tokensOf(source)
  let depth = 0
  for (let index = Math.max(0, tokenIndex(tokens, start)); index < tokens.length; index++) {
    const { value, kind, end } = tokens[index]!
    if (kind !== 'symbol') continue
    if (value === '(') depth++
    else if (value === ')' && --depth <= 0) return locate(source, start, end)
  }
  return locate(source, start)
}

/** Index of the first lexeme that starts at `offset` or after it. */
function tokenIndex(tokens: readonly { readonly start: number }[], offset: number): number {
  let low = 0
  let high = tokens.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (tokens[middle]!.start < offset) low = middle + 1
    else high = middle
  }
  return low
}
