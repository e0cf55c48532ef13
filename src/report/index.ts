import type { Report } from '../model/index.js'

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
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof formats

export const formatNames = Object.keys(formats) as readonly FormatName[]

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(formats, name)
}
