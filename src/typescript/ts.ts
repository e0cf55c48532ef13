import { ts as compiler } from 'ts-morph'

/**
 * The TypeScript compiler that ts-morph ships: its parser and its syntax trees. In the built package this file stands for
 * as much of it as the product names (rolldown.config.ts). A constant, and no export of an import: where the tests run the
 * source, that would be a function call, which can run out of stack by itself and then gives nothing.
 */
export import ts = compiler
