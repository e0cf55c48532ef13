import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { auditProject } from '../../src/audit.js'
import { folderOf } from '../project/folder.js'
import { isBuilt, tickAudit } from './child.js'

const racing = fileURLToPath(new URL('../../src/fixtures/embedding-drain/racing/supabase', import.meta.url))

function racingProject(files: Readonly<Record<string, string>> = {}): string {
  const folder = folderOf(files)
  cpSync(racing, join(folder, 'supabase'), { recursive: true })
  return folder
}

// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/g

/** Every file below a folder with its bytes. */
function snapshot(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map((entry) => [
      join(entry.parentPath, entry.name),
      readFileSync(join(entry.parentPath, entry.name), 'latin1'),
    ]),
  )
}

const URL_OF = 'https://abcdefghijklmnopqrst.supabase.co/functions/v1'
const job = (name: string, slug: string): string =>
  `select cron.schedule('${name}', '* * * * *', $$select net.http_post(url := '${URL_OF}/${slug}')$$);`

describe.runIf(isBuilt)('in a process in which the network, other processes and writing throw', () => {
  for (const args of [[], ['-f', 'json'], ['-f', 'html'], ['ticks', '--all'], ['rules'], ['explain', 'no-claim']])
    it(`tick-audit ${args.join(' ')} runs as ever`, async () => {
      const folder = racingProject()
      const free = await tickAudit(folder, args)
      const forbidden = await tickAudit(folder, args, ['no-network.mjs'])
      expect(free.stderr).not.toContain('FORBIDDEN')
      expect(forbidden).toEqual(free)
      expect(free.code).toBeLessThanOrEqual(1)
    })

  it('and the stand-ins do throw', async () => {
    const folder = racingProject()
    const { stderr, code } = await tickAudit(folder, ['-f', `json=${join(folder, 'report.json')}`], ['no-network.mjs'])
    expect(stderr).toContain('FORBIDDEN fs.mkdirSync')
    expect(code).toBe(2)
    expect((await tickAudit(folder, ['--staged'], ['no-network.mjs'])).stderr).toContain(
      'FORBIDDEN child_process.execFile',
    )
  })
})

describe.runIf(isBuilt)('what is written', () => {
  it('is nothing in the project', async () => {
    const folder = racingProject()
    const before = snapshot(folder)
    for (const args of [[], ['-f', 'sarif'], ['ticks'], ['-v']]) await tickAudit(folder, args)
    expect(snapshot(folder)).toEqual(before)
  })

  it('is the file that was asked for, and no other', async () => {
    const folder = racingProject()
    const before = Object.keys(snapshot(folder))
    await tickAudit(folder, ['-f', 'json=out/report.json'])
    expect(Object.keys(snapshot(folder)).filter((file) => !before.includes(file))).toEqual([
      join(folder, 'out', 'report.json'),
    ])
  })
})

describe.runIf(isBuilt)('code of the audited project', () => {
  it('is never run: not its functions, configuration files, packages or hooks', async () => {
    const trap = `import { writeFileSync } from 'node:fs'\nwriteFileSync('PWNED-' + Math.random(), '')\n`
    const commonTrap = `require('node:fs').writeFileSync('PWNED-' + Math.random(), '')\n`
    const folder = folderOf({
      'supabase/migrations/1_a.sql': job('send', 'send'),
      'supabase/functions/send/index.ts': `${trap}import './other.ts'\nimport 'chalk'\nDeno.serve(() => fetch('http://localhost'))\n`,
      'supabase/functions/send/other.ts': trap,
      'supabase/functions/send/deno.json': '{"imports": {"chalk": "../../../node_modules/chalk/index.js"}}',
      'tick-audit.js': trap,
      'tick-audit.config.js': trap,
      'tick-audit.config.ts': trap,
      'eslint.config.js': trap,
      '.tick-auditrc.js': commonTrap,
      'package.json':
        '{"type": "module", "scripts": {"preinstall": "touch PWNED"}, "imports": {"#x": "./tick-audit.js"}}',
      'node_modules/chalk/package.json': '{"name": "chalk", "main": "index.js"}',
      'node_modules/chalk/index.js': commonTrap,
      'node_modules/typescript/index.js': commonTrap,
      'node_modules/libpg-query/index.js': commonTrap,
      '.env': 'NODE_OPTIONS=--import ./tick-audit.js',
      'tsconfig.json': '{"compilerOptions": {"plugins": [{"name": "./tick-audit.js"}]}, "extends": "./tick-audit.js"}',
    })
    const { code } = await tickAudit(folder, ['-v'])
    expect(code).toBeLessThanOrEqual(1)
    expect(readdirSync(folder, { recursive: true }).filter((file) => String(file).includes('PWNED'))).toEqual([])
    expect(existsSync(join(folder, 'PWNED'))).toBe(false)
  })
})

