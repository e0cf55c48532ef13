import { showChange, showPredicate } from '../claims/index.js'
import type { Change, FunctionWork, Location, Predicate, TraceStep } from '../model/index.js'

/**
 * Another function of the project that takes rows of a table before it works on them: where the same bug was fixed once,
 * it is often still open next door (domain 2, lesson 3).
 */
export interface Sibling {
  readonly function: string
  readonly table: string
  readonly location: Location
  /** Its condition and what it sets, as SQL for people. */
  readonly claim: string
  readonly where: Predicate | null
  readonly change: Change
}

/** The sound row and batch claims of all functions, by table; in a fixed order. */
export function siblingsOf(works: readonly FunctionWork[]): readonly Sibling[] {
  return works.flatMap((work) =>
    work.loops.flatMap((loop) =>
      loop.claims.flatMap((claim): Sibling[] =>
        claim.table === null || claim.change === null || (claim.kind !== 'row-claim' && claim.kind !== 'batch-claim')
          ? []
          : [
              {
                function: work.name,
                table: claim.table,
                location: claim.location,
                claim: `${showPredicate(claim.where)}, setting ${showChange(claim.change)}`,
                where: claim.where,
                change: claim.change,
              },
            ],
      ),
    ),
  )
}

/** What the finding says of it. */
export const siblingStep = ({ function: name, table, location, claim }: Sibling): string =>
  `${name} takes rows of ${table} before it works on them (${location.file}:${location.startLine}: where ${claim}). Do the same here, or the two differ.`

export const siblingTrace = ({ function: name, location, claim }: Sibling): TraceStep => ({
  role: 'claim',
  message: `${name} takes such a row first: where ${claim}`,
  location,
})
