/** Text → statements → trees with positions. The only room that knows libpg_query. */
export * from './source.js'
export { tokenize, type Token } from './lexer.js'
export { splitStatements } from './split.js'
export {
  firstWords,
  loadParser,
  parseStatement,
  parseStatements,
  type Parsed,
  type ParseFailure,
  type Statement,
} from './parser.js'
export { as, findAll, kindOf, walk, type Node, type NodeKind, type NodeOf } from './walk.js'
export * from './expression.js'
export { parsePlpgsql } from './plpgsql.js'
export type * from './plpgsql-tree.js'
export { bodyText, doBody, routineBody, type RoutineBody } from './routine-body.js'
