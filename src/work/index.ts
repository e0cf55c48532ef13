/** What edge functions do with rows: loops, effects, claims. */
export { analyseFunction, type Entrance } from './analyse.js'
export type { EffectCatalogue, WorkContext } from './context.js'
export { createModules } from './modules.js'
