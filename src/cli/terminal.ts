/** The world outside, as far as the command line touches it; tests hand in one of their own. */
export interface Terminal {
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdoutIsTTY: boolean
  readonly stderrIsTTY: boolean
  /** Columns of standard output; null where it is not a terminal. */
  readonly columns: number | null
  /** Milliseconds from some moment on; left out: the process's own clock. */
  readonly now?: () => number
  /** All of standard input; left out: there is none. */
  readonly stdin?: () => Promise<string>
  /** Asks a person for a yes; left out: nobody can be asked. */
  readonly confirm?: (question: string) => Promise<boolean>
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
    stdin: async () => (await import('node:stream/consumers')).text(process.stdin),
    ...(process.stdin.isTTY === true && process.stderr.isTTY === true ? { confirm } : {}),
  }
}

async function confirm(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}
