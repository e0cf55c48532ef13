import { Option, type Command } from 'commander'
import { cleanLine } from '../../report/clean.js'
import { analysisOptions, prepareAnalysis, type AnalysisFlags } from '../analysis.js'
import { useColor, type ColorChoice } from '../color.js'
import { ExitCode, exitCodeOf } from '../exit-code.js'
import { prepareGates } from '../gates.js'
import type { Services } from '../services.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'

interface ExplainFlags extends AnalysisFlags {
  readonly color: ColorChoice
}

/** `tick-audit explain RULE`, or `explain FINGERPRINT [PATH]`: a rule, or one finding at length. */
export function explainCommand(
  command: Command,
  terminal: Terminal,
  services: Services,
  done: (code: ExitCode) => void,
): Command {
  return analysisOptions(command)
    .description('say what a rule finds and what to do, or tell one finding at length')
    .argument('<rule>', 'the id of a rule, or the fingerprint of a finding (or its beginning)')
    .argument('[path]', 'with a fingerprint: the project, as for an audit')
    .addOption(new Option('--color <when>', 'whether to colour').choices(['auto', 'always', 'never']).default('auto'))
    .action(async (what: string, path: string | undefined, flags: ExplainFlags) => {
      const { looksLikeFingerprint } = await import('./explain-finding.js')
      if (looksLikeFingerprint(what)) {
        done(await explainFinding(what, path ?? null, flags, terminal, services))
        return
      }
      if (path !== undefined) throw new UsageError(`explain ${what} takes no path: a rule is the same everywhere.`)
      const { explainText } = await import('./explain-rule.js')
      terminal.stdout(explainText(what, await services.rules()))
    })
}

async function explainFinding(
  fingerprint: string,
  path: string | null,
  flags: ExplainFlags,
  terminal: Terminal,
  services: Services,
): Promise<ExitCode> {
  const { explainFindingText } = await import('./explain-finding.js')
  const { options, baseline } = await prepareAnalysis(path, flags, services)
  const gate = await prepareGates(path, baseline === undefined ? {} : { baseline }, services)
  const audit = await services.audit()
  const outcome = gate(await audit(path, options))
  if (outcome.kind !== 'report') {
    terminal.stderr(`tick-audit: ${cleanLine(outcome.message)}\n`)
    return exitCodeOf(outcome, { failOn: 'none', strict: false, allowEmpty: false })
  }
  const color = useColor(flags.color, terminal)
  const rules = await services.rules()
  terminal.stdout(explainFindingText(fingerprint, outcome, { color, columns: terminal.columns, rules }))
  return ExitCode.clean
}
