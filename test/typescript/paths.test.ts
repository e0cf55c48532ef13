import { describe, expect, it } from 'vitest'
import { facts, run, texts } from './run.js'

/** What is known where `show()` stands; "never": no path leads there. */
const known = (cases: readonly (readonly [string, string, string])[]) =>
  it.each(cases)('%s', (_name, code, expected) => {
    expect(facts(code)).toBe(expected)
  })

describe('conditions', () => {
  known([
    ['if', `if (ask('a')) show(1)`, 'a'],
    ['else', `if (ask('a')) {} else show(1)`, '!a'],
    ['an early exit', `if (!ask('a')) return; show(1)`, 'a'],
    ['a thrown error', `if (!ask('a')) throw new Error('x'); show(1)`, 'a'],
    ['and', `if (ask('a') && ask('b')) show(1)`, 'a b'],
    ['or', `if (ask('a') || ask('b')) show(1)`, ''],
    ['not or', `if (!ask('a') || !ask('b')) return; show(1)`, 'a b'],
    ['and within an expression', `ask('a') && show(1)`, 'a'],
    ['a ternary', `ask('a') ? show(1) : 0`, 'a'],
    ['a comparison with null', `if (ask('a') === null) return; show(1)`, 'a'],
    ['a comparison the other way', `if (null != ask('a')) show(1)`, 'a'],
    ['Boolean() and !!', `if (Boolean(ask('a')) && !!ask('b')) show(1)`, 'a b'],
    ['a flag', `const ok = ask('a') !== null; if (!ok) return; show(1)`, 'a'],
    ['a constant decides', `const on = false; if (on) show(1)`, 'never'],
    ['a contradiction', `if (ask('a')) return; if (ask('a')) show(1)`, 'never'],
    ['??', `const x = ask('a') ?? null; if (x) show(1)`, 'a'],
    ['&&=', `let x: any = ask('a'); x &&= ask('b'); if (x) show(1)`, 'a b'],
  ])
})

describe('where paths meet', () => {
  known([
    ['what holds on one only is gone', `if (any('x')) { if (!ask('a')) return } show(1)`, ''],
    ['what holds on both stays', `if (any('x')) { if (!ask('a')) return } else { if (!ask('a')) return } show(1)`, 'a'],
    ['a value keeps what holds with it', `let won = false; if (ask('a')) won = true; if (won) show(1)`, 'a'],
    ['and so does its contrary', `let won = false; if (ask('a')) won = true; if (!won) return; show(1)`, 'a'],
    ['an object', `const o: any = {}; if (ask('a')) o.won = true; if (o.won) show(1)`, 'a'],
    ['a function’s answer', `const f = () => { if (ask('a')) return true; return false }; if (f()) show(1)`, 'a'],
    ['an answer in an object', `const f = () => (ask('a') ? { ok: true } : { ok: false }); if (f().ok) show(1)`, 'a'],
    ['an answer that says nothing', `const f = () => { ask('a'); return true }; if (f()) show(1)`, ''],
  ])
  it('a cell that both left alone is one value', () => {
    expect(texts(`let x = 1; if (any('y')) { x = 1 } show(x)`)).toEqual(['1'])
  })
})

describe('switch', () => {
  known([
    ['a case that is chosen', `switch ('b') { case 'a': return; case 'b': show(1) }`, ''],
    ['a case that is not', `switch ('b') { case 'a': show(1) }`, 'never'],
    ['default', `switch (ask('a')) { case null: return; default: show(1) }`, 'a'],
    ['true as the subject', `switch (true) { case ask('a') !== null: show(1) }`, 'a'],
    ['a fall through', `switch ('a') { case 'a': case 'b': show(1) }`, ''],
    ['after a break', `switch (any('x')) { case 1: if (!ask('a')) return; break; default: return } show(1)`, 'a'],
  ])
})

describe('try, catch, finally', () => {
  known([
    ['what is known after the try', `try { if (!ask('a')) throw 1 } catch { return } show(1)`, 'a'],
    ['a catch that goes on', `try { if (!ask('a')) throw 1 } catch {} show(1)`, ''],
    ['a catch may be reached from the start of the block', `try { if (!ask('a')) throw 1 } catch { show(1) }`, ''],
    ['a throw in a helper', `const f = () => { if (!ask('a')) throw 1 }; try { f() } catch { return } show(1)`, 'a'],
    ['after finally', `try { if (!ask('a')) return } finally { any('x') } show(1)`, 'a'],
    [
      'a catch after something may have thrown at the start',
      `try { await ask('x'); if (!ask('a')) return } catch { show(1) }`,
      '',
    ],
  ])
})

