import type { Finding, Location, Report } from '../model/index.js'

/** The places of a finding: those of the work itself, and those of each tick that leads to it. */
export interface Places {
  readonly own: readonly Location[]
  readonly ticks: readonly (readonly Location[])[]
}

/**
 * A loop counts by its first line alone: its body holds other work. A schedule opens the places of a tick, the requests
 * that follow it belong to it.
 */
export function placesOf(finding: Finding): Places {
  const ticks: Location[][] = []
  const own: Location[] = [finding.location, ...finding.effects.map((effect) => effect.location)]
  const dispatches: Location[] = []
  for (const { role, location } of finding.trace) {
    if (role === 'schedule') ticks.push([location])
    else if (role === 'dispatch') dispatches.push(location)
    else own.push(role === 'loop' ? firstLine(location) : location)
  }
  // One request for several ticks (through a routine of SQL) is a place of each of them.
  return { own, ticks: ticks.length === 0 ? dispatches.map((place) => [place]) : withRequests(ticks, dispatches) }
}

function withRequests(ticks: readonly Location[][], dispatches: readonly Location[]): readonly Location[][] {
  if (dispatches.length === ticks.length) return ticks.map((places, index) => [...places, dispatches[index]!])
  return dispatches.length === 1 ? ticks.map((places) => [...places, dispatches[0]!]) : ticks
}

function firstLine(location: Location): Location {
  return { ...location, endLine: location.startLine }
}

/** Every place of a finding. */
export function allPlaces(finding: Finding): readonly Location[] {
  return [
    finding.location,
    ...finding.effects.map((effect) => effect.location),
    ...finding.trace.map((s) => s.location),
  ]
}

/** Every file that a report speaks of. */
export function filesOf(report: Report): readonly string[] {
  const files = new Set<string>()
  for (const { location, dispatches } of report.ticks)
    for (const each of [location, ...dispatches.map((dispatch) => dispatch.location)]) files.add(each.file)
  for (const { entry, reasons } of report.functions) {
    if (entry !== null) files.add(entry)
    for (const { location } of reasons) if (location !== null) files.add(location.file)
  }
  for (const finding of [...report.findings, ...report.suppressed])
    for (const place of allPlaces(finding)) files.add(place.file)
  return [...files]
}
