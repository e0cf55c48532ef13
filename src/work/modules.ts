import type { Modules, ParsedModules, ModuleSource } from '../typescript/index.js'

type Resolve = ModuleSource['resolve']

/** The modules of a whole run: parsed once, set up anew for each function that is followed. */
export interface ModuleFactory {
  fresh(resolve: Resolve): Modules
  /** The modules of a function that is called from another: its own import map, in the same run. */
  within(from: Modules, resolve: Resolve): Modules
}

export function createModules(read: (path: string) => string | null): ModuleFactory {
  const parsed: ParsedModules = new Map()
  return {
    fresh: (resolve) => ({ instances: new Map(), problems: [], parsed, source: { read, resolve } }),
    within: (from, resolve) => ({ ...from, source: { read, resolve } }),
  }
}
