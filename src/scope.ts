import { matches } from './project/glob.js'

/** Which files the report speaks of. Paths are POSIX and relative to the folder that holds the `supabase` folder. */
export interface Scope {
  /** Asked for, and not excluded. */
  readonly covers: (path: string) => boolean
  readonly excludes: (path: string) => boolean
}

/** `include` is what the report is about (empty: everything), `exclude` what it leaves out; a pattern that fits a folder fits all in it. */
export function scopeOf(include: readonly string[] = [], exclude: readonly string[] = []): Scope {
  const [wanted, unwanted] = [include.map(pathMatcher), exclude.map(pathMatcher)]
  const excludes = (path: string) => unwanted.some((fits) => fits(path))
  const covers = (path: string) => (wanted.length === 0 || wanted.some((fits) => fits(path))) && !excludes(path)
  return { covers, excludes }
}

/** A path against a pattern with `*`, `?` and `[a-z]` within a name and `**` for any number of folders; never exponential. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.')
  return (path) => fits([...parts, '**'], path.split('/'))
}

/** Two pointers with one step back to the last `**`, as `matches` does within a name. */
function fits(parts: readonly string[], names: readonly string[]): boolean {
  let [p, n, star, mark] = [0, 0, -1, 0]
  while (n < names.length) {
    if (parts[p] === '**') [star, mark, p] = [p, n, p + 1]
    else if (p < parts.length && matches(parts[p]!, names[n]!)) [p, n] = [p + 1, n + 1]
    else if (star >= 0) [p, n, mark] = [star + 1, mark + 1, mark + 1]
    else return false
  }
  while (parts[p] === '**') p++
  return p === parts.length
}
