import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { claimed, FUNCTION, projectOf, racing, racingProject, removeProjects, write } from '../gate/project.js'

afterAll(removeProjects)

const root = fileURLToPath(new URL('../..', import.meta.url))
// As on a person's machine: no variables of a git or an npm that runs these tests.
const env = Object.fromEntries(
  Object.entries({ ...process.env, HUSKY: undefined, CI: undefined, GITHUB_ACTIONS: undefined }).filter(
    ([name, value]) => value !== undefined && !/^(GIT_|npm_)/i.test(name),
  ),
)

function git(folder: string, ...args: string[]): { status: number | null; output: string } {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com']
  const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

/** A repository where tick-audit is installed as npm would do it. */
function repository(files: Readonly<Record<string, string>>): string {
  const folder = projectOf({ ...files, '.gitignore': 'node_modules\n', 'package.json': '{ "name": "letters" }\n' })
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true })
  symlinkSync(root, join(folder, 'node_modules', 'tick-audit'))
  symlinkSync('../tick-audit/bin/tick-audit.js', join(folder, 'node_modules', '.bin', 'tick-audit'))
  git(folder, 'init', '-q', '-b', 'main')
  return folder
}

const init = (folder: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(root, 'bin', 'tick-audit.js'), 'init', '--no-workflow', ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })

// `npm test` builds first; a single run of vitest may come before any build.
describe.runIf(existsSync(join(root, 'dist', 'main.js')))('a hook before commits', { timeout: 120_000 }, () => {
  it.each([
    ['in the root of the repository', ''],
    ['in a folder of it', 'apps/letters/'],
  ])('of husky refuses a racing function and lets the claimed one pass, %s', (_, inside) => {
    const place = (files: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [inside + path, text]))
    const folder = repository(place({ ...racingProject, [FUNCTION]: claimed }))
    // What `npx husky` does on installation.
    execFileSync(process.execPath, [join(root, 'node_modules', 'husky', 'bin.js')], { cwd: folder, env })
    expect(git(folder, 'config', 'core.hooksPath').output.trim()).toBe('.husky/_')
    expect(init(folder, inside || '.')).toContain('.husky/pre-commit: written')
    git(folder, 'add', '.')
    expect(git(folder, 'commit', '-m', 'claimed')).toMatchObject({ status: 0 })

    write(folder, place({ [FUNCTION]: racing }))
    git(folder, 'add', '.')
    const refused = git(folder, 'commit', '-m', 'racing')
    expect(refused.status).not.toBe(0)
    expect(refused.output).toContain('effect-before-claim')
    expect(refused.output).toContain(`${FUNCTION}:6`)
    expect(git(folder, 'log', '--format=%s').output.trim()).toBe('claimed')
    // A commit of its own by path, through an index of its own, is refused as well.
    expect(git(folder, 'commit', '-m', 'by path', inside + FUNCTION).status).not.toBe(0)

    write(folder, place({ [FUNCTION]: `${claimed}// better\n` }))
    git(folder, 'add', '.')
    expect(git(folder, 'commit', '-m', 'claimed again')).toMatchObject({ status: 0 })
    // What is there already and is not touched does not hold up other work.
    git(folder, 'commit', '--no-verify', '--allow-empty', '-m', 'empty')
    write(folder, place({ [FUNCTION]: racing }))
    git(folder, 'commit', '--no-verify', '-am', 'racing')
    write(folder, { 'README.md': 'letters\n' })
    git(folder, 'add', '.')
    expect(git(folder, 'commit', '-m', 'words')).toMatchObject({ status: 0 })
  })

  it('of plain git works by the same line', () => {
    const folder = repository(racingProject)
    const line = 'npx --no-install tick-audit --staged\n'
    write(folder, { '.git/hooks/pre-commit': `#!/bin/sh\n${line}` })
    execFileSync('chmod', ['+x', join(folder, '.git/hooks/pre-commit')])
    git(folder, 'add', '.')
    expect(git(folder, 'commit', '-m', 'racing').status).not.toBe(0)
    write(folder, { [FUNCTION]: claimed })
    git(folder, 'add', '.')
    expect(git(folder, 'commit', '-m', 'claimed')).toMatchObject({ status: 0 })
  })

  it('is added to a hook of husky that is there, once, and only where told to', () => {
    const folder = repository({ ...racingProject, '.husky/pre-commit': 'npm run check' })
    expect(init(folder)).toContain('.husky/pre-commit: is there, and stays as it is')
    expect(readFileSync(join(folder, '.husky/pre-commit'), 'utf8')).toBe('npm run check')
    expect(init(folder, '--force')).toContain('.husky/pre-commit: added to')
    expect(init(folder, '--force')).toContain('.husky/pre-commit: has it already')
    expect(readFileSync(join(folder, '.husky/pre-commit'), 'utf8')).toBe(
      'npm run check\nnpx --no-install tick-audit --staged\n',
    )
  })
})
