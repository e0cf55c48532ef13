import { describe, expect, it } from 'vitest'
import { texts } from './run.js'

const list = (cases: readonly (readonly [string, string, ...string[]])[]) =>
  it.each(cases.map(([name, code, ...expected]) => ({ name, code, expected })))('$name', ({ code, expected }) => {
    expect(texts(code)).toEqual(expected)
  })

describe('texts and numbers', () => {
  list([
    ['are folded', 'show(1 + 2); show(`a${1}b`); show("a" + "b")', '3', '"a1b"', '"ab"'],
    ['keep the parts that are known', "show(`a${any('x')}b`)", '"a<?x>b"'],
    [
      'methods of texts',
      `show('AB'.toLowerCase()); show('a,b'.split(',')); show('x-y'.replace('-', '_')); show(' a '.trim())`,
      '"ab"',
      '["a", "b"]',
      '"x_y"',
      '"a"',
    ],
    [
      'a number of a row, moved on',
      `const r = ask('r'); show(r.n + 1); show(r.n - 2); show(r.n * 2)`,
      'r.n+1',
      'r.n-2',
      '?r.n',
    ],
    [
      'casts and assertions change nothing',
      `show((1 as number)!); show(2 satisfies number); show((0, 3))`,
      '1',
      '2',
      '3',
    ],
    [
      '?? and || keep both sides and what they say',
      `const r = ask('r'); show(r.a ?? 3); show(r.a || 3)`,
      'r.a{r.a} | 3{!r.a}',
      'r.a{r.a} | 3{!r.a}',
    ],
    ['a value keeps from what it was made', `show(any('q').foo.bar); show(Deno.env.get('X'))`, '?q', '?env:X'],
  ])
})

describe('moments', () => {
  list([
    ['now', 'show(Date.now()); show(new Date().toISOString())', 'now', 'now'],
    [
      'shifted',
      'show(new Date(Date.now() - 60_000).toISOString()); show(new Date(Date.now() + 5))',
      'now-60000',
      'now+5',
    ],
    [
      'by an amount that is not known',
      'const d = new Date(); d.setMinutes(d.getMinutes() + 5); show(d.toISOString())',
      'now±',
    ],
    ['the day', 'show(new Date().toISOString().slice(0, 10))', 'now± (day)'],
    ['what is new each time', 'show(crypto.randomUUID()); show(Math.random())', '?fresh', '?fresh'],
  ])
})

describe('objects', () => {
  list([
    ['spread', `show({ ...{ a: 1, b: 2 }, b: 3 })`, '{a: 1, b: 3}'],
    ['computed keys', `const k = 'a'; show({ [k]: 1 }); show({ a: 5 }[k])`, '{a: 1}', '5'],
    [
      'destructured with defaults and a rest',
      `const { a, b = 2, ...c } = { a: 1, d: 4 }; show(a); show(b); show(c)`,
      '1',
      '2',
      '{d: 4}',
    ],
    [
      'nested patterns of parameters',
      `const f = ({ a: { b = 1 } = {}, c } = { c: 2 }) => [b, c]; show(f()); show(f({ a: { b: 5 }, c: 6 }))`,
      '[1, 2]',
      '[5, 6]',
    ],
    [
      'are changed in place',
      `const o: any = {}; o.a = 1; o['b'] = 2; o.c ??= 3; o.a += 1; show(o)`,
      '{a: 2, b: 2, c: 3}',
    ],
    ['are seen by whoever holds them', `const o: any = { n: 1 }; const p = o; p.n = 2; show(o)`, '{n: 2}'],
    ['through JSON', `show(JSON.parse(JSON.stringify({ a: 1 }))); show(JSON.parse('{"a":[1]}'))`, '{a: 1}', '{a: [1]}'],
    [
      'Object.entries, keys, assign',
      `show(Object.entries({ a: 1 })); show(Object.keys({ a: 1 })); show(Object.assign({}, { a: 1 }, { b: 2 }))`,
      '[["a", 1]]',
      '["a"]',
      '{a: 1, b: 2}',
    ],
    ['optional chaining', `const o: any = { a: null }; show(o?.a?.b); show(o.a?.b ?? 7)`, 'undefined', '7'],
  ])
  it('lose what is deleted', () => {
    expect(texts(`const o: any = { a: 1, b: 2 }; delete o.b; show(o.a); show(o.b)`)).toEqual(['1', 'undefined'])
  })
})

