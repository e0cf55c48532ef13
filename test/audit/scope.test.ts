import { describe, expect, it } from 'vitest'
import { pathMatcher, scopeOf } from '../../src/scope.js'

describe('a glob of paths', () => {
  it.each([
    ['supabase/functions/a/index.ts', 'supabase/functions/a/index.ts', true],
    ['supabase/functions/a', 'supabase/functions/a/index.ts', true],
    ['./supabase/functions/a/', 'supabase/functions/a/index.ts', true],
    ['supabase/functions/a', 'supabase/functions/ab/index.ts', false],
    ['supabase/functions/*', 'supabase/functions/a/index.ts', true],
    ['supabase/*/index.ts', 'supabase/functions/a/index.ts', false],
    ['supabase/**/index.ts', 'supabase/functions/a/index.ts', true],
    ['**/index.ts', 'index.ts', true],
    ['**/old-*/**', 'supabase/functions/old-mail/lib/x.ts', true],
    ['**/[ab]?.sql', 'supabase/b1.sql', true],
    ['*.sql', 'supabase/b1.sql', false],
    ['**', 'anything/at/all', true],
  ])('%s on %s: %s', (pattern, path, expected) => {
    expect(pathMatcher(pattern)(path)).toBe(expected)
  })

  it('takes no time over many stars', () => {
    const path = 'a/'.repeat(2000) + 'b'
    const start = performance.now()
    expect(pathMatcher('**/a/'.repeat(50) + 'c')(path)).toBe(false)
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

it('covers what is included and not excluded; nothing included is everything', () => {
  expect(scopeOf().covers('a')).toBe(true)
  expect(scopeOf([], ['a']).covers('a/b')).toBe(false)
  const scope = scopeOf(['a'], ['a/x'])
  expect(['a/b', 'a/x/y', 'c'].map(scope.covers)).toEqual([true, false, false])
  expect(['a/b', 'a/x/y', 'c'].map(scope.excludes)).toEqual([false, true, false])
})
