import type { Assignment, Change, ClaimAttempt, WorkLoop } from '../../model/index.js'
import { conflictKey, insertedKey, type Recorded } from '../keys.js'
import { name, qualified } from './sql.js'
import { fromTable, member, namesOf, property, text, value } from './typescript.js'

/** A ledger of its own for rows that hold no state: one record per row and period, inserted before the effect. */
export function newLedger(loop: WorkLoop): string {
  const names = namesOf(loop)
  const table = `${loop.function.replace(/\W+/g, '_').toLowerCase()}_done`
  const [client, ...calls] = fromTable(names.client, table)
  const picked = loop.source.table === null ? 'the row' : `${loop.source.table.replace(/^public\./, '')}.${names.key}`
  return [
    '/* in a migration:',
    `create table ${qualified(table)} (`,
    `  row_id text not null, -- ${picked}`,
    '  period date not null, -- what one effect is for: a day here; leave it out where one is for ever',
    '  primary key (row_id, period)',
    '); */',
    'const period = new Date().toISOString().slice(0, 10)',
    ...names.notes,
    `const { error: takenError } = await ${client}`,
    ...calls.map((call) => `  ${call}`),
    `  .insert({ row_id: String(${member(names.row, names.key)}), period })`,
    `if (takenError) ${names.leave} // 23505: done already, or another run is on it`,
  ].join('\n')
}

/** The record that the code writes already, written first and under a unique key; `keyed`: there is such a key. */
export function ledgerFirst(loop: WorkLoop, table: string, written: Recorded, keyed: boolean): string {
  const names = namesOf(loop)
  const { change } = written
  const key = keyed ? [] : insertedKey(written)
  const [client, ...calls] = fromTable(names.client, table)
  return [
    ...(key.length === 0
      ? []
      : [
          '// in a migration, over the columns that say what one effect is, unless there is such a key already:',
          `// alter table ${qualified(table)} add unique (${key.map(name).join(', ')});`,
        ]),
    ...names.notes,
    `const { error: takenError } = await ${client}`,
    ...calls.map((call) => `  ${call}`),
    `  .insert(${record(change, names.row)})`,
    `if (takenError) ${names.leave} // 23505: done already, or another run is on it`,
  ].join('\n')
}

/** The upsert as it is, but one that keeps what is there, tells which rows it inserted, and is asked for them. */
export function upsertThatTells(loop: WorkLoop, attempt: ClaimAttempt): string {
  const names = namesOf(loop)
  const key = conflictKey(attempt)
  const [client, ...calls] = fromTable(names.client, attempt.table ?? 'ledger')
  const columns = key.length === 0 ? [names.key] : key
  return [
    ...names.notes,
    `const { data: mine } = await ${client}`,
    ...calls.map((call) => `  ${call}`),
    `  .upsert(${record(attempt.change, names.row)}, { onConflict: ${text(columns.join(','))}, ignoreDuplicates: true })`,
    `  .select(${text(columns.join(', '))})`,
    `if (!mine?.length) ${names.leave} // another run has it`,
  ].join('\n')
}

export function uniqueKey(attempt: ClaimAttempt): string | null {
  const key = insertedKey(attempt)
  if (attempt.table === null || key.length === 0) return null
  return `alter table ${qualified(attempt.table)} add unique (${key.map(name).join(', ')});`
}

/** The record as the code writes it now. What is not a constant, a moment or a column of the row is left to the author. */
function record(change: Change | null, row: string): string {
  if (change?.kind !== 'set') return '{ /* the record, as it is written now */ }'
  return `{ ${change.assignments.map((one) => field(one, row)).join(', ')} }`
}

function field({ column, operand }: Assignment, row: string): string {
  const name = property(column)
  if (operand.kind === 'read' && operand.delta === 0) return `${name}: ${member(row, operand.column)}`
  if (operand.kind === 'now' && operand.period) return `${name}: new Date().toISOString().slice(0, 10) /* or as now */`
  if (operand.kind === 'fresh') return `${name}: crypto.randomUUID()`
  if (operand.kind === 'literal' || operand.kind === 'now') return `${name}: ${value(operand)}`
  return `${name}: undefined /* as it is written now */`
}
