import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { lazyServices } from '../../src/cli/services.js'
import type { Report } from '../../src/model/index.js'
import {
  claimed,
  FUNCTION,
  MIGRATION,
  migration,
  projectOf,
  racing,
  racingProject,
  removeProjects,
  write,
} from '../gate/project.js'
import { runWith } from './run.js'

afterAll(removeProjects)

const run = (...args: string[]) => runWith(args, lazyServices)
const json = async (...args: string[]) => JSON.parse((await run('-f', 'json', ...args)).stdout) as Report
const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd: folder,
    stdio: 'pipe',
  }).toString()

/** `auditProject` has to hand the overlay on to `openProject`; until it does, these tests wait. */
const takesOverlay = readFileSync(new URL('../../src/audit.ts', import.meta.url), 'utf8').includes('options.overlay')

describe('tick-audit baseline', () => {
  it('accepts what is found, with a reason; then only what is new fails', async () => {
    const folder = projectOf(racingProject)
    const file = join(folder, 'tick-audit-baseline.json')
    expect((await run(folder)).code).toBe(1)
    expect(await run('baseline', folder, '--reason', 'before launch')).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(file, 'utf8')).toContain('"reason": "before launch"')
    expect((await run(folder)).code).toBe(0)
    expect((await run(folder, '--no-baseline')).code).toBe(1)
    expect((await run(folder, '--show-suppressed')).stdout).toContain('before launch (in the baseline)')
    const report = await json(folder)
    expect(report.summary).toMatchObject({ baselined: 1, suppressed: 0 })
    // A second time nothing changes, also with another reason.
    const before = readFileSync(file, 'utf8')
    await run('baseline', folder)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it('reports what is stale, fails on it where asked to, and prunes it', async () => {
    const folder = projectOf(racingProject)
    const file = join(folder, 'tick-audit-baseline.json')
    await run('baseline', folder)
    write(folder, { [FUNCTION]: claimed })
    expect((await run(folder)).code).toBe(0)
    expect((await run(folder, '--strict')).code).toBe(0)
    expect((await run(folder, '--fail-on-stale')).code).toBe(1)
    expect((await json(folder)).diagnostics).toMatchObject([
      { code: 'baseline-stale', location: { file: 'tick-audit-baseline.json', startLine: 5 } },
    ])
    expect((await run('baseline', folder, '--prune')).stdout).toContain('0 entries (1 taken out)')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ schemaVersion: '1.0', entries: [] })
    expect((await run(folder, '--fail-on-stale')).code).toBe(0)
  })

  it('writes nothing where there is nothing to accept, and another file where told to', async () => {
    const clean = projectOf({ ...racingProject, [FUNCTION]: claimed })
    await run('baseline', clean)
    expect(existsSync(join(clean, 'tick-audit-baseline.json'))).toBe(false)
    const folder = projectOf(racingProject)
    const file = join(folder, 'deep', 'accepted.json')
    await run('baseline', folder, '--baseline', file)
    expect((await run(folder, '--baseline', file)).code).toBe(0)
  })

  it('does not call stale what was not asked for', async () => {
    const folder = projectOf(racingProject)
    await run('baseline', folder)
    expect((await run(folder, '--skip', 'effect-before-claim', '--fail-on-stale')).code).toBe(0)
  })

  it('refuses a bad baseline, a missing one that is named, and an empty reason, with exit code 2', async () => {
    const folder = projectOf({ ...racingProject, 'tick-audit-baseline.json': '{"schemaVersion":"1.0","entries":[{}]}' })
    const bad = await run(folder)
    expect(bad).toMatchObject({ code: 2, stdout: '' })
    expect(bad.stderr).toContain('cannot be used: entry 1 has no')
    expect((await run('baseline', folder)).code).toBe(2)
    expect((await run(folder, '--no-baseline')).code).toBe(1)
    expect(await run(folder, '--baseline', join(folder, 'none.json'))).toMatchObject({ code: 2, stdout: '' })
    expect((await run('baseline', folder, '--reason', ' ')).code).toBe(2)
    expect((await run('baseline', join(folder, 'nowhere'))).code).toBe(2)
    expect((await run('baseline', join(folder, 'supabase', 'functions'))).code).toBe(3)
  })
})

