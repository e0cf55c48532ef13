import type { Overlap, Report, ReportDispatch, ReportFunction, ReportTick, Verdict } from '../model/index.js'
import { scheduleInWords } from './schedule.js'

/**
 * What became of a call: the verdict of the function that it reaches, or why there is none. inactive: the job is switched
 * off; unresolved: where it leads is not known; elsewhere: to something that is no edge function of the project.
 */
export type FleetState = Verdict | 'inactive' | 'unresolved' | 'elsewhere'

/** From what asks for attention to what does not. */
export const FLEET_STATES: readonly FleetState[] = [
  'race',
  'unknown',
  'unresolved',
  'broadcast',
  'safe',
  'no-row-work',
  'elsewhere',
  'inactive',
]

/** One line of the fleet: a tick and one of its calls, or a function that only other functions call. */
export interface FleetRow {
  readonly tick: ReportTick | null
  /** `every 2 minutes`; empty without a tick. */
  readonly schedule: string
  readonly dispatch: ReportDispatch | null
  readonly function: string | null
  /** Functions that call it. */
  readonly calledBy: readonly string[]
  readonly state: FleetState
  readonly overlap: Overlap | null
}

/** Every tick with what it calls, in the report's order, then the functions that no tick calls itself. */
export function fleetOf(report: Report): readonly FleetRow[] {
  const functions = new Map(report.functions.map((entry) => [entry.name, entry]))
  const called = new Set<string>()
  const rows = report.ticks.flatMap((tick) =>
    tick.dispatches.map((dispatch): FleetRow => {
      const entry = dispatch.function === null ? undefined : functions.get(dispatch.function)
      if (tick.active && entry !== undefined) called.add(entry.name)
      return {
        tick,
        schedule: scheduleInWords(tick.schedule, tick.intervalSeconds),
        dispatch,
        function: dispatch.function,
        calledBy: [],
        state: stateOf(tick, dispatch, entry),
        overlap: tick.active ? (entry?.overlap ?? null) : null,
      }
    }),
  )
  const others = report.functions
    .filter((entry) => !called.has(entry.name))
    .map((entry): FleetRow => ({
      tick: null,
      schedule: '',
      dispatch: null,
      function: entry.name,
      calledBy: entry.calledBy,
      state: entry.verdict,
      overlap: entry.overlap,
    }))
  return [...rows, ...others]
}

function stateOf(tick: ReportTick, dispatch: ReportDispatch, entry: ReportFunction | undefined): FleetState {
  if (!tick.active) return 'inactive'
  if (entry !== undefined) return entry.verdict
  if (dispatch.unresolved !== undefined) return 'unresolved'
  return dispatch.function === null ? 'elsewhere' : 'unresolved'
}
