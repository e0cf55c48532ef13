import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const config = (name) => join(here, 'compare', name)
const require = createRequire(import.meta.url)

export const areInstalled = () => existsSync(join(here, 'node_modules', '.package-lock.json'))

/** Their exact versions are in package-lock.json. No install script is needed: every binary is a package of its platform. */
export function install() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync(npm, args, { cwd: here, stdio: 'inherit', shell: process.platform === 'win32' })
  return status === 0
}

/** A file of an installed package, wherever it says its command is. */
function commandOf(name, command) {
  const folder = join(here, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return [process.execPath, join(folder, bin[command])]
}

const versionOf = (name) => JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8')).version

/** Found something or not: a linter's 0 and 1. */
const zeroOrOne = (status) => status === 0 || status === 1

/**
 * What a user has today. Each is run in the project's folder, on the same files: linters on the functions, the Postgres
 * language server's check on the migrations, without a database.
 */
const TOOLS = [
  {
    name: 'eslint',
    package: 'eslint',
    rule: 'typescript-eslint’s parser, one custom rule',
    command: () => {
      const eslint = commandOf('eslint', 'eslint')
      return () => [...eslint, '-c', config('eslint.config.mjs'), '--no-inline-config', 'supabase/functions']
    },
  },
  {
    name: 'oxlint',
    package: 'oxlint',
    rule: 'no-await-in-loop',
    command: () => {
      const oxlint = commandOf('oxlint', 'oxlint')
      return () => [...oxlint, '-c', config('oxlint.json'), 'supabase/functions']
    },
  },
  {
    name: 'ast-grep',
    package: '@ast-grep/cli',
    rule: 'one rule of the same intent',
    command: () => {
      // Its install script would put this binary in the place of the command: what a user runs is the binary itself
      const binary = require('@ast-grep/cli/postinstall.js').resolveBinaryPath()
      if (!binary) throw new Error(`no binary for ${process.platform} ${process.arch}`)
      return () => [binary, 'scan', '-r', config('ast-grep.yml'), 'supabase/functions']
    },
  },
  {
    name: 'pg tools',
    package: '@postgrestools/postgrestools',
    rule: 'check, recommended rules, no database',
    command: () => {
      const check = [...commandOf('@postgrestools/postgrestools', 'postgrestools'), 'check']
      return () => [...check, '--disable-db', `--config-path=${join(here, 'compare')}`, 'supabase/migrations']
    },
    // 1 stands for a finding and for a failure: a run that checked says how many files
    ended: (status, text) => zeroOrOne(status) && /Checked \d+ file/.test(text),
  },
]

/** Those that can run here, with the version; the others with the reason why not. */
export function findTools() {
  return TOOLS.map((tool) => {
    const described = { name: tool.name, rule: tool.rule, ended: tool.ended ?? zeroOrOne }
    try {
      return { ...described, version: `${tool.package} ${versionOf(tool.package)}`, command: tool.command() }
    } catch (error) {
      return { ...described, missing: error.message.split('\n')[0] }
    }
  })
}
