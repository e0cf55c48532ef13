import type { AuditOutcome } from '../../src/audit.js'
import type { AuditOptions } from '../../src/options.js'
import { runCli } from '../../src/cli/program.js'
import type { Services } from '../../src/cli/services.js'
import type { Terminal } from '../../src/cli/terminal.js'
import { rules } from '../../src/rules/index.js'
import { sample, sampleSources } from '../report/sample.js'

export interface Run {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** What the audit was asked for; one entry a call. */
  readonly asked: readonly { readonly path: string | null; readonly options: AuditOptions }[]
}

export const sampleOutcome: AuditOutcome = { kind: 'report', report: sample, faults: [], sources: sampleSources }

/** Runs the command line in this process, with an audit that ends as told. */
export async function run(
  args: readonly string[],
  outcome: AuditOutcome | Error = sampleOutcome,
  terminal: Partial<Terminal> = {},
): Promise<Run> {
  const asked: { path: string | null; options: AuditOptions }[] = []
  const services: Services = {
    audit:
      async () =>
      async (path, options = {}) => {
        asked.push({ path, options })
        options.onProgress?.('reading\u001b SQL')
        if (outcome instanceof Error) throw outcome
        return outcome
      },
    rules: async () => rules,
  }
  return { ...(await runWith(args, services, terminal)), asked }
}

/** The same with services of its own, such as the real ones. */
export async function runWith(
  args: readonly string[],
  services: Services,
  terminal: Partial<Terminal> = {},
): Promise<Omit<Run, 'asked'>> {
  let stdout = ''
  let stderr = ''
  const code = await runCli(
    args,
    {
      stdout: (text) => void (stdout += text),
      stderr: (text) => void (stderr += text),
      env: {},
      stdoutIsTTY: false,
      stderrIsTTY: false,
      columns: null,
      ...terminal,
    },
    services,
  )
  return { code, stdout, stderr }
}
