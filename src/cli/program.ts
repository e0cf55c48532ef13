import { Command, CommanderError } from 'commander'
import { cleanLine } from '../report/clean.js'
import { formats } from '../report/index.js'
import { auditCommand } from './commands/audit.js'
import { baselineCommand } from './commands/baseline.js'
import { completionsCommand } from './commands/completions.js'
import { explainCommand } from './commands/explain.js'
import { initCommand } from './commands/init.js'
import { renderCommand } from './commands/render.js'
import { rulesCommand } from './commands/rules.js'
import { schemaCommand } from './commands/schema.js'
import { ticksCommand } from './commands/ticks.js'
import { ExitCode } from './exit-code.js'
import { faultLine } from './fault.js'
import { lazyServices, type Services } from './services.js'
import type { Terminal } from './terminal.js'
import { UsageError } from './usage-error.js'
import { version } from '../package.js'

const HELP = `
Formats:
${Object.entries(formats)
  .map(([name, format]) => `  ${name.padEnd(9)} ${format.title}`)
  .join('\n')}

Examples:
  tick-audit                                    audit the Supabase project here or above
  tick-audit ./apps/api --fail-on warning       fail on warnings as well
  tick-audit -f text -f json=report.json        read it now, keep it for later
  tick-audit ticks --all                        every job: when, what it calls, is that sound
  tick-audit explain effect-before-claim        what a rule means and how to put it right
  tick-audit baseline --reason "before launch"  accept what is found today
  tick-audit --staged                           in a hook: what touches the files of this commit

Exit codes:
  0   no finding at or above --fail-on
  1   at least one finding at or above --fail-on (or a stale entry, with --fail-on-stale)
  2   could not start: a wrong option, configuration or baseline, or a path that cannot be read
  3   nothing to audit (0 with --allow-empty)
  4   --strict, and something could not be analysed
  70  a fault of tick-audit itself
`

/**
 * Runs the command line and resolves with the exit code; never throws, never touches the process.
 * @param args what stands behind the program's name
 */
export async function runCli(
  args: readonly string[],
  terminal: Terminal,
  services: Services = lazyServices,
): Promise<ExitCode> {
  let code: ExitCode = ExitCode.clean
  const program = programOf(terminal, services, (result) => (code = result))
  try {
    await program.parseAsync(args.map(ownValueOnly), { from: 'user' })
    return code
  } catch (error) {
    return report(error, args, terminal)
  }
}

/** `--changed PATH` names a path: a ref is written `--changed=REF`, so that none is taken for the other. */
function ownValueOnly(arg: string): string {
  return arg === '--changed' ? '--changed=HEAD' : arg
}

function programOf(terminal: Terminal, services: Services, done: (code: ExitCode) => void): Command {
  const program = new Command('tick-audit')
    .description('Finds pg_cron ticks whose Supabase edge functions do the same work twice when two runs overlap.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: terminal.stdout,
      writeErr: terminal.stderr,
      outputError: (text, write) => write(`tick-audit: ${cleanLine(text.replace(/^error: /, '').trim())}\n`),
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    })
    .addHelpText('after', HELP)
  auditCommand(program, terminal, services, done)
  auditCommand(
    program.command('audit').description('audit a project; the same as no command'),
    terminal,
    services,
    done,
  )
  baselineCommand(program.command('baseline'), terminal, services, done)
  ticksCommand(program.command('ticks'), terminal, services, done)
  program.hook('preSubcommand', (_, subcommand) => handOn(program, subcommand))
  rulesCommand(program.command('rules'), terminal, services)
  explainCommand(program.command('explain'), terminal, services, done)
  renderCommand(program.command('render'), terminal, services)
  schemaCommand(program.command('schema'), terminal)
  initCommand(program.command('init'), terminal)
  completionsCommand(program.command('completions'), program, terminal)
  return program
}

/** `tick-audit -f json audit` means the same as `tick-audit audit -f json`; a command has no use for options that it does not know. */
function handOn(program: Command, subcommand: Command): void {
  for (const option of program.options) {
    const name = option.attributeName()
    if (program.getOptionValueSource(name) !== 'cli') continue
    if (!subcommand.options.some((own) => own.attributeName() === name)) {
      throw new UsageError(`${option.long ?? option.flags} does not apply to "${subcommand.name()}".`)
    }
    subcommand.setOptionValueWithSource(name, program.getOptionValue(name), 'cli')
  }
}

/** Turns whatever ended the run early into an exit code, and into one line where nothing has been said yet. */
function report(error: unknown, args: readonly string[], terminal: Terminal): ExitCode {
  // Commander has said what is wrong (or printed the help that was asked for) by then.
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.clean : ExitCode.usage
  if (error instanceof UsageError) {
    for (const line of error.message.split('\n')) terminal.stderr(`tick-audit: ${cleanLine(line)}\n`)
    return ExitCode.usage
  }
  terminal.stderr(faultLine(error))
  const verbose = args.includes('-v') || args.includes('--verbose')
  if (verbose && error instanceof Error && error.stack !== undefined) terminal.stderr(`${error.stack}\n`)
  return ExitCode.fault
}
