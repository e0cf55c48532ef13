import { Option, type Command } from 'commander'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { locateSupabase } from '../../project/locate.js'
import { HOOKS, hookFile, isHook, workflowFile, configFile, type Hook, type InitFile } from '../init-files.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'
import { version } from '../../package.js'

interface InitFlags {
  readonly hook?: Hook | 'none'
  readonly workflow: boolean
  readonly force?: boolean
}

/** `tick-audit init [PATH]`: a configuration, a hook for the hook manager in use, and a workflow for GitHub. */
export function initCommand(command: Command, terminal: Terminal): Command {
  return command
    .description('write a configuration, a hook before commits and a GitHub workflow')
    .argument('[path]', 'as for an audit')
    .addOption(
      new Option('--hook <manager>', 'for which hook manager (default: the one in use)').choices([...HOOKS, 'none']),
    )
    .option('--no-workflow', 'write no GitHub workflow')
    .option('--force', 'write over files that are there')
    .action(async (path: string | undefined, flags: InitFlags) => {
      const supabase = locateSupabase(path ?? null, process.cwd())
      if (typeof supabase !== 'string') throw new UsageError(supabase.message)
      const project = dirname(supabase)
      const repository = repositoryOf(project)
      const hook = flags.hook ?? hookInUse(repository)
      const inside = relative(repository, project).replaceAll('\\', '/')
      const files: InitFile[] = [
        configFile(inside),
        ...(isHook(hook) ? [hookFile(hook, inside, version())] : []),
        ...(flags.workflow ? [workflowFile(inside, version())] : []),
      ]
      for (const file of files) await put(repository, file, flags.force === true, terminal)
      if (hook === null)
        terminal.stdout(`no hook: no hook manager is in use; --hook ${HOOKS.join(', --hook ')} writes one\n`)
    })
}

/** The folder that holds `.git`, or the project's own. */
function repositoryOf(project: string): string {
  for (let folder = project; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return project
  }
}

function hookInUse(repository: string): Hook | null {
  const there = (name: string) => existsSync(join(repository, name))
  if (there('.husky')) return 'husky'
  if (there('lefthook.yml') || there('lefthook.yaml') || there('.lefthook.yml')) return 'lefthook'
  if (there('.pre-commit-config.yaml')) return 'pre-commit'
  return null
}

/** Writes a file, or says why not. What is there is kept, unless it is told or a person says yes. */
async function put(root: string, file: InitFile, force: boolean, terminal: Terminal): Promise<void> {
  const path = resolve(root, file.path)
  const before = readIfThere(path)
  if (before === null) {
    write(path, file)
    terminal.stdout(`${file.path}: written\n`)
    return
  }
  if (before.includes(file.mark)) {
    if (before === file.text || file.join !== undefined) {
      terminal.stdout(`${file.path}: has it already\n`)
      return
    }
  }
  // A file that holds other things as well is never replaced: it can only be added to.
  const joined = file.join === undefined ? file.text : file.join(before)
  if (joined === null) {
    terminal.stdout(`${file.path}: is there, and stays as it is. Add this to it:\n\n${file.text}\n`)
    return
  }
  const question = file.join === undefined ? `Write over ${file.path}?` : `Add tick-audit to ${file.path}?`
  if (force || (await terminal.confirm?.(question)) === true) {
    write(path, { ...file, text: joined })
    terminal.stdout(`${file.path}: ${file.join === undefined ? 'written over' : 'added to'}\n`)
  } else terminal.stdout(`${file.path}: is there, and stays as it is (--force changes it)\n`)
}

function readIfThere(path: string): string | null {
  if (!existsSync(path)) return null
  if (!statSync(path).isFile()) throw new UsageError(`${path} is not a file.`)
  return readFileSync(path, 'utf8')
}

function write(path: string, file: InitFile): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, file.text, { mode: file.executable ? 0o755 : 0o644 })
  } catch (error) {
    throw new UsageError(`cannot write "${path}": ${error instanceof Error ? error.message : String(error)}`)
  }
}