describe('lists, Sets and Maps', () => {
  list([
    [
      'spread and destructured',
      `const [a, , b = 3] = [1, 2]; show(a); show(b); show([...[1, 2], 3])`,
      '1',
      '3',
      '[1, 2, 3]',
    ],
    [
      'map and filter over what is known',
      `show([1, 2].map((x) => x * 2)); show([1, 2, 3].filter((x) => x > 1))`,
      '[2, 4]',
      '[2 | 3*]',
    ],
    [
      'map over rows',
      `show(rows('r').map((r: any) => r.id)); show(rows('r').map((r: any) => ({ ...r, id: 1 })))`,
      '[r.id*]',
      '[{id: 1, ...?r}*]',
    ],
    ['push', `const a: any[] = []; a.push(1); a.push(2); show(a); show(a[0])`, '[1 | 2*]', '1 | 2 | undefined'],
    ['a Map', `const m = new Map(); m.set('k', 1); show(m); show(m.get('k'))`, 'Map "k" → 1', '1 | undefined'],
    ['a Map of pairs', `show(new Map(rows('r').map((r: any) => [r.id, r])))`, 'Map r.id → r'],
    ['a Set', `show(new Set([1, 2]).has(1))`, '([1 | 2*] has 1)'],
    ['an empty list stays one', `show([]); show([].map((x) => x))`, '[]', '[]'],
    [
      'flat and flatMap',
      `show([[1], [2]].flat()); show(rows('r').flatMap((r: any) => [r, r.id]))`,
      '[1 | 2*]',
      '[r | r.id*]',
    ],
    ['join', `show(['a', 'b'].join('-'))`, '"a-b"'],
  ])
})

describe('functions', () => {
  list([
    ['closures', `const make = (x: number) => () => x; show(make(4)())`, '4'],
    [
      'defaults and rests',
      `const f = (a: any, b = 2, ...c: any[]) => [a, b, c]; show(f(1)); show(f(1, 3, 4, 5))`,
      '[1, 2, []]',
      '[1, 3, [4, 5]]',
    ],
    ['each way out keeps its facts', `const f = () => { if (ask('a')) return 1; return 2 }; show(f())`, '1{a} | 2{!a}'],
    [
      'async functions are awaited',
      `const f = async () => 5; show(await f()); show(await Promise.all([f(), 2]))`,
      '5',
      '[5, 2]',
    ],
    ['allSettled', `show(await Promise.allSettled([Promise.resolve(1)]))`, '[{status: ?, value: 1, reason: ?}]'],
    ['then', `show(await Promise.resolve(1).then((x: number) => x + 1))`, '2'],
    ['new Promise', `show(await new Promise((ok) => ok(3)))`, '3'],
    ['generators', `function* g() { yield 1; yield 2 }\n---\nfor (const x of g()) show(x)`, '1 | 2'],
    [
      'async generators',
      `async function* g() { for (const r of rows('r')) yield r.id }\n---\nfor await (const x of g()) show(x)`,
      'r.id',
    ],
    ['recursion stops', `function f(n: number): any { return n < 2 ? 1 : f(n - 1) }\n---\nshow(f(9))`, '?'],
    ['hoisted functions', `show(f()); function f() { return 1 }`, '1'],
    [
      'call and apply',
      `const f = function (a: any) { return a }; show(f.call(null, 1)); show(f.apply(null, [2]))`,
      '1',
      '2',
    ],
  ])
})

it('bind keeps its arguments', () => {
  expect(texts(`const f = (a: any) => a; show(f.bind(null, 3)())`)).toEqual(['3'])
})

it('a parameter `this` is none', () => {
  expect(texts(`function f(this: any, a: any) { return a }\n---\nshow(f(1))`)).toEqual(['1'])
})

