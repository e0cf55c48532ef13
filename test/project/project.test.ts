import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LARGEST_FILE_BYTES } from '../../src/project/disk.js'
import { openProject, type Project } from '../../src/project/index.js'
import { folderOf } from './folder.js'

async function open(root: string): Promise<Project> {
  const project = await openProject(root)
  if (project.kind !== 'project') throw new Error(project.message)
  return project
}

const MIGRATION = 'supabase/migrations/20260101000000_one.sql'

describe('finding the project', () => {
  it('takes the folder that holds supabase/, and supabase/ itself', async () => {
    const root = folderOf({ [MIGRATION]: 'select 1' })
    for (const path of [root, join(root, 'supabase')]) {
      expect(await openProject(path)).toMatchObject({ kind: 'project', root, supabase: join(root, 'supabase') })
    }
  })

  it('looks upwards from the working directory, and only then', async () => {
    const root = folderOf({ [MIGRATION]: 'select 1', 'app/src/x.ts': '' })
    expect(await openProject(null, join(root, 'app/src'))).toMatchObject({ kind: 'project', root })
    expect(await openProject(null, join(root, 'supabase/migrations'))).toMatchObject({ kind: 'project', root })
    expect((await openProject(join(root, 'app/src'))).kind).toBe('no-project')
  })

  it('passes by a folder that only bears the name', async () => {
    const root = folderOf({ [MIGRATION]: 'select 1', 'lib/supabase/client.ts': '' })
    expect(await openProject(null, join(root, 'lib/supabase'))).toMatchObject({ root })
    expect(await openProject(join(root, 'lib'))).toMatchObject({ kind: 'no-sql' })
  })

  it('takes the inner folder of a repository that is itself named supabase', async () => {
    const root = folderOf({ [`supabase/${MIGRATION}`]: 'select 1' })
    expect(await openProject(join(root, 'supabase'))).toMatchObject({ supabase: join(root, 'supabase/supabase') })
  })

  it('says what was looked for', async () => {
    const root = folderOf({ [`apps/web/${MIGRATION}`]: 'select 1', 'lib/supabase/config.toml': '', file: '' })
    expect(await openProject(join(root, 'nowhere'))).toMatchObject({ kind: 'path-missing' })
    expect(await openProject(join(root, 'file'))).toMatchObject({ kind: 'path-missing' })
    const none = await openProject(root)
    expect(none).toMatchObject({ kind: 'no-project', message: expect.stringContaining('apps/web/supabase') })
    expect(await openProject(join(root, 'lib'))).toMatchObject({
      kind: 'no-sql',
      message: expect.stringContaining('No SQL'),
    })
  })
})

