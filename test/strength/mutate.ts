/** A project as it lies on disk: contents by POSIX path, relative to the folder that holds `supabase`. */
export type Files = ReadonlyMap<string, Buffer>

/** What is done to a project: the files that result, links to make (path → target), and the names of what was done. */
export interface Mutant {
  readonly files: Files
  readonly links: ReadonlyMap<string, string>
  readonly done: readonly string[]
}

/** Numbers from 0 to below `n`; the same for the same seed (mulberry32). */
export type Random = (n: number) => number

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * n)
  }
}

/** Bytes and words that parsers trip over. */
const NASTY = [
  '\0',
  '\0'.repeat(40),
  '\r',
  '\u2028',
  '\u202e',
  '\ufeff',
  '\ud83d\ude00',
  '\u001b[2J',
  "'",
  '"',
  '`',
  '${',
  '$$',
  '$f$',
  '/*',
  '*/',
  '--',
  '//',
  '\\',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  ';',
  ',',
  '::',
  '=>',
  '...',
  '?.',
  'await ',
  'async ',
  'yield ',
  'return ',
  'throw ',
  'break;',
  'while (true) {}',
  'for (;;) {}',
  'import "./index.ts";',
  'export * from "./index.ts";',
  'eval(',
  'class extends ',
  'new ',
  'this',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '1e999',
  '-1',
  '99999999999999999999',
  'select ',
  'with recursive x as (select * from x) ',
  'execute ',
  'loop ',
  'end loop;',
  'end;',
  "do $$ begin perform cron.schedule('a','* * * * *','x'); end $$;",
  "select cron.schedule('', '', '');",
  'select cron.unschedule(jobid) from cron.job;',
  'begin ',
  "E'\\",
  'U&"\\0000"',
  'null::text',
]
const INVALID_UTF8 = [
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0xc0, 0xaf]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0x80]),
]
const OPENERS = [
  '(',
  '[',
  '{',
  '((',
  'a(',
  'if (a) {',
  '() => (',
  '`${',
  'case when ',
  '(select ',
  'f(',
  '<a>',
  '!',
  '-',
  'a.',
  'a?',
  "'",
  'begin ',
  'await ',
]
const CONFIGS = [
  ['supabase/config.toml', '[functions.x]\nentrypoint = "../../../etc/passwd"\nimport_map = "/etc/hosts"\n'],
  [
    'supabase/config.toml',
    '[functions.__proto__]\nenabled = false\n[db.seed]\nsql_paths = ["**/**/**/*.sql", "../**", "[", "{"]\n',
  ],
  ['supabase/config.toml', '[api]\nmax_rows = -1\n[db.migrations]\nschema_paths = ["./migrations/*.sql"]\n'],
  [
    'supabase/functions/deno.json',
    '{"imports": {"./": "./", "a": "a", "": "", "x/": "../../../"}, "scopes": {"./": {"a": 1}}}',
  ],
  ['supabase/functions/import_map.json', '[[[[[[[[1]]]]]]]]'],
  ['supabase/functions/_shared/a.ts', 'export * from "./b.ts"\nexport { a } from "./b.ts"\n'],
  ['supabase/functions/_shared/b.ts', 'export * from "./a.ts"\nexport { a } from "./a.ts"\n'],
] as const

type Mutator = (text: Buffer, random: Random, others: readonly Buffer[]) => Buffer

