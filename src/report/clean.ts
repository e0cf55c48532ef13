import type { Report } from '../model/index.js'

/**
 * Characters that a terminal, a log viewer or a reader could be fooled by: C0 and C1 controls, DEL, line separators,
 * zero-width and bidirectional marks (Unicode TR36), and halves of surrogate pairs.
 */
const UNSAFE =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** A stand-in of one column: the control picture of a C0 control or DEL (ESC is ␛), else the replacement character. */
function standIn(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

/** Text on one line: line breaks and tabs become a space, unsafe characters a visible stand-in. */
export function cleanLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(UNSAFE, standIn)
}

/** Text that keeps its lines: tabs become two spaces, CRLF becomes LF, unsafe characters a visible stand-in. */
export function cleanBlock(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.replaceAll('\t', '  ').replace(UNSAFE, standIn))
    .join('\n')
}

/** The report with every string made safe to print; only the fix's `code` keeps its line breaks. */
export function cleanReport(report: Report): Report {
  return cleanValue(report, '') as Report
}

function cleanValue(value: unknown, key: string): unknown {
  if (typeof value === 'string') return key === 'code' && value.includes('\n') ? cleanBlock(value) : cleanLine(value)
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, ''))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [cleanLine(name), cleanValue(inner, name)]))
}