describe('SQL files', () => {
  it('stand in the order in which they run', async () => {
    const root = folderOf({
      'supabase/migrations/20260102000000_b.sql': 'b',
      'supabase/migrations/20260101000000_a.sql': 'a',
      'supabase/migrations/0002_early.sql': 'early',
      'supabase/seed.sql': 'seed',
      'supabase/schemas/tables.sql': 's2',
      'supabase/schemas/nested/functions.sql': 's1',
      'supabase/cron-jobs.sql': 'o1',
      'supabase/snippets/x.sql': 'o2',
      'supabase/functions/node_modules/p/x.sql': 'no',
      'supabase/.temp/x.sql': 'no',
    })
    const project = await open(root)
    expect(project.sqlFiles.map((file) => [file.origin, file.path.slice(9), file.text])).toEqual([
      ['migration', 'migrations/0002_early.sql', 'early'],
      ['migration', 'migrations/20260101000000_a.sql', 'a'],
      ['migration', 'migrations/20260102000000_b.sql', 'b'],
      ['seed', 'seed.sql', 'seed'],
      ['schema', 'schemas/nested/functions.sql', 's1'],
      ['schema', 'schemas/tables.sql', 's2'],
      ['other', 'cron-jobs.sql', 'o1'],
      ['other', 'snippets/x.sql', 'o2'],
    ])
    expect(project.diagnostics).toEqual([])
  })

  it('are skipped, with a word, where the Supabase CLI skips them', async () => {
    const root = folderOf({
      'supabase/migrations/20211208000000_init.sql': 'old',
      'supabase/migrations/20260101000000_a.sql': 'a',
      'supabase/migrations/20260101000000_twin.sql': 'twin',
      'supabase/migrations/create_jobs.sql': 'no version',
      'supabase/migrations/old/20260101000000_x.sql': 'nested',
      'supabase/migrations/README.md': '',
    })
    const project = await open(root)
    expect(project.sqlFiles.map((file) => file.text)).toEqual(['a', 'twin'])
    expect(project.diagnostics.map((d) => [d.code, d.location?.file])).toEqual([
      ['migration-skipped', 'supabase/migrations/20211208000000_init.sql'],
      ['duplicate-migration-version', 'supabase/migrations/20260101000000_twin.sql'],
      ['migration-skipped', 'supabase/migrations/create_jobs.sql'],
      ['migration-skipped', 'supabase/migrations/old'],
    ])
  })

  it('an init that is new, or not the first, is a migration like any other', async () => {
    const root = folderOf({
      'supabase/migrations/20190101000000_first.sql': '1',
      'supabase/migrations/20200101000000_init.sql': '2',
    })
    expect((await open(root)).sqlFiles.map((file) => file.text)).toEqual(['1', '2'])
    expect((await open(folderOf({ 'supabase/migrations/20211209000000_init.sql': 'new' }))).sqlFiles).toHaveLength(1)
  })

  it('that are archives, backups, rollbacks or tests are set aside', async () => {
    const aside = [
      'migrations_backup/20260101000000_x.sql',
      'archive/x.sql',
      'rollback/x.sql',
      'tests/a.test.sql',
      'x.down.sql',
      'rollback_jobs.sql',
      'jobs_backup.sql',
      'backup_20260101.sql',
    ]
    const kept = ['schedule_backup_job.sql', 'slow_down_jobs.sql', 'manual/latest.sql']
    const root = folderOf(Object.fromEntries([...aside, ...kept].map((path) => [`supabase/${path}`, path])))
    const project = await open(root)
    expect(project.sqlFiles.map((file) => file.text).sort()).toEqual([...kept].sort())
    expect(project.diagnostics).toHaveLength(aside.length)
    expect(new Set(project.diagnostics.map((d) => d.code))).toEqual(new Set(['sql-set-aside']))
  })

  it('follow config.toml for seeds and schemas', async () => {
    const root = folderOf({
      'supabase/config.toml':
        '[db.seed]\nsql_paths = ["./seeds/b*.sql", "seeds/*.sql", "gone.sql"]\n[db.migrations]\nschema_paths = ["./schemas/z.sql", "./schemas/**/*.sql"]',
      'supabase/seeds/a.sql': 'a',
      'supabase/seeds/b.sql': 'b',
      'supabase/schemas/deep/a.sql': 'deep',
      'supabase/schemas/z.sql': 'z',
      'supabase/seed.sql': 'plain',
    })
    const project = await open(root)
    expect(project.sqlFiles.map((file) => [file.origin, file.text])).toEqual([
      ['seed', 'b'],
      ['seed', 'a'],
      ['schema', 'z'],
      ['schema', 'deep'],
      ['other', 'plain'],
    ])
    expect(project.diagnostics.map((d) => d.code)).toEqual(['seed-missing'])
  })

  it('are text: a binary file is a diagnostic, marks and UTF-16 are decoded', async () => {
    const root = folderOf({
      'supabase/migrations/1_binary.sql': Buffer.from([0x50, 0x4b, 0, 1]),
      'supabase/migrations/2_mark.sql': '\uFEFFselect 2',
      'supabase/migrations/3_wide.sql': Buffer.from('\uFEFFselect 3', 'utf16le'),
      'supabase/migrations/4_broken.sql': Buffer.from([0x73, 0xff, 0xfe]),
    })
    const project = await open(root)
    expect(project.sqlFiles.map((file) => file.text)).toEqual(['select 2', 'select 3', 's\uFFFD\uFFFD'])
    expect(project.diagnostics).toMatchObject([
      { code: 'file-binary', location: { file: 'supabase/migrations/1_binary.sql' } },
    ])
  })

  it('of a size that no dump has are a diagnostic', async () => {
    const root = folderOf({ [MIGRATION]: 'select 1', 'supabase/migrations/2_data.sql': '' })
    truncateSync(join(root, 'supabase/migrations/2_data.sql'), LARGEST_FILE_BYTES + 1)
    const project = await open(root)
    expect(project.sqlFiles).toHaveLength(1)
    expect(project.diagnostics).toMatchObject([{ code: 'file-too-large' }])
  })

  it('links that leave the project, circles and pipes are left alone', async () => {
    const outside = folderOf({ 'secret.sql': 'secret', 'folder/x.sql': 'secret' })
    const root = folderOf({ [MIGRATION]: 'select 1', 'db/20260102000000_two.sql': 'two' })
    const at = (path: string) => join(root, 'supabase', path)
    symlinkSync(join(outside, 'secret.sql'), at('migrations/20260103000000_out.sql'))
    symlinkSync(join(outside, 'folder'), at('manual'))
    symlinkSync('../../db/20260102000000_two.sql', at('migrations/20260102000000_two.sql'))
    symlinkSync('.', at('circle'))
    mkdirSync(at('a'))
    symlinkSync('..', at('a/up'))
    execFileSync('mkfifo', [at('pipe.sql')])
    const project = await open(root)
    expect(project.sqlFiles.map((file) => file.text)).toEqual(['select 1', 'two'])
    expect(project.diagnostics.map((d) => d.location?.file)).toEqual([
      'supabase/manual',
      'supabase/migrations/20260103000000_out.sql',
    ])
    expect(project.readText('supabase/migrations/20260103000000_out.sql')).toBeNull()
    expect(project.readText('../../etc/passwd')).toBeNull()
  })

  it('a linked supabase folder is the project', async () => {
    const real = folderOf({ 'migrations/1_a.sql': 'a' })
    const root = folderOf({ 'package.json': '{}' })
    symlinkSync(real, join(root, 'supabase'))
    expect((await open(root)).sqlFiles).toMatchObject([{ path: 'supabase/migrations/1_a.sql' }])
  })
})

