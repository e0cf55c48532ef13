/** The world outside, as far as the command line touches it; tests hand in one of their own. */
export interface Terminal {
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdoutIsTTY: boolean
  readonly stderrIsTTY: boolean
  /** Columns of standard output; null where it is not a terminal. */
  readonly columns: number | null
}

/** The process's own streams and environment. */
export function processTerminal(): Terminal {
  return {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    env: process.env,
    stdoutIsTTY: process.stdout.isTTY === true,
    stderrIsTTY: process.stderr.isTTY === true,
    columns: process.stdout.columns ?? null,
  }
}
