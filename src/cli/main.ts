import { processTerminal } from './terminal.js'

// The one file that sets the exit code. It never calls process.exit: what is still in a pipe would be lost. Everything else
// is loaded when it is needed: a run that is said again from its record (--cache) is over by then.

/** A reader that has seen enough (`| head`) is no error; anything else that breaks the output is. */
function onStreamError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') fail(error)
}

function fail(error: unknown): void {
  process.exitCode = 70 // ExitCode.fault
  void import('./fault.js').then(({ faultLine }) => process.stderr.write(faultLine(error)))
}

process.stdout.on('error', onStreamError)
process.stderr.on('error', () => {})
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)

const args = process.argv.slice(2)
const program = async () => {
  const { tuneEngine } = await import('./engine.js')
  tuneEngine()
  return (await import('./program.js')).runCli
}
const code = args.includes('--cache')
  ? await (await import('./cache/run.js')).runCached(args, processTerminal(), program)
  : await (
      await program()
    )(args, processTerminal())
process.exitCode ??= code
