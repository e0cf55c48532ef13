import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import { afterAll, describe, expect, it } from 'vitest'
import { lazyServices } from '../../src/cli/services.js'
import { version } from '../../src/package.js'
import { projectOf, racingProject, removeProjects, reportOf } from '../gate/project.js'
import { sample } from '../report/sample.js'
import { run, runWith, sampleOutcome } from './run.js'

afterAll(removeProjects)

const real = (...args: string[]) => runWith(args, lazyServices)
const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

describe('render', () => {
  const folder = projectOf({
    'report.json': JSON.stringify(sample),
    'bad.json': '{"schemaVersion":"2.0"}',
    'no.json': '{',
  })
  const file = join(folder, 'report.json')

  it.each(['json', 'concise', 'sarif', 'github', 'gitlab', 'junit'])(
    'writes a saved report as %s, as the audit does',
    async (format) => {
      const saved = await run(['render', file, '-f', format])
      expect(saved).toMatchObject({ code: 0, stderr: '', asked: [] })
      expect(saved.stdout).toBe((await run(['-f', format])).stdout)
    },
  )

  it('writes several at once, and reads standard input', async () => {
    const html = join(folder, 'out.html')
    const { stdout } = await run(['render', '-', '-f', 'concise', '-f', `html=${html}`], sampleOutcome, {
      stdin: async () => JSON.stringify(sample),
    })
    expect(stdout.split('\n')).toHaveLength(sample.findings.length + 1)
    expect(readFileSync(html, 'utf8')).toContain('<!doctype html>')
  })

  it('draws code from a project, and from nowhere else', async () => {
    const project = projectOf({ ...racingProject, 'secret.txt': 'root:x' })
    symlinkSync('/etc/passwd', join(project, 'supabase', 'linked.ts'))
    const report = await reportOf(racingProject)
    const place = (name: string) => ({
      ...report.findings[0]!.trace[0]!,
      location: { ...report.findings[0]!.location, file: name },
    })
    const trace = [
      ...report.findings[0]!.trace,
      ...['../../../../../../etc/passwd', '/etc/passwd', 'supabase/linked.ts'].map(place),
    ]
    const saved = join(project, 'saved.json')
    writeFileSync(saved, JSON.stringify({ ...report, findings: [{ ...report.findings[0], trace }] }))
    const { stdout } = await run(['render', saved, project])
    expect(stdout).toContain('│ ')
    expect(stdout).toContain("await db.from('letters').update")
    expect(stdout).not.toContain('root:')
    expect((await run(['render', saved])).stdout).not.toContain('│ ')
  })

  it.each([
    ['bad.json', 'schemaVersion is not 1.x'],
    ['no.json', 'cannot be read as a report'],
    ['none.json', 'ENOENT'],
  ])('refuses %s with exit code 2', async (name, message) => {
    const result = await run(['render', join(folder, name)])
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toContain(message)
  })
})