describe('classes and enums', () => {
  list([
    [
      'fields, statics, parameters, getters, methods',
      `class A { x = 1; static y = 2; constructor(public z: number) {} get w() { return this.z + 1 } f() { return this.x } }\n---\nconst a = new A(3); show(a.x); show(A.y); show(a.z); show(a.w); show(a.f())`,
      '1',
      '2',
      '3',
      '4',
      '1',
    ],
    [
      'what is inherited',
      `class A { constructor(public z: number) {} f() { return this.z } }\nclass B extends A {}\n---\nshow(new B(3).f())`,
      '3',
    ],
    ['private fields', `class A { #x = 1; f() { return this.#x } }\n---\nshow(new A().f())`, '1'],
    ['enums', `enum E { A, B, C = 'c' }\n---\nshow(E.A); show(E.B); show(E.C)`, '0', '1', '"c"'],
    ['objects of constants', `const S = { A: 'a' } as const\n---\nshow(S.A)`, '"a"'],
  ])
  it('super(…) hands its arguments to the parent', () => {
    expect(
      texts(
        `class A { constructor(public z: number) {} }\nclass B extends A { constructor() { super(5) } }\n---\nshow(new B().z)`,
      ),
    ).toEqual(['5'])
  })
  it.each([
    [
      'a parent’s fields come before the child’s',
      `class A { x = 1; y = 2 } class B extends A { x = 3; constructor() { super() } }`,
      'new B().x',
      '3',
    ],
    [
      'and the parent’s are there',
      `class A { y = 2 } class B extends A { constructor() { super() } }`,
      'new B().y',
      '2',
    ],
    [
      'arguments go through a class without a constructor',
      `class A { constructor(public z: number) {} } class B extends A {} class C extends B { constructor() { super(7) } }`,
      'new C().z',
      '7',
    ],
    [
      'super.method() is the parent’s, with this',
      `class A { n = 4; f() { return this.n } } class B extends A { f() { return super.f() } }`,
      'new B().f()',
      '4',
    ],
    [
      'super.method() of a grandparent',
      `class A { f() { return 1 } } class B extends A {} class C extends B { f() { return super.f() } }`,
      'new C().f()',
      '1',
    ],
  ])('%s', (_name, code, expression, expected) => {
    expect(texts(`${code}\n---\nshow(${expression})`)).toEqual([expected])
  })
})

describe('modules', () => {
  const files = {
    'a.ts': `export const one = 1; export default 2; export function f() { return one }`,
    'mod.ts': `export * from './a.ts'; export { one as uno, default as two } from './a.ts'; export * as all from './a.ts'`,
    'loop.ts': `import { back } from './back.ts'; export const x = 1; export const y = () => back()`,
    'back.ts': `import { x } from './loop.ts'; export const back = () => x`,
  }
  it.each([
    ['named and default', `import two, { one, f } from './a.ts'\n---\nshow([one, two, f()])`, '[1, 2, 1]'],
    ['a namespace', `import * as a from './a.ts'\n---\nshow(a.one)`, '1'],
    ['a barrel', `import { one, uno, two, all } from './mod.ts'\n---\nshow([one, uno, two, all.one])`, '[1, 1, 2, 1]'],
    ['a dynamic import', `show((await import('./a.ts')).default)`, '2'],
    ['a cycle', `import { y } from './loop.ts'\n---\nshow(y())`, '1'],
    ['types alone', `import type { T } from './gone.ts'\n---\nshow(1)`, '1'],
    ['one that is not there', `import { x } from './gone.ts'\n---\nshow(x)`, '?missing:./gone.ts'],
    ['of a package', `import x from 'npm:x'\n---\nshow(x)`, 'external'],
  ])('%s', (_name, code, expected) => {
    expect(texts(code, files)).toEqual([expected])
  })
  it('a variable that functions may have changed is not known', () => {
    expect(texts(`let n = 0\nconst m = 0\n---\nshow(n); show(m)`)).toEqual(['?module:main.ts#n', '0'])
  })
})
