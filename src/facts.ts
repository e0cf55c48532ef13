import { summarizeRoutine, type KnownRoutine } from './claims/index.js'
import { findRoutines, findTable, type Database } from './database/index.js'
import type { Routine, RoutineSummary, Table } from './model/index.js'

/** What the analysis of TypeScript and SQL asks the replayed database; each routine is summarised once, when it is first asked for. */
export interface DatabaseFacts {
  table(name: string): Table | null
  routine(schema: string | null, name: string, argumentNames: readonly string[]): RoutineSummary | null
  /** The same with the names of its parameters, by the number of arguments: for a call in a text of SQL. */
  known(schema: string | null, name: string, argumentCount: number): KnownRoutine | null
}

export function databaseFacts(database: Database): DatabaseFacts {
  const table = (schema: string | null, name: string): Table | null =>
    findTable(database, schema && schema !== 'public' ? `${schema}.${name}` : name)
  const byCount = (schema: string | null, name: string, count: number): Routine | null =>
    fitting(findRoutines(database, name, schema), count, null)
  return {
    table: (name) => findTable(database, name),
    routine(schema, name, argumentNames) {
      const routine = fitting(findRoutines(database, name, schema ?? null), argumentNames.length, argumentNames)
      return routine ? summarizeRoutine(routine, byCount, table) : null
    },
    known(schema, name, argumentCount) {
      const routine = byCount(schema, name, argumentCount)
      return (
        routine && {
          summary: summarizeRoutine(routine, byCount, table),
          parameters: inputs(routine).map((each) => each.name),
        }
      )
    },
  }
}

const inputs = (routine: Routine) => routine.parameters.filter((each) => each.mode !== 'out' && each.mode !== 'table')

/** The overload that takes these arguments: by their names where they are known, else by their number. */
function fitting(candidates: readonly Routine[], count: number, names: readonly string[] | null): Routine | null {
  const named = names?.filter((name) => !name.startsWith('$')) ?? []
  const byName = candidates.filter((routine) =>
    named.every((name) => inputs(routine).some((each) => each.name === name)),
  )
  const usable = named.length > 0 && byName.length > 0 ? byName : candidates
  return (
    usable.find((routine) => inputs(routine).length === count) ??
    usable.find(
      (routine) =>
        inputs(routine).length > count &&
        inputs(routine)
          .slice(count)
          .every((each) => each.hasDefault),
    ) ??
    usable[0] ??
    null
  )
}
