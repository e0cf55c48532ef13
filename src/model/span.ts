/** Where something stands in a file. Lines and columns are 1-based, columns count UTF-16 units, the end is exclusive. */
export interface Location {
  /** POSIX path, relative to the folder that holds the `supabase` folder. */
  readonly file: string
  readonly startLine: number
  readonly startColumn: number
  readonly endLine: number
  readonly endColumn: number
}

/** Why something could not be decided, and where. */
export interface Reason {
  readonly message: string
  readonly location: Location | null
}

/** Something that could not be read or resolved. `code` is stable; `message` says what would resolve it. */
export interface Diagnostic {
  readonly code: string
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
  readonly location?: Location
}
