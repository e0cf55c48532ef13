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
 * Before a declaration the compiler looks past such words, from each of them anew: what would take seconds where thousands
 * stand in a row (found by fuzzing) is left blank.
 */
const MODIFIERS = /(?:\b(?:abstract|accessor|async|declare|private|protected|public|readonly)[^\S\n]+){1000,}/g
const LEAST_RUN = 'async '.length * 1000

/**
 * Parses TypeScript or JavaScript: nothing is read from disk and no imported file is pulled in. The compiler's own parser,
 * without a ts-morph project: that one wraps every node, and takes minutes to replace a file of the same name whose text
 * had one huge broken line (found by fuzzing).
 */
export function parseModule(path: string, text: string): ParsedModule {
  const lines = lineStartsOf(text)
  const isWide = lines.some((start, line) => (lines[line + 1] ?? text.length) - start > LEAST_RUN)
  const runs = isWide ? [...text.matchAll(MODIFIERS)] : []
  const readable = runs.length === 0 ? text : text.replace(MODIFIERS, (run) => ' '.repeat(run.length))
  const file = ts.createSourceFile(`/${path}`, readable, OPTIONS, true)
  if (!OTHER_BREAKS.some((mark) => text.includes(mark))) (file as { lineMap?: readonly number[] }).lineMap = lines
  const { parseDiagnostics } = file as unknown as { parseDiagnostics?: readonly ts.DiagnosticWithLocation[] }
  const [first] = parseDiagnostics ?? []
  const [run] = runs
  const problem = (message: string, start: number, length: number): Reason => ({
    message: `does not parse: ${message}`,
    location: locate(path, file, start, start + length),
  })
  const error = first
    ? problem(ts.flattenDiagnosticMessageText(first.messageText, ' '), first.start, first.length)
    : run
      ? problem('a thousand modifiers in a row', run.index, 1)
      : null
  return { path, file, error }
}

/** Line breaks of JavaScript beside the one that texts have. */
const OTHER_BREAKS = ['\r', '\u2028', '\u2029']

/** Where lines start. The compiler finds out by looking at each character; the engine's own search is ten times as fast. */
function lineStartsOf(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
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
