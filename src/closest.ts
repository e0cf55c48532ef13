/** The candidate that `word` was most likely meant to be, for "did you mean"; null where none is near. */
export function closest(word: string, candidates: Iterable<string>): string | null {
  const limit = Math.max(1, Math.floor(word.length / 3))
  let best: string | null = null
  let least = limit + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other. */
function editDistance(left: string, right: string): number {
  let older: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      if (swapped) cost = Math.min(cost, (older[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    older = last
    last = row
  }
  return last[right.length] ?? 0
}

/** ` Did you mean X?`, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const guess = closest(word, candidates)
  return guess === null ? '' : ` Did you mean ${guess}?`
}
