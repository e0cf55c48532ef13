import morph from './morph.cjs'

/** The TypeScript compiler that ts-morph ships: its parser and its syntax trees. */
export import ts = morph.ts
