/** The vocabulary of the product: plain readonly types, no behaviour. */
export type * from './span.js'
export type * from './predicate.js'
export type * from './claim.js'
export type * from './database.js'
export type * from './tick.js'
export type * from './effect.js'
export type * from './work.js'
export type * from './report.js'
