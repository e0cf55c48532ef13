import { conjuncts, showOperand, showPredicate } from '../../claims/index.js'
import type { Operand, Predicate, RowSource } from '../../model/index.js'
import type { PrintableClaim, SetChange } from './claim.js'

/** A batch claim in one statement: UPDATE over rows that a locking sub-select found, with the rows returned. */
export function batchClaimInSql(table: string, key: string, claim: PrintableClaim, source: RowSource): string {
  const column = name(key)
  return [
    ...migration(table, claim),
    `update ${qualified(table)}`,
    `set ${setList(claim.change)}`,
    `where ${column} in (`,
    `  select ${column} from ${qualified(table)}`,
    `  where ${condition(claim.where)}`,
    ...restOfPick(source.where, claim.where).map((line) => `    ${line}`),
    `  order by ${column}`,
    `  limit ${source.limit ?? 20}`,
    '  for update skip locked',
    ')',
    'returning *',
  ].join('\n')
}

/** The claim of one row in the body of a function that answers whether it took it. */
export function rowClaimInSql(table: string, key: string, claim: PrintableClaim): string {
  return [
    ...migration(table, claim),
    '-- in the function: one statement asks and takes, and FOUND says whether it did',
    `update ${qualified(table)}`,
    `set ${setList(claim.change)}`,
    `where ${name(key)} = p_${key.replace(/\W/g, '_')} -- the parameter that names the row`,
    `  and ${condition(claim.where)};`,
    'return found;',
  ].join('\n')
}

/** Claim and requests in one statement, so that both are committed or neither is. */
export function fanoutInSql(
  table: string,
  key: string,
  claim: PrintableClaim,
  source: RowSource,
  target: string,
): string {
  const update = batchClaimInSql(table, key, { ...claim, newColumn: null }, source).replace(
    /returning \*$/,
    `returning ${name(key)}`,
  )
  return [
    ...migration(table, claim),
    'with taken as (',
    ...update.split('\n').map((line) => `  ${line}`),
    ')',
    'select net.http_post( -- url, headers and body as they are now, with the columns of taken',
    `  url := 'https://PROJECT.supabase.co/functions/v1/${target.replace(/'/g, "''")}',`,
    `  body := jsonb_build_object('${key.replace(/'/g, "''")}', taken.${name(key)})`,
    ')',
    'from taken;',
  ].join('\n')
}

/** This statement finds its rows itself: what the pick asks beside the claim has to stand in it too. */
function restOfPick(pick: Predicate | null, claim: Predicate): readonly string[] {
  if (pick === null) return []
  const claimed = new Set(conjuncts(claim).map((term) => condition(term)))
  const rest = conjuncts(pick).filter((term) => !claimed.has(condition(term)))
  return rest.map((term) =>
    isExact(term) ? `and ${nested(term)}` : `-- and, as it is written now: ${showPredicate(term).replace(/\s+/g, ' ')}`,
  )
}

/** Can it be printed as it is? */
function isExact(term: Predicate): boolean {
  switch (term.kind) {
    case 'and':
    case 'or':
      return term.terms.every(isExact)
    case 'not':
      return isExact(term.term)
    case 'compare':
    case 'distinct':
      return isKnown(term.operand)
    case 'in':
      return term.operands.every(isKnown)
    case 'null':
    case 'other':
      return true
  }
}

const isKnown = (operand: Operand): boolean =>
  operand.kind === 'literal' || (operand.kind === 'now' && operand.offset !== null && operand.period !== true)

function migration(table: string, claim: PrintableClaim): readonly string[] {
  if (claim.newColumn === null) return []
  return [`alter table ${qualified(table)} add column if not exists ${name(claim.newColumn)} timestamptz;`]
}

function setList(change: SetChange): string {
  return change.assignments.map(({ column, operand }) => `${name(column)} = ${value(operand)}`).join(', ')
}

function condition(where: Predicate): string {
  switch (where.kind) {
    case 'and':
      return where.terms.map(nested).join(' and ')
    case 'or':
      return `(${where.terms.map(nested).join(' or ')})`
    case 'not':
      return where.term.kind === 'null' ? `${name(where.term.column)} is not null` : `not (${condition(where.term)})`
    case 'compare':
      return `${name(where.column)} ${where.op} ${value(where.operand)}`
    case 'in':
      return `${name(where.column)} in (${where.operands.map(value).join(', ')})`
    case 'null':
      return `${name(where.column)} is null`
    case 'distinct':
      return `${name(where.column)} is distinct from ${value(where.operand)}`
    case 'other':
      return where.text
  }
}

function nested(term: Predicate): string {
  return term.kind === 'and' ? `(${condition(term)})` : condition(term)
}

const value = (operand: Operand): string =>
  operand.kind === 'literal' || operand.kind === 'now' ? showOperand(operand) : 'null'

/** A name as SQL writes it; quoted where it must be. */
export function name(word: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(word) ? word : `"${word.replace(/"/g, '""')}"`
}

export function qualified(table: string): string {
  return (table.includes('.') ? table.split('.') : ['public', table]).map(name).join('.')
}
