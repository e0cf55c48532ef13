import type { WorkLoop } from '../model/index.js'

/**
 * Is the loop a broadcast: an effect for every row of a standing list, with no state that picks the rows and no record
 * of the effect? Then there is nothing to claim.
 *
 * No mark at all means that no write changes a picked column, that no row's mere existence is the state, and that
 * nothing is recorded: one question for three.
 */
export function isBroadcast(loop: WorkLoop): boolean {
  const { kind, timeBound } = loop.source
  return (
    (kind === 'select' || kind === 'body') &&
    !timeBound &&
    loop.marks.length === 0 &&
    loop.attempts.length === 0 &&
    loop.effects.some((effect) => effect.ownedBy === null)
  )
}
