import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { render, replay, type SqlFile } from '../../src/database/index.js'
import { fileText, loadParser, splitStatements } from '../../src/sql/index.js'
import { startServer, type Server } from '../claims/server.js'
import { grammarFrom, randomFrom } from './programs.js'

/** What the replay says stands in cron.job is what stands there after the same migrations have run on a real PostgreSQL. */

let server: Server
let client: pg.Client

beforeAll(async () => {
  await loadParser()
  server = await startServer()
  client = await server.connect()
  await client.query('create role anon; create role authenticated; create role service_role')
}, 120_000)

afterAll(async () => {
  await server?.stop()
})

async function freshDatabase(): Promise<void> {
  await client.query('drop schema if exists public, cron, net, vault, pgmq, extensions cascade; create schema public')
  await client.query(readFileSync(new URL('./cron.sql', import.meta.url), 'utf8'))
}

const line = (...parts: readonly unknown[]): string => parts.map(String).join(' | ')

/** Runs every statement by itself: one that fails has no effect, and those after it run all the same. */
async function onServer(files: readonly SqlFile[]): Promise<string[]> {
  for (const file of files) {
    for (const { text } of splitStatements(fileText(file.path, file.text))) {
      // Extensions that a bare server has not are in the stand-ins.
      if (/^create\s+extension/i.test(text)) continue
      await client.query(text).catch(() => {})
    }
  }
  const { rows } = await client.query('select jobname, schedule, command, active from cron.job')
  return rows.map((row) => line(row.jobname ?? '-', row.schedule, row.command, row.active)).sort()
}

const byReplay = (files: readonly SqlFile[]): string[] =>
  replay(files)
    .jobs.map((job) => line(job.name ?? '-', job.schedule, render(job.command), job.active))
    .sort()

describe('the replay and a real server', () => {
  const seed = Number(process.env['TICK_AUDIT_SEED'] ?? 20260101)
  const count = Number(process.env['TICK_AUDIT_PROGRAMS'] ?? 150)

  it(`agree on random migrations (${count} of them, TICK_AUDIT_SEED=${seed})`, async () => {
    const grammar = grammarFrom(randomFrom(seed))
    await freshDatabase()
    for (let index = 0; index < count; index++) {
      await client.query('truncate cron.job restart identity')
      const text = grammar.program()
      const files: SqlFile[] = [{ path: 'supabase/migrations/1_jobs.sql', text, origin: 'migration' }]
      expect(byReplay(files), text).toEqual(await onServer(files))
    }
  }, 120_000)

  it.each(fixtureMigrations())('agree on %s', async (_, files) => {
    await freshDatabase()
    expect(byReplay(files)).toEqual(await onServer(files))
  })
})

/** The migrations of every fixture project. */
function fixtureMigrations(): [string, SqlFile[]][] {
  const root = new URL('../../src/fixtures', import.meta.url).pathname
  const all = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.name.endsWith('.sql'))
  const folders = [
    ...new Set(all.map((entry) => entry.parentPath).filter((folder) => folder.endsWith('migrations'))),
  ].sort()
  return folders.map((folder) => [
    folder.slice(root.length + 1),
    readdirSync(folder)
      .sort()
      .map((name): SqlFile => ({ path: name, text: readFileSync(join(folder, name), 'utf8'), origin: 'migration' })),
  ])
}
