import type { EffectMatch, Latency, RoutineSummary, Table } from '../model/index.js'
import type { KnownRoutine } from '../claims/index.js'
import type { Modules } from '../typescript/index.js'

/** What the analysis of a function may ask of the rest of the project. */
export interface WorkContext {
  /** A table by name, as the code spells it ("jobs", "private.jobs"); null: no migration makes it. */
  table(name: string): Table | null
  /** What a routine does for its caller; null: no migration defines it. */
  routine(schema: string | null, name: string, argumentNames: readonly string[]): RoutineSummary | null
  /** The same for a call in a text of SQL, by the number of arguments. */
  known(schema: string | null, name: string, argumentCount: number): KnownRoutine | null
  /** The entry file of an edge function; null: not in the project (or switched off). */
  entry(functionName: string): string | null
  readonly functionNames: readonly string[]
  /** The modules of another function (its own import map), sharing what `from` has set up. */
  modulesFor(functionName: string, from: Modules): Modules
  readonly effects: EffectCatalogue
}

/** The part of the effects room that the analysis asks; the configuration may have extended it. */
export interface EffectCatalogue {
  matchRequest(request: {
    readonly method: string | null
    readonly host: string | null
    readonly path: string | null
  }): EffectMatch | 'read' | 'none'
  matchCall(call: {
    readonly package: string
    readonly path: readonly string[]
    readonly argumentClass?: string
  }): EffectMatch | 'read' | 'none' | null
  latencyOf(match: EffectMatch): Latency
}
