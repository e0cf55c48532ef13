import { columnsOf, leavesPick } from '../claims/index.js'
import { isResult } from '../clients/results.js'
import { held, type Draft, type Pin, type Statement } from '../clients/statement.js'
import { assume, forget, placeOf, see, type Machine, type Site, type Taints } from '../typescript/index.js'
import { idOf, record, type Recorder } from './recorder.js'

/** Numbers a statement and writes it down, with what is known where it is sent; a write may give back what a claim took. */
export function noteSent(
  recorder: Recorder,
  draft: Draft,
  site: Site,
  taints: Taints,
  machine: Machine,
  sent: boolean,
): Statement {
  const statement: Statement = {
    ...draft,
    id: idOf(recorder, site, sent ? 'sent' : 'dropped'),
    sent,
    taints,
    facts: machine.state.facts,
    keys: draft.pins.flatMap((pin) => (pin.list ? keysOf(pin, machine) : [])),
    site,
    location: placeOf(site),
  }
  see(machine.state, String(statement.id))
  if (sent && statement.kind !== 'select') {
    putBack(recorder, statement, machine)
    assume(machine.state, [held(statement.id)])
  }
  record(recorder, statement)
  return statement
}

/** What is known of the keys in a list, where all of them are that column of one statement's rows. */
function keysOf({ column, value }: Pin, machine: Machine): Statement['keys'] {
  const items = machine.items(value)
  const key = items?.element
  if (key?.kind !== 'foreign' || !isResult(key) || key.data.type !== 'column' || key.data.column !== column) return []
  return [{ of: key.data.statement, facts: items?.facts ?? [] }]
}

/** A write that gives a row the state that an earlier claim asked for gives the row away again. */
function putBack(recorder: Recorder, statement: Statement, machine: Machine): void {
  if (statement.kind !== 'update' || statement.change === null) return
  for (const claim of recorder.statements.values()) {
    if (claim.id === statement.id || !machine.state.facts.has(held(claim.id)) || claim.change === null) continue
    if (claim.table !== statement.table || claim.where === null) continue
    const columns = columnsOf(claim.where)
    const assigned = statement.change.kind === 'set' ? statement.change.assignments.map((each) => each.column) : []
    if (!assigned.some((column) => columns.includes(column))) continue
    if (leavesPick(claim.where, statement.change) !== 'no') continue
    recorder.undone.add(claim.id)
    forget(machine.state, (fact) => fact === held(claim.id))
  }
}
