import type { Report } from '../model/index.js'
import type { RuleDescription } from './rule-description.js'

export type { RuleDescription } from './rule-description.js'

/** What a format may need beside the report. */
export interface RenderContext {
  /** The text of a file by its path in the report, for code frames; null where it is not there. */
  readonly sources: (file: string) => string | null
  readonly color: boolean
  /** Columns of the terminal. */
  readonly width: number
  /** Everything, also the notes. */
  readonly verbose?: boolean
  /** Findings and their count only. */
  readonly quiet?: boolean
  /** What was suppressed as well, with the reasons given. */
  readonly showSuppressed?: boolean
  /** All rules of the tool, for formats that list them. */
  readonly rules?: readonly RuleDescription[]
}

/** A format: the report in, the whole document out. Pure: no clock, no disk, no terminal. */
export type Renderer = (report: Report, context: RenderContext) => string

export interface Format {
  readonly title: string
  /** Does the document itself say what could not be analysed? Where not, the command does so on standard error. */
  readonly tellsCoverage: boolean
  readonly load: () => Promise<Renderer>
}

/** Every format by name. A new one is a file beside this one and a line here. */
export const formats = {
  text: {
    title: 'for people: each finding as a story, with code',
    tellsCoverage: true,
    load: async () => (await import('./text.js')).renderText,
  },
  json: {
    title: 'the whole report, schema version 1',
    tellsCoverage: true,
    load: async () => (await import('./json.js')).renderJson,
  },
  concise: {
    title: 'one line for each finding',
    tellsCoverage: false,
    load: async () => (await import('./concise.js')).renderConcise,
  },
  markdown: {
    title: 'a comment on a pull request',
    tellsCoverage: true,
    load: async () => (await import('./markdown.js')).renderMarkdown,
  },
  html: {
    title: 'a page for people: the fleet, and each race drawn over time',
    tellsCoverage: true,
    load: async () => (await import('./html.js')).renderHtml,
  },
  sarif: {
    title: 'SARIF 2.1.0, for code scanning and editors',
    tellsCoverage: true,
    load: async () => (await import('./sarif.js')).renderSarif,
  },
  github: {
    title: 'annotations of GitHub Actions',
    tellsCoverage: true,
    load: async () => (await import('./github.js')).renderGithub,
  },
  gitlab: {
    title: 'a code quality report of GitLab',
    tellsCoverage: false,
    load: async () => (await import('./gitlab.js')).renderGitlab,
  },
  junit: {
    title: 'JUnit XML, for dashboards of tests',
    tellsCoverage: true,
    load: async () => (await import('./junit.js')).renderJunit,
  },
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof formats

export const formatNames = Object.keys(formats) as readonly FormatName[]

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(formats, name)
}