describe('explain FINGERPRINT', () => {
  it('tells one finding at length: two runs step by step with its own rows, table and numbers', async () => {
    const folder = projectOf(racingProject)
    const { fingerprint } = (await reportOf(racingProject)).findings[0]!
    const { code, stdout } = await real('explain', fingerprint.slice(0, 8), folder)
    expect(code).toBe(0)
    expect(stdout).toContain(fingerprint)
    const steps = stdout.slice(stdout.indexOf('Two runs, step by step'), stdout.indexOf('Why it is a race'))
    expect(steps).toMatch(/^ +after +run A +run B$/m)
    expect(steps).toMatch(/^ +0 s +picks 20 rows of letters/m)
    expect(steps).toMatch(/^ +60 s +has finished 6, works on 1, 13 to do +the next tick starts it; picks/m)
    expect(steps).toContain('row 7: Resend e-mail, a second time')
    expect(stdout).toContain('// tick-audit-ignore effect-before-claim: your reason')
    for (const line of steps.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
    expect(await real('explain', fingerprint, folder)).toMatchObject({ stdout })
  })

  it('also tells one that the baseline takes out', async () => {
    const folder = projectOf(racingProject)
    await real('baseline', folder, '--reason', 'before launch')
    const { fingerprint } = (await reportOf(racingProject)).findings[0]!
    expect((await real('explain', fingerprint, folder)).stdout).toContain('by the baseline: before launch')
  })

  it('says with exit code 2 that there is none', async () => {
    const result = await real('explain', 'abcdef0', projectOf(racingProject))
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toContain('no finding of this project has the fingerprint abcdef0')
    expect((await real('explain', 'no-claim', '.')).code).toBe(2)
  })
})

describe('rules, schema, completions', () => {
  it('rules -f json gives all that the rules say of themselves', async () => {
    const listed = JSON.parse((await run(['rules', '-f', 'json'])).stdout) as Record<string, unknown>[]
    expect(listed).toEqual((await lazyServices.rules()).map((rule) => rule.meta))
  })

  it.each(['report', 'config', 'baseline'])('schema %s prints a JSON Schema', async (name) => {
    const schema = JSON.parse((await run(['schema', name])).stdout) as object
    expect(new Ajv2020.default({ strict: false }).validateSchema(schema)).toBe(true)
  })

  it('schema and completions refuse another word', async () => {
    expect(await run(['schema', 'finding'])).toMatchObject({ code: 2, stdout: '' })
    expect(await run(['completions', 'powershell'])).toMatchObject({ code: 2, stdout: '' })
  })

  it.each(['bash', 'zsh', 'fish'])('completions %s name every command and option', async (shell) => {
    const { stdout } = await run(['completions', shell])
    for (const word of ['baseline', 'explain', 'render', 'init', 'fail-on', 'staged', 'stdin-filename'])
      expect(stdout).toContain(word)
    const found = ['/usr/bin', '/bin', '/usr/local/bin'].map((folder) => join(folder, shell)).find(existsSync)
    if (found) execFileSync(found, [...(shell === 'bash' ? ['--norc'] : []), '-n'], { input: stdout })
  })

  it('completes in a real bash', async () => {
    const { stdout } = await run(['completions', 'bash'])
    const ask = (line: string) =>
      execFileSync('bash', ['--norc'], {
        input: `${stdout}\nCOMP_WORDS=(${line} "$1"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _tick_audit; printf '%s\\n' "\${COMPREPLY[@]}"`,
        encoding: 'utf8',
      }).split('\n')
    expect(ask('tick-audit')).toEqual(expect.arrayContaining(['baseline', '--staged', '-f']))
    expect(ask('tick-audit --fail-on')).toEqual(['none', 'info', 'warning', 'error', ''])
    expect(ask('tick-audit schema')).toEqual(expect.arrayContaining(['report', 'config', 'baseline']))
  })
})

describe('init', () => {
  it('writes a configuration that is taken, a hook for the manager in use, and a workflow', async () => {
    const folder = projectOf({ ...racingProject, 'lefthook.yaml': '' })
    mkdirSync(join(folder, '.git'))
    const { code, stdout } = await real('init', folder)
    expect(code).toBe(0)
    expect(stdout).toBe('tick-audit.json: written\nlefthook.yml: written\n.github/workflows/tick-audit.yml: written\n')
    expect((await real(folder)).code).toBe(1)
    expect((await real(folder, '--print-config')).code).toBe(0)
    expect(readFileSync(join(folder, '.github/workflows/tick-audit.yml'), 'utf8')).toContain(`tick-audit@${version()} `)
    // A second time there is nothing to do.
    expect((await real('init', folder)).stdout).not.toContain('written')
  })

  it.each([
    [
      'pre-commit',
      '.pre-commit-config.yaml',
      'entry: tick-audit --staged apps/post\n        files: ^apps/post/supabase/\n',
    ],
    ['husky', '.husky/pre-commit', 'npx --no-install tick-audit --staged apps/post\n'],
    [
      'lefthook',
      'lefthook.yml',
      "glob: 'apps/post/supabase/**'\n      run: npx --no-install tick-audit --staged apps/post\n",
    ],
  ])('writes a hook for %s in the repository’s own folder', async (hook, file, expected) => {
    const folder = projectOf(
      Object.fromEntries(Object.entries(racingProject).map(([path, t]) => [`apps/post/${path}`, t])),
    )
    mkdirSync(join(folder, '.git'))
    expect((await real('init', join(folder, 'apps/post'), '--hook', hook, '--no-workflow')).code).toBe(0)
    expect(readFileSync(join(folder, file), 'utf8')).toContain(expected)
    expect(existsSync(join(folder, 'apps/post/tick-audit.json'))).toBe(true)
    expect(existsSync(join(folder, '.github'))).toBe(false)
  })

  it('never writes over a file without --force or a yes', async () => {
    const own = {
      'tick-audit.json': '{}',
      '.pre-commit-config.yaml': 'repos: []\n',
      '.github/workflows/tick-audit.yml': 'x',
    }
    const folder = projectOf({ ...racingProject, ...own })
    const texts = () => Object.keys(own).map((file) => readFileSync(join(folder, file), 'utf8'))
    const asked: string[] = []
    const confirm = (yes: boolean) => async (question: string) => {
      asked.push(question)
      return yes
    }
    mkdirSync(join(folder, '.git'))
    expect((await real('init', folder)).stdout).toContain('tick-audit.json: is there, and stays as it is')
    await runWith(['init', folder], lazyServices, { confirm: confirm(false) })
    expect(texts()).toEqual(Object.values(own))
    expect(asked).toEqual(['Write over tick-audit.json?', 'Write over .github/workflows/tick-audit.yml?'])
    const { stdout } = await runWith(['init', folder], lazyServices, { confirm: confirm(true) })
    expect(stdout).toContain('tick-audit.json: written over')
    // What holds other hooks as well is never replaced, not even by force: the lines to add are shown.
    expect(stdout).toContain('.pre-commit-config.yaml: is there, and stays as it is. Add this to it:\n\nrepos:')
    await real('init', folder, '--force')
    expect(texts()[1]).toBe('repos: []\n')
  })

  it('says that there is no hook manager', async () => {
    expect((await real('init', projectOf(racingProject))).stdout).toContain('no hook manager is in use')
    expect((await real('init', projectOf({}))).code).toBe(2)
  })
})

describe('in GitHub Actions', () => {
  const env = { GITHUB_ACTIONS: 'true' }

  it('prints annotations by default, and writes the step summary', async () => {
    const file = join(projectOf({ 'summary.md': 'before\n' }), 'summary.md')
    const { stdout, stderr } = await run([], sampleOutcome, { env: { ...env, GITHUB_STEP_SUMMARY: file } })
    expect(stdout).toMatch(/^::error file=/)
    expect(stderr).toBe('')
    const summary = readFileSync(file, 'utf8')
    expect(summary).toMatch(/^before\n/)
    expect(summary).toContain('effect-before-claim')
  })

  it('keeps to the formats asked for', async () => {
    const file = join(projectOf({ 'summary.md': '' }), 'summary.md')
    const actions = { env: { ...env, GITHUB_STEP_SUMMARY: file } }
    expect((await run(['-f', 'json'], sampleOutcome, actions)).stdout).toMatch(/^\{/)
    expect(readFileSync(file, 'utf8')).toBe('')
    await run(['-f', 'github=/dev/null', '-f', 'concise'], sampleOutcome, actions)
    expect(readFileSync(file, 'utf8')).not.toBe('')
  })

  it('says that the summary cannot be written', async () => {
    const result = await run([], sampleOutcome, { env: { ...env, GITHUB_STEP_SUMMARY: projectOf({}) } })
    expect(result.code).toBe(2)
    expect(result.stderr).toContain('cannot write GITHUB_STEP_SUMMARY')
    expect(result.stdout).toContain('::error')
  })
})

describe('--debug timings', () => {
  it('tells the parts on standard error', async () => {
    let clock = 0
    const { stderr, stdout } = await run(['--debug', 'timings'], sampleOutcome, { now: () => (clock += 10) })
    expect(stderr).toMatch(/^( +10 ms {2}[^\n]+\n){5,}/)
    expect(stderr).toContain('reading')
    expect(stderr).toMatch(/ms {2}in all\n$/)
    expect(stdout).toBe((await run([])).stdout)
  })
})

describe('files for other tools', () => {
  it('pin this version of the package', () => {
    expect(text('action.yml')).toContain(`default: ${version()}\n`)
    expect(text('.pre-commit-hooks.yaml')).toContain(`npx --yes tick-audit@${version()} --staged`)
  })

  it('of the action: a composite whose step runs, passing inputs by the environment alone', () => {
    const action = text('action.yml')
    expect(action).toContain('using: composite')
    const script = action.slice(action.indexOf('run: |') + 'run: |'.length).replace(/^ {8}/gm, '')
    expect(script).not.toContain('${{')
    const folder = projectOf({ 'bin/npx': '#!/bin/sh\nfor each in "$@"; do echo "<$each>"; done\n', output: '' })
    execFileSync('chmod', ['+x', join(folder, 'bin/npx')])
    const said = execFileSync('bash', ['--norc', '-e', '-o', 'pipefail', '-c', script], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        GITHUB_OUTPUT: join(folder, 'output'),
        AUDIT_PATH: './a b; $(id)',
        AUDIT_VERSION: '1.2.3',
        AUDIT_SARIF: 'x.sarif',
        AUDIT_ARGS: '--fail-on warning',
      },
    })
    expect(said.trim().split('\n').join(' ')).toBe(
      '<--yes> <tick-audit@1.2.3> <-f> <github> <-f> <sarif=x.sarif> <--fail-on> <warning> <--> <./a b; $(id)>',
    )
    expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('sarif=x.sarif\n')
  })
})
