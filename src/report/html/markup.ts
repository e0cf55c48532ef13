/** A piece of a page that is safe to write. */
export interface Markup {
  readonly markup: string
}

type Piece = string | number | Markup | readonly Markup[] | null

/**
 * A template in which every string that is filled in is escaped, for text and for attributes in double quotes; only
 * `Markup` is taken as it is. There is no other way to make markup from text that varies.
 */
export function markup(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return { markup: strings.map((string, index) => string + written(pieces[index] ?? null)).join('') }
}

function written(piece: Piece): string {
  if (piece === null) return ''
  if (typeof piece === 'object') return 'markup' in piece ? piece.markup : piece.map((each) => each.markup).join('')
  return escaped(String(piece))
}

/** Text for an element or for an attribute in double quotes. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Prose in which what stands between backticks is code. */
export function prose(text: string): Markup {
  const parts = text.split(/(`[^`]+`)/)
  return markup`${parts.map((part, index) => (index % 2 === 1 ? markup`<code>${part.slice(1, -1)}</code>` : markup`${part}`))}`
}