describe('ignore comments', () => {
  it('suppress, are counted, are shown where asked to, and fail where they are stale', async () => {
    const comment = '// tick-audit-ignore effect-before-claim: the provider refuses repeats'
    const text = racing.replace('    await fetch', `    ${comment}\n    await fetch`)
    const folder = projectOf({ ...racingProject, [FUNCTION]: text })
    const result = await run(folder)
    expect(result.code).toBe(0)
    expect(result.stdout).toContain('1 suppressed')
    expect(result.stdout).not.toContain('refuses repeats')
    expect((await run(folder, '--show-suppressed')).stdout).toContain('the provider refuses repeats')
    write(folder, { [FUNCTION]: claimed.replace('    await fetch', `    ${comment}\n    await fetch`) })
    expect((await run(folder)).code).toBe(0)
    expect((await run(folder, '--fail-on-stale')).code).toBe(1)
  })

  it('are found in helpers that no finding touches any more, and not in SQL that is set aside', async () => {
    const old = '-- tick-audit-ignore no-claim: once'
    const folder = projectOf({
      ...racingProject,
      'supabase/functions/_shared/mail.ts': '// tick-audit-ignore no-claim: once\n',
      'supabase/archive/old.sql': old,
      'supabase/migrations/notes.sql': old,
    })
    const files = (await json(folder)).diagnostics.filter(({ code }) => code === 'ignore-unused')
    expect(files.map(({ location }) => location?.file)).toEqual(['supabase/functions/_shared/mail.ts'])
  })

  it('guess the rule that was meant', async () => {
    const text = racing.replace('    await fetch', '// tick-audit-ignore effect-before-clam: x\n    await fetch')
    const { diagnostics } = await json(projectOf({ ...racingProject, [FUNCTION]: text }))
    expect(diagnostics[0]?.message).toContain('Did you mean effect-before-claim?')
  })
})

describe('--staged and --changed', () => {
  it('report what touches a changed file in any place of its trace', async () => {
    const folder = projectOf({ ...racingProject, 'README.md': 'letters\n' })
    git(folder, 'init', '-q', '-b', 'main')
    // Before the first commit everything that is staged is new.
    expect((await run(folder, '--staged')).code).toBe(0)
    expect((await run(folder, '--changed')).code).toBe(1)
    git(folder, 'add', '.')
    expect((await run(folder, '--staged')).code).toBe(1)
    git(folder, 'commit', '-qm', 'first')
    expect((await run(folder, '--staged')).code).toBe(0)
    expect((await run(folder, '--changed')).code).toBe(0)

    write(folder, { 'README.md': 'more\n' })
    git(folder, 'add', '.')
    const aside = await json(folder, '--staged')
    expect(aside.findings).toEqual([])
    expect(aside.diagnostics).toMatchObject([{ code: 'unchanged-left-out', severity: 'info' }])

    // The finding stands in the function; its schedule is a place of it as well.
    git(folder, 'checkout', '-qb', 'other')
    write(folder, { [MIGRATION]: `${migration}-- touched\n` })
    expect((await run(folder, '--changed')).code).toBe(1)
    expect((await run(folder, '--staged')).code).toBe(0)
    git(folder, 'commit', '-qam', 'second')
    expect((await run(folder, '--changed')).code).toBe(0)
    expect((await run('--changed=main', folder)).code).toBe(1)
    // A path behind --changed is a path.
    expect((await run('--changed', folder)).code).toBe(0)
    // A subfolder of the repository is a project like any other; files that git ignores are not changed.
    write(folder, { '.gitignore': 'apps/ignored/\n' })
    for (const name of ['web', 'ignored']) write(join(folder, 'apps', name), racingProject)
    expect((await run('--changed', join(folder, 'apps/web'))).code).toBe(1)
    expect((await run('--changed', join(folder, 'apps/ignored'))).code).toBe(0)
  })

  it('say with exit code 2 why they cannot', async () => {
    const folder = projectOf(racingProject)
    for (const option of ['--staged', '--changed', '--changed=main']) {
      const result = await run(option, folder)
      expect(result).toMatchObject({ code: 2, stdout: '' })
      expect(result.stderr).toMatch(/^tick-audit: --(staged|changed) needs a git repository, and \S+ is in none\.\n$/)
    }
    git(folder, 'init', '-q')
    for (const ref of ['nowhere', '--output=x', '']) {
      const result = await run(`--changed=${ref}`, folder)
      expect(result).toMatchObject({ code: 2, stdout: '' })
    }
    expect((await run('--staged', '--changed', folder)).code).toBe(2)
  })

  it.runIf(takesOverlay)('audit what is staged, not what the working tree has', async () => {
    const folder = projectOf(racingProject)
    git(folder, 'init', '-q')
    git(folder, 'add', '.')
    writeFileSync(join(folder, FUNCTION), claimed)
    expect((await run('--staged', folder)).code).toBe(1)
    expect((await run('--changed', folder)).code).toBe(0)
  })
})

describe.runIf(takesOverlay)('--stdin-filename', () => {
  const withStdin = (folder: string, file: string, text: string) =>
    runWith(['-f', 'concise', '--stdin-filename', join(folder, file), folder], lazyServices, {
      stdin: async () => text,
    })

  it('audits the text that an editor holds', async () => {
    const folder = projectOf(racingProject)
    expect((await withStdin(folder, FUNCTION, racing)).code).toBe(1)
    expect((await withStdin(folder, FUNCTION, claimed)).code).toBe(0)
    expect(readFileSync(join(folder, FUNCTION), 'utf8')).toBe(racing)
    // A file that is not saved yet.
    const file = 'supabase/migrations/0002_more.sql'
    expect((await withStdin(folder, file, "select cron.unschedule('post-letters');")).code).toBe(0)
    expect(existsSync(join(folder, file))).toBe(false)
  })

  it('refuses a file outside of the project', async () => {
    expect(await withStdin(projectOf(racingProject), '../x.ts', '')).toMatchObject({ code: 2, stdout: '' })
  })
})