describe('what lies outside of the project', () => {
  const outside = { 'secret.sql': job('secret', 'secret'), 'secret.ts': `export const secret = 'SECRET'` }

  it('is not read behind links, be they files or folders', async () => {
    const other = folderOf({ ...outside, 'more/2_b.sql': job('secret', 'secret'), 'fn/index.ts': 'SECRET' })
    const folder = folderOf({
      'supabase/migrations/1_a.sql': job('send', 'send'),
      'supabase/functions/send/index.ts': 'export {}',
    })
    symlinkSync(join(other, 'secret.sql'), join(folder, 'supabase/migrations/2_link.sql'))
    symlinkSync(join(other, 'more'), join(folder, 'supabase/schemas'))
    symlinkSync(join(other, 'fn'), join(folder, 'supabase/functions/secret'))
    const outcome = await auditProject(folder)
    if (outcome.kind !== 'report') throw new Error(outcome.kind)
    expect(outcome.report.ticks.map((tick) => tick.name)).toEqual(['send'])
    expect(outcome.report.diagnostics.filter((each) => each.code === 'link-not-followed')).toHaveLength(3)
    expect(JSON.stringify(outcome.report).toLowerCase()).not.toContain('"secret')
  })

  it('is not read through paths in code, import maps or config.toml', async () => {
    const other = folderOf(outside)
    const folder = folderOf({
      'supabase/migrations/1_a.sql': `${job('send', 'send')}\n${job('named', 'named')}`,
      'supabase/config.toml': `[functions.named]\nentrypoint = "${other}/secret.ts"\n[db.seed]\nsql_paths = ["${other}/secret.sql", "../../../../..${other}/*.sql"]\n`,
      'supabase/functions/send/index.ts': `import { secret } from '${other}/secret.ts'\nimport * as b from '../../../../../..${other}/secret.ts'\nimport * as c from 'mapped'\nDeno.serve(() => fetch('https://' + secret + b.secret + c.secret))\n`,
      'supabase/functions/send/deno.json': `{"imports": {"mapped": "${other}/secret.ts"}}`,
    })
    const outcome = await auditProject(folder)
    if (outcome.kind !== 'report') throw new Error(outcome.kind)
    expect(outcome.report.ticks.map((tick) => tick.name).sort()).toEqual(['named', 'send'])
    expect(JSON.stringify(outcome.report)).not.toContain('SECRET')
    expect(outcome.sources(`${other}/secret.ts`)).toBeNull()
    expect(outcome.sources('../'.repeat(9) + other.slice(1) + '/secret.ts')).toBeNull()
  })
})

describe.runIf(isBuilt)('a terminal', () => {
  it('gets no control character from names or code', async () => {
    const folder = folderOf({
      'supabase/migrations/1_a.sql': `create table t (id int primary key, done bool);\n${job('\u001b[2J\u001b]0;owned\u0007\u202e', 'send')}\nselect \u001b[31m broken '\u009b2J';\n`,
      'supabase/functions/send/index.ts': `import { createClient } from 'npm:@supabase/supabase-js@2'
const db = createClient('', '')
Deno.serve(async () => {
  const { data } = await db.from('t').select('*').eq('done', false) // \u001b[31m
  for (const row of data) { await fetch('https://api.resend.com/emails', { method: 'POST', body: '\u001b[2J' + row.id }) /* \u009b31m \u202e */; await db.from('t').update({ done: true }).eq('id', row.id) }
  return new Response('\u0007')
})`,
    })
    for (const args of [
      ['--color', 'never'],
      ['-v', '--color', 'never'],
      ['-f', 'concise'],
      ['-f', 'github'],
      ['-f', 'markdown'],
      ['ticks', '--all'],
    ]) {
      const { stdout, stderr } = await tickAudit(folder, args)
      expect(stdout, args.join(' ')).toMatch(/./)
      if (args.includes('-v')) expect(stdout).toContain('\u241b')
      expect((stdout + stderr).match(CONTROLS), args.join(' ')).toBeNull()
    }
  })
})
