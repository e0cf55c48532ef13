import { tokenize, type Token } from '../sql/index.js'

/** What a statement of DDL is about, told from its first words without parsing it. */
export interface Head {
  readonly kind:
    | 'create table'
    | 'create routine'
    | 'create index'
    | 'create trigger'
    | 'alter table'
    | 'drop routine'
    | 'drop table'
    | 'drop index'
    | 'drop trigger'
    | 'insert'
    | 'update'
    | 'delete'
    | 'run'
  /** The object's name without its schema; several for a DROP of several; empty for `run`. */
  readonly names: readonly string[]
}

/** A setting of one's own that is kept with the database or a role. */
const SETS = /^alter\s+(?:database|role|user)\s[^']*?\sset\s+"?\w+\./i

/** The bulk of what else a migration makes; the patterns above would each look at it in vain. */
const NOTHING = /^(?:create\s+(?:index|or\s+replace\s+view|OTHER)|(?:alter|drop)\s+(?:OTHER))\b/.source.replaceAll(
  'OTHER',
  'policy|view|materialized|type|extension|schema|sequence|publication|domain|role|rule|collation',
)
const MAKES_NOTHING = new RegExp(NOTHING, 'i')

const RUN = new Set(['select', 'do', 'with', 'call', 'values'])
const DEFINES = new Set(['create', 'alter', 'drop', 'insert', 'update', 'delete'])

/** How much of a statement is looked at: most heads are short, and few statements are. */
const LENGTHS = [250, 1000]

/** The head of a statement; null where it can neither define nor run anything that matters here. */
export function headOf(statement: string): Head | null {
  const first = /^\w+/.exec(statement)?.[0].toLowerCase() ?? ''
  if (RUN.has(first) || statement.startsWith('(')) return { kind: 'run', names: [] }
  if (first === 'alter' && SETS.test(statement)) return { kind: 'run', names: [] }
  if (!DEFINES.has(first) || MAKES_NOTHING.test(statement)) return null
  for (const length of LENGTHS) {
    const head = headIn({ tokens: tokenize(statement.slice(0, length)), at: 0 })
    // A name that ends where the text was cut may go on behind
    if (head && (head.end < length || statement.length <= length))
      return { kind: head.kind, names: [head.name, ...moreNames(head, statement)] }
    if (statement.length <= length) return null
  }
  return null
}

interface Cursor {
  readonly tokens: readonly Token[]
  at: number
}

interface FirstName {
  readonly kind: Head['kind']
  readonly name: string
  /** Where the name ends in the text. */
  readonly end: number
}

function headIn(cursor: Cursor): FirstName | null {
  switch (wordOf(cursor)) {
    case 'create':
      return createIn(cursor)
    case 'drop':
      return dropIn(cursor)
    case 'alter':
      if (!take(cursor, 'alter', 'table')) return null
      take(cursor, 'if', 'exists')
      take(cursor, 'only')
      return named('alter table', cursor)
    case 'insert':
      return take(cursor, 'insert', 'into') ? named('insert', cursor) : null
    case 'update':
      take(cursor, 'update')
      take(cursor, 'only')
      return named('update', cursor)
    default:
      if (!take(cursor, 'delete', 'from')) return null
      take(cursor, 'only')
      return named('delete', cursor)
  }
}

function createIn(cursor: Cursor): FirstName | null {
  take(cursor, 'create')
  const replaces = take(cursor, 'or', 'replace')
  if (take(cursor, 'function') || take(cursor, 'procedure')) return named('create routine', cursor)
  const isConstraint = take(cursor, 'constraint')
  if (take(cursor, 'trigger')) return namedAfterOn('create trigger', cursor)
  if (replaces || isConstraint) return null
  if (take(cursor, 'unique', 'index')) {
    take(cursor, 'concurrently')
    take(cursor, 'if', 'not', 'exists')
    if (wordOf(cursor) !== 'on') cursor.at++
    if (!take(cursor, 'on')) return null
    take(cursor, 'only')
    return named('create index', cursor)
  }
  if (!take(cursor, 'global')) take(cursor, 'local')
  for (const word of ['temp', 'temporary', 'unlogged', 'foreign']) take(cursor, word)
  if (!take(cursor, 'table')) return null
  take(cursor, 'if', 'not', 'exists')
  return named('create table', cursor)
}

function dropIn(cursor: Cursor): FirstName | null {
  take(cursor, 'drop')
  const what = wordOf(cursor) ?? ''
  const kind = DROPS[what]
  if (kind === undefined) return null
  cursor.at++
  if (what === 'index') take(cursor, 'concurrently')
  take(cursor, 'if', 'exists')
  return what === 'trigger' ? namedAfterOn(kind, cursor) : named(kind, cursor)
}

const DROPS: Readonly<Record<string, Head['kind']>> = {
  table: 'drop table',
  function: 'drop routine',
  procedure: 'drop routine',
  routine: 'drop routine',
  index: 'drop index',
  trigger: 'drop trigger',
}

/** A trigger is told by its table: what stands behind ON. */
function namedAfterOn(kind: Head['kind'], cursor: Cursor): FirstName | null {
  while (++cursor.at < cursor.tokens.length)
    if (take(cursor, 'on')) {
      take(cursor, 'only')
      const head = named(kind, cursor)
      if (head) return head
    }
  return null
}

const wordOf = ({ tokens, at }: Cursor, ahead = 0): string | null => {
  const token = tokens[at + ahead]
  return token?.kind === 'word' ? token.value : null
}

/** Moves past these words if they are what comes. */
function take(cursor: Cursor, ...words: readonly string[]): boolean {
  if (!words.every((word, ahead) => wordOf(cursor, ahead) === word)) return false
  cursor.at += words.length
  return true
}

/** The name that comes, without its schema. */
function named(kind: Head['kind'], cursor: Cursor): FirstName | null {
  const { tokens } = cursor
  if (!isName(tokens[cursor.at])) return null
  while (tokens[cursor.at + 1]?.value === '.' && isName(tokens[cursor.at + 2])) cursor.at += 2
  const { value, end } = tokens[cursor.at++]!
  return { kind, name: value, end }
}

const isName = (token: Token | undefined): boolean => token?.kind === 'word' || token?.kind === 'quoted'

/** `"public"."My Table"` is `My Table`, `Public.Things` is `things`. */
export function bareName(name: string): string {
  return tokenize(name).findLast(isName)?.value ?? name
}

/** The other objects of a DROP. */
function moreNames({ kind, end }: FirstName, statement: string): string[] {
  if (!kind.startsWith('drop') || kind === 'drop trigger' || !statement.includes(',')) return []
  const cursor = { tokens: tokenize(statement.slice(end)), at: 0 }
  const names: string[] = []
  let depth = 0
  for (; cursor.at < cursor.tokens.length; cursor.at++) {
    const { value } = cursor.tokens[cursor.at]!
    if (value === '(') depth++
    else if (value === ')') depth--
    else if (value === ',' && depth === 0) {
      cursor.at++
      const next = named(kind, cursor)
      if (next) names.push(next.name)
      cursor.at--
    }
  }
  return names
}
