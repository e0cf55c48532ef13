/** The algebra of claims, for SQL and TypeScript alike, and what SQL statements and routines take. */
export {
  allOf,
  columnsOf,
  compose,
  conjuncts,
  disjoint,
  falsifies,
  isTimeBound,
  leavesPick,
  negate,
  staysTaken,
  type Answer,
} from './algebra.js'
export { showChange, showOperand, showPredicate } from './show.js'
export { bindAnswer } from './bind.js'
export { conditionOf, holdsFor } from './holds.js'
export { judge } from './judge.js'
export { readCondition, readValue, type About, type Asked } from './expression.js'
export type { Lock, Rows } from './rows.js'
export { EMPTY_ENV, type KnownRoutine, type SqlEnv } from './env.js'
export { describeStatement, type StatementFacts } from './statement.js'
export { summarizeRoutine, type RoutineLookup, type TableLookup } from './routine.js'
