/** The first parts that fit into so many characters, with a blank line between them; none is made that comes after. */
export function fitting(parts: readonly (() => string)[], room: number): string[] {
  const kept: string[] = []
  let left = room
  for (const part of parts) {
    const text = part()
    left -= text.length + 2
    if (left < 0) break
    kept.push(text)
  }
  return kept
}
