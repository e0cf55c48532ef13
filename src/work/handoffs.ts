import type { Handoff } from '../model/index.js'
import type { Machine } from '../typescript/index.js'
import type { WorkContext } from './context.js'
import { ownerOf, type BodyRows } from './ownership.js'
import type { Recorder } from './recorder.js'
import { driverOf } from './sources.js'

/** The rows that were handed on to other functions, and by what they were taken before. */
export function handoffsOf(recorder: Recorder, bodies: BodyRows, context: WorkContext, machine: Machine): Handoff[] {
  return recorder.events.flatMap((event) => {
    if (event.kind !== 'handoff') return []
    const driver = driverOf(event, recorder, bodies)
    return driver ? [{ claim: ownerOf(event, driver, bodies, context, recorder, machine) }] : []
  })
}
