import { ts } from './ts.js'
import type { Location, Reason } from '../model/index.js'

/** A parsed module of the audited project. */
export interface ParsedModule {
  readonly path: string
  readonly file: ts.SourceFile
  /** The first syntax error, if there is one; the tree is there all the same, as far as the parser recovered. */
  readonly error: Reason | null
}

/** Comments are no part of the code that is followed. */
const OPTIONS: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
}

/**
 * Parses TypeScript or JavaScript: nothing is read from disk and no imported file is pulled in. The compiler's own parser,
 * without a ts-morph project: that one wraps every node, and takes minutes to replace a file of the same name whose text
 * had one huge broken line (found by fuzzing).
 */
export function parseModule(path: string, text: string): ParsedModule {
  const file = ts.createSourceFile(`/${path}`, text, OPTIONS, true)
  const problems =
    (file as unknown as { parseDiagnostics?: readonly ts.DiagnosticWithLocation[] }).parseDiagnostics ?? []
  const first = problems[0]
  const error: Reason | null = first
    ? {
        message: `does not parse: ${ts.flattenDiagnosticMessageText(first.messageText, ' ')}`,
        location: locate(path, file, first.start, first.start + first.length),
      }
    : null
  return { path, file, error }
}

export function locate(path: string, file: ts.SourceFile, start: number, end: number): Location {
  const from = file.getLineAndCharacterOfPosition(start)
  const to = file.getLineAndCharacterOfPosition(Math.max(start, Math.min(end, file.end)))
  return {
    file: path,
    startLine: from.line + 1,
    startColumn: from.character + 1,
    endLine: to.line + 1,
    endColumn: to.character + 1,
  }
}

/** The place of a node: from its first token, which is where a chain of calls begins. */
export function locationOf(node: ts.Node, path: string): Location {
  const file = node.getSourceFile()
  return locate(path, file, node.getStart(file), node.getEnd())
}
