/**
 * The TypeScript compiler that ts-morph ships: its parser and its syntax trees. In the built package, no more of it than
 * the product names (src/build).
 */
export { ts } from 'ts-morph'