describe('config.toml', () => {
  it('has the defaults of the CLI', async () => {
    const { config } = await open(folderOf({ [MIGRATION]: '' }))
    expect(config).toMatchObject({ maxRows: 1000, poolMode: 'transaction', seedEnabled: true, seedPaths: null })
  })

  it('is read', async () => {
    const text = '[api]\nmax_rows = 50\n[db.pooler]\npool_mode = "session"\n[db.seed]\nenabled = false'
    const project = await open(folderOf({ [MIGRATION]: '', 'supabase/seed.sql': '', 'supabase/config.toml': text }))
    expect(project.config).toMatchObject({ maxRows: 50, poolMode: 'session', seedEnabled: false })
    expect(project.sqlFiles.map((file) => file.origin)).toEqual(['migration', 'other'])
  })

  it('is a diagnostic with a line where it does not parse', async () => {
    const project = await open(folderOf({ [MIGRATION]: '', 'supabase/config.toml': '[api]\nmax_rows = = 3\n' }))
    expect(project.config.maxRows).toBe(1000)
    expect(project.diagnostics).toMatchObject([
      { code: 'config-invalid', location: { file: 'supabase/config.toml', startLine: 2 } },
    ])
  })

  it('survives values of the wrong kind', async () => {
    const text = 'api = 3\nfunctions = [1]\n[db]\nseed = "x"\nmigrations = { schema_paths = 4 }'
    const project = await open(folderOf({ [MIGRATION]: '', 'supabase/config.toml': text }))
    expect(project.config).toMatchObject({ maxRows: 1000, schemaPaths: null })
  })
})

describe('functions', () => {
  it('are folders with an entry and tables of config.toml', async () => {
    const root = folderOf({
      [MIGRATION]: '',
      'supabase/config.toml': [
        '[functions.nightly]',
        'entrypoint = "./functions/exports/run.ts"',
        'import_map = "./functions/exports/map.json"',
        '[functions."off"]',
        'enabled = false',
        '[functions.gone]',
        'verify_jwt = true',
        '[functions._never]',
        'enabled = true',
      ].join('\n'),
      'supabase/functions/exports/run.ts': '',
      'supabase/functions/exports/map.json': '{}',
      'supabase/functions/off/index.ts': '',
      'supabase/functions/plain/index.ts': '',
      'supabase/functions/plain/deno.json': '{}',
      'supabase/functions/plain/import_map.json': '{}',
      'supabase/functions/script/index.js': '',
      'supabase/functions/_shared/index.ts': '',
      'supabase/functions/1st/index.ts': '',
      'supabase/functions/empty/readme.md': '',
      'supabase/functions/import_map.json': '{}',
    })
    const shared = 'supabase/functions/import_map.json'
    expect((await open(root)).functions).toMatchObject([
      { name: 'gone', entry: null, enabled: true, configLocation: { startLine: 6 } },
      {
        name: 'nightly',
        entry: 'supabase/functions/exports/run.ts',
        importMap: 'supabase/functions/exports/map.json',
        configLocation: { file: 'supabase/config.toml', startLine: 1, startColumn: 1, endColumn: 20 },
      },
      { name: 'off', entry: 'supabase/functions/off/index.ts', enabled: false, importMap: shared },
      { name: 'plain', entry: 'supabase/functions/plain/index.ts', importMap: 'supabase/functions/plain/deno.json' },
      { name: 'script', entry: 'supabase/functions/script/index.js', importMap: shared },
    ])
  })
})
