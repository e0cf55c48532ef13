import { ExitCode } from './exit-code.js'
import { faultLine, runCli } from './program.js'
import { processTerminal } from './terminal.js'

// The one file that sets the exit code. It never calls process.exit: what is still in a pipe would be lost.

/** A reader that has seen enough (`| head`) is no error; anything else that breaks the output is. */
function onStreamError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') fail(error)
}

function fail(error: unknown): void {
  process.exitCode = ExitCode.fault
  process.stderr.write(faultLine(error))
}

process.stdout.on('error', onStreamError)
process.stderr.on('error', () => {})
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)

const code = await runCli(process.argv.slice(2), processTerminal())
process.exitCode ??= code
