import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ExitCode } from '../../src/cli/exit-code.js'
import { hookFile, workflowFile } from '../../src/cli/init-files.js'
import { version } from '../../src/package.js'
import { run } from './run.js'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

function section(title: string): string {
  const start = readme.indexOf(`\n## ${title}\n`)
  const end = readme.indexOf('\n## ', start + 1)
  return start < 0 ? '' : readme.slice(start, end < 0 ? undefined : end)
}

/** First cells of the table whose head begins with this word. */
function table(text: string, head: string): string[] {
  const rows = text.slice(text.search(new RegExp(`^\\| ${head} `, 'm'))).split('\n\n')[0]!
  return rows
    .split('\n')
    .slice(2)
    .filter((row) => row.startsWith('|'))
    .map((row) => row.split('|')[1]!)
}

const longNames = (text: string): string[] => [...new Set(text.match(/--[a-z][a-z-]+/g))].sort()
const optionNames = (help: string): string[] => longNames(help.match(/^ {2}(-\w, )?--[a-z-]+/gm)!.join('\n'))

describe('README and --help agree', () => {
  it('on the options', async () => {
    const { stdout } = await run(['--help'])
    expect(longNames(table(section('Options'), 'option').join('\n'))).toEqual(
      // The word behind --debug is its value, not an option.
      optionNames(stdout),
    )
  })

  it('on the commands', async () => {
    const { stdout } = await run(['--help'])
    const commands = stdout.slice(stdout.indexOf('Commands:'), stdout.indexOf('Formats:'))
    const names = [...commands.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name).filter((name) => name !== 'help')
    const told = table(section('Options'), 'command').map((cell) => /`([a-z]+)/.exec(cell)?.[1])
    expect(told.sort()).toEqual(names.sort())
  })

  it('on the formats', async () => {
    const { stdout } = await run(['--help'])
    const row = section('Options')
      .split('\n')
      .find((line) => line.includes('--format'))!
    const formats = stdout.slice(stdout.indexOf('Formats:'), stdout.indexOf('Examples:'))
    const names = [...formats.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name)
    expect([...row.split('|')[2]!.matchAll(/`([a-z]+)`/g)].map(([, name]) => name)).toEqual(names)
  })

  it('on the exit codes', async () => {
    const { stdout } = await run(['--help'])
    const codes = Object.values(ExitCode).map(String)
    expect(table(section('Exit codes'), 'code').map((cell) => cell.trim())).toEqual(codes)
    const told = [...stdout.slice(stdout.indexOf('Exit codes:')).matchAll(/^ {2}(\d+) /gm)].map(([, code]) => code)
    expect(told).toEqual(codes)
  })

  it('every option that a command line in it uses is there', async () => {
    const help = (await run(['--help'])).stdout
    const lines = [...readme.matchAll(/(?:^|`)(?:npx .*?|node bin\/)?tick-audit(?:\.js)?((?: [^`\n]*)?)/gm)]
    const commands = ['baseline', 'explain', 'rules', 'render', 'init', 'ticks', 'schema', 'completions']
    for (const [, rest = ''] of lines) {
      const command = commands.find((name) => rest.trim().split(' ')[0] === name)
      const known = command === undefined ? help : (await run([command, '--help'])).stdout
      for (const name of longNames(rest)) expect(optionNames(known), rest).toContain(name)
    }
  })

  it('shows the hook and the workflow that init writes', () => {
    expect(readme).toContain(hookFile('husky', '', version()).text)
    expect(readme).toContain(hookFile('pre-commit', '', version()).text)
    expect(readme).toContain(workflowFile('', version()).text)
  })
})
