/** What the generator of projects is told; see generate.mjs. */
export interface Size {
  readonly migrations: number
  readonly functions: number
  readonly tickEvery?: number | null
  readonly helpers?: number
}
export function generate(folder: string, size: Size): void