it('finally runs on each way into it, with what is known there', () => {
  const seen = run(`try { if (!ask('a')) return } finally { show(1) }`)
  expect(seen.map((one) => [...one.facts].sort().join(' ')).sort()).toEqual(['!a', 'a'])
})

describe('loops', () => {
  known([
    ['continue', `for (const r of rows('r')) { if (!ask('a')) continue; show(1) }`, 'a'],
    [
      'a labelled continue',
      `out: for (const r of rows('r')) { for (const s of rows('s')) { if (!ask('a')) continue out; show(1) } }`,
      'a',
    ],
    ['break', `for (const r of rows('r')) { if (!ask('a')) break; show(1) }`, 'a'],
    ['after the loop nothing of it is known', `for (const r of rows('r')) { if (!ask('a')) return } show(1)`, ''],
    ['while', `while (ask('a')) { show(1) }`, 'a'],
    ['after while', `while (ask('a')) { any('x') } show(1)`, '!a'],
    ['do while', `do { any('x') } while (ask('a')); show(1)`, '!a'],
    ['for without a condition', `for (;;) { if (!ask('a')) break; show(1) }`, 'a'],
    [
      'what the list keeps for its items',
      `const won: any[] = []; for (const r of rows('r')) if (ask('a')) won.push(r); for (const r of won) show(r)`,
      'a',
    ],
    ['filter', `for (const r of rows('r').filter((r: any) => r.ok)) show(r)`, 'r.ok'],
    ['filter(Boolean)', `for (const r of rows('r').map((r: any) => r.x).filter(Boolean)) show(r)`, 'r.x'],
    ['forEach', `rows('r').forEach((r: any) => { if (!ask('a')) return; show(r) })`, 'a'],
  ])

  it.each([
    ['for-of', `for (const r of rows('r')) show(r)`],
    ['an index', `const list = rows('r'); for (let i = 0; i < list.length; i++) show(list[i])`],
    ['map', `rows('r').map((r: any) => show(r))`],
    ['entries', `for (const [i, r] of rows('r').map((x: any) => x).entries()) show(r)`],
    ['reduce', `rows('r').reduce((all: any, r: any) => { show(r); return all }, null)`],
    ['a spread copy', `const q = [...rows('r')]; for (const r of q) show(r)`],
    ['slices', `const q = rows('r'); for (let i = 0; i < q.length; i += 5) for (const r of q.slice(i, i + 5)) show(r)`],
  ])('items of %s', (_name, code) => {
    expect(texts(code).join()).toContain('r')
    expect(texts(code)).toHaveLength(1)
  })
  it('shift and pop give an item or nothing', () => {
    expect(texts(`const q = [...rows('r')]; show(q.shift()); show(q.pop())`)).toEqual([
      'r | undefined',
      'r | undefined',
    ])
  })
  it('a short list of constants is walked item by item', () => {
    expect(texts(`for (const x of [1, 2, 3]) show(x)`)).toEqual(['1', '2', '3'])
  })
  it('a number that a loop changes is not known in it', () => {
    expect(texts(`let n = 0; for (const r of rows('r')) { show(n); n++ }`)).toEqual(['?'])
  })
  it('a list that a loop fills is seen by its second turn', () => {
    expect(texts(`let last: any = null; for (const r of rows('r')) { show(last); last = [r] }`)).toEqual([
      expect.stringMatching(/^null .*\[r\*?\]$/),
    ])
  })
})

describe('hostile code', () => {
  it.each([
    ['endless recursion', `const f: any = () => f(); f(); show(1)`],
    ['functions that call each other', `const f: any = () => g(); const g: any = () => f(); f(); show(1)`],
    ['an endless loop', `show(1); for (;;) {}`],
    ['deep nesting', `${'if (any("x")) {'.repeat(60)} show(1) ${'}'.repeat(60)}`],
    ['a long chain of branches', `let x = 0; ${`if (any('x')) x = 1; else x = 2;`.repeat(300)} show(1)`],
    ['an object that holds itself', `const o: any = {}; o.o = o; show(1); show(o)`],
    ['a list that holds itself', `const l: any[] = []; l.push(l); show(1); show(l.flat())`],
    ['what is not there', `gone.x.y(); show(1)`],
    ['null is asked for more', `const n: any = null; show(1); n.x`],
  ])('%s ends', (_name, code) => {
    expect(run(code)[0]?.text).toBe('1')
  })
})
