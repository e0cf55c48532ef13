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

const IDENTIFIER = String.raw`(?:"(?:[^"]|"")+"|[A-Za-z\u005f\u0080-\uffff][\w$\u0080-\uffff]*)`
const NAME = String.raw`(?:${IDENTIFIER}\s*\.\s*){0,2}${IDENTIFIER}`
const GAP = String.raw`(?:\s|--[^\n]*\n|/\*[^]*?\*/)+`

function pattern(source: string): RegExp {
  const words = source.replaceAll('_', GAP).replaceAll('NAME', `(${NAME})`).replaceAll('IDENTIFIER', IDENTIFIER)
  return new RegExp(`^${words}`, 'i')
}

const HEADS: readonly (readonly [Head['kind'], RegExp])[] = [
  [
    'create table',
    pattern('create_(?:(?:global_|local_)?(?:temp|temporary|unlogged|foreign)_)?table_(?:if_not_exists_)?NAME'),
  ],
  ['create routine', pattern('create_(?:or_replace_)?(?:function|procedure)_NAME')],
  ['create trigger', pattern(String.raw`create_(?:or_replace_)?(?:constraint_)?trigger_[^]{1,500}?_on_(?:only_)?NAME`)],
  [
    'create index',
    pattern('create_unique_index_(?:concurrently_)?(?:if_not_exists_)?(?:IDENTIFIER_)?on_(?:only_)?NAME'),
  ],
  ['alter table', pattern('alter_table_(?:if_exists_)?(?:only_)?NAME')],
  ['drop table', pattern('drop_table_(?:if_exists_)?NAME')],
  ['drop routine', pattern('drop_(?:function|procedure|routine)_(?:if_exists_)?NAME')],
  ['drop index', pattern('drop_index_(?:concurrently_)?(?:if_exists_)?NAME')],
  ['drop trigger', pattern(String.raw`drop_trigger_(?:if_exists_)?[^]{1,300}?_on_NAME`)],
  ['insert', pattern('insert_into_NAME')],
  ['update', pattern('update_(?:only_)?NAME')],
  ['delete', pattern('delete_from_(?:only_)?NAME')],
]

/** A setting of one's own that is kept with the database or a role. */
const SETS = /^alter\s+(?:database|role|user)\s[^']*?\sset\s+"?\w+\./i

/** The bulk of what else a migration makes; the patterns above would each look at it in vain. */
const NOTHING = /^(?:create\s+(?:index|or\s+replace\s+view|OTHER)|(?:alter|drop)\s+(?:OTHER))\b/.source.replaceAll(
  'OTHER',
  'policy|view|materialized|type|extension|schema|sequence|publication|domain|role|rule|collation',
)
const MAKES_NOTHING = new RegExp(NOTHING, 'i')

const RUN = new Set(['select', 'do', 'with', 'call', 'values'])

/** The head of a statement; null where it can neither define nor run anything that matters here. */
export function headOf(statement: string): Head | null {
  const first = /^\w+/.exec(statement)?.[0].toLowerCase() ?? ''
  if (RUN.has(first) || statement.startsWith('(')) return { kind: 'run', names: [] }
  if (first === 'alter' && SETS.test(statement)) return { kind: 'run', names: [] }
  if (MAKES_NOTHING.test(statement)) return null
  const start = statement.slice(0, 1000)
  for (const [kind, head] of HEADS) {
    if (!kind.startsWith(first)) continue
    const match = head.exec(start)
    if (match) return { kind, names: [bareName(match[1]!), ...moreNames(kind, statement)] }
  }
  return null
}

/** `"public"."My Table"` is `My Table`, `Public.Things` is `things`. */
export function bareName(name: string): string {
  const last = new RegExp(`${IDENTIFIER}$`).exec(name)?.[0] ?? name
  return last.startsWith('"') ? last.slice(1, -1).replaceAll('""', '"') : last.toLowerCase()
}

/** The other objects of a DROP. */
function moreNames(kind: Head['kind'], statement: string): string[] {
  if (!kind.startsWith('drop') || kind === 'drop trigger' || !statement.includes(',')) return []
  const others = new RegExp(`,\\s*(${NAME})\\s*(?=[(,;]|$|cascade|restrict)`, 'gi')
  const outside = statement.replace(/\([^)]*\)/g, '')
  return [...outside.matchAll(others)].map((match) => bareName(match[1]!))
}
