/**
 * Text for GitHub-flavoured Markdown (GFM spec). Names, SQL and messages come from the audited project: none of it may
 * become a heading, a link, an image, a tag or a mention of somebody.
 */

/** Prose as it reads, in which only what stands between backticks is marked up, as code. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? code(part.slice(1, -1)) : plain(part)))
    .join('')
}

/** A name or a piece of code on one line; the fence is longer than any run of backticks in it. */
export function code(text: string): string {
  if (text.trim() === '') return plain(text)
  const fence = '`'.repeat(longestRun(text) + 1)
  // One space on each side is taken off again (GFM 6.3), and parts backticks from the fence.
  const pad = /^[` ]|[` ]$/.test(text) ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}

/** A block of code; the fence is longer than any run of backticks in it. */
export function fenced(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}

/** A cell of a table from Markdown: a bar would end the cell, in code as well (GFM 4.10). */
export function cell(markdown: string): string {
  return markdown.replace(/\\?\|/g, '\\|').replaceAll('\n', ' ')
}

function plain(text: string): string {
  return (
    text
      .replace(/[\\`*_{}[\]<>#|~!&$]/g, (character) => `\\${character}`)
      // A list, a quote or a rule at the start of a line, and `1.` or `1)`.
      .replace(/^(\s*)([-+=])/, '$1\\$2')
      .replace(/^(\s*\d+)([.)])/, '$1\\$2')
      // GitHub finds mentions in the text as it reads, so that a backslash does not help: an empty comment parts it.
      .replaceAll('@', '@<!-- -->')
  )
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