const mutators: Readonly<Record<string, Mutator>> = {
  bytes: (text, random) => {
    const copy = Buffer.from(text)
    for (let n = 1 + random(20); n > 0 && copy.length > 0; n--) copy[random(copy.length)] = random(256)
    return copy
  },
  nasty: (text, random) => splice(text, random, 0, Buffer.from(pick(NASTY, random))),
  invalidUtf8: (text, random) => splice(text, random, 0, pick(INVALID_UTF8, random)),
  cut: (text, random) => text.subarray(0, random(text.length + 1)),
  remove: (text, random) => splice(text, random, 1 + random(200), Buffer.alloc(0)),
  repeat: (text, random) => {
    const start = random(text.length + 1)
    return splice(text, random, 0, text.subarray(start, start + 1 + random(400)))
  },
  lines: (text, random) => {
    const lines = text.toString('latin1').split('\n')
    for (let n = 1 + random(4); n > 0; n--) {
      const [a, b] = [random(lines.length), random(lines.length)]
      const how = random(3)
      if (how === 0) lines.splice(a, 1)
      else if (how === 1) lines.splice(a, 0, lines[b]!)
      else [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? '']
      if (lines.length === 0) lines.push('')
    }
    return Buffer.from(lines.join('\n'), 'latin1')
  },
  tokens: (text, random, others) => {
    const tokens = tokensOf(text)
    const foreign = tokensOf(pick(others, random))
    for (let n = 1 + random(6); n > 0 && tokens.length > 0; n--) {
      const [a, b] = [random(tokens.length), random(tokens.length)]
      const how = random(4)
      if (how === 0) tokens.splice(a, 1)
      else if (how === 1) tokens[a] = tokens[b]!
      else if (how === 2) tokens[a] = foreign[random(foreign.length)] ?? ''
      else tokens[a] = pick(NASTY, random)
    }
    return Buffer.from(tokens.join(''), 'latin1')
  },
  nesting: (text, random) => splice(text, random, 0, Buffer.from(pick(OPENERS, random).repeat(10 ** (1 + random(4))))),
  closedNesting: (text, random) => {
    const [open, close] = pick(
      [
        ['(', ')'],
        ['[', ']'],
        ['{', '}'],
        ['(() => {', '})()'],
        ['`${', '}`'],
        ['(select ', ')'],
      ],
      random,
    )
    const depth = 10 ** (1 + random(4))
    return splice(text, random, 0, Buffer.from(` ${open!.repeat(depth)}1${close!.repeat(depth)} `))
  },
  hugeLine: (text, random) =>
    splice(
      text,
      random,
      0,
      Buffer.from(
        pick(NASTY, random)
          .padEnd(4, ' x')
          .repeat(1000 * (1 + random(30))),
      ),
    ),
  graft: (text, random, others) => splice(text, random, random(300), pick(others, random)),
}

/** A project with one to four things done to it; the same for the same seed. */
export function mutantOf(projects: readonly Files[], seed: number): Mutant {
  const random = randomOf(seed)
  const files = new Map(pick(projects, random))
  const links = new Map<string, string>()
  const done: string[] = []
  for (let n = 1 + random(4); n > 0; n--) {
    const paths = [...files.keys()]
    const path = pick(paths, random)
    const how = random(20)
    if (how === 0 && files.size > 1) {
      files.delete(path)
      done.push(`missing ${path}`)
    } else if (how === 1) {
      const other = pick(paths, random)
      const [mine, theirs] = [files.get(path)!, files.get(other)!]
      files.set(path, theirs).set(other, mine)
      done.push(`swap ${path} ${other}`)
    } else if (how === 2) {
      const [file, text] = pick(CONFIGS, random)
      files.set(file, Buffer.from(text))
      done.push(`config ${file}`)
    } else if (how === 3) {
      const folder = path.slice(0, path.lastIndexOf('/'))
      const target = pick(['.', '..', '../..', '/', '/dev/zero', 'self', path.slice(path.lastIndexOf('/') + 1)], random)
      links.set(`${folder}/${pick(['self', '9999_link.sql', 'link.ts'], random)}`, target)
      done.push(`link in ${folder} to ${target}`)
    } else {
      const [name, mutate] = pick(Object.entries(mutators), random)
      const others = [...pick(projects, random).values()]
      files.set(path, mutate(files.get(path)!, random, others))
      done.push(`${name} ${path}`)
    }
  }
  return { files, links, done }
}

const tokensOf = (text: Buffer): string[] => text.toString('latin1').match(/\w+|\s+|[^\w\s]/g) ?? []

function pick<T>(list: readonly T[], random: Random): T {
  return list[random(list.length)]!
}

function splice(text: Buffer, random: Random, removed: number, added: Buffer): Buffer {
  const at = random(text.length + 1)
  return Buffer.concat([text.subarray(0, at), added, text.subarray(at + removed)])
}
