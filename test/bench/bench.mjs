// npm run bench [FOLDER …]: how long tick-audit takes, against the floor and against half the size. Read the ratios: they
// hold on a busy machine, the milliseconds do not. Needs a build (npm run build).
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generate } from './generate.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const self = fileURLToPath(import.meta.url)
const REPEATS = 3

/** What a process of its own does: `floor`, `read`, `library`. */
const children = {
  /** Reads every file. */
  read: (folder) => void textsOf(folder),
  /** Reads every file and parses each once: PostgreSQL's grammar for SQL, TypeScript's for the functions. */
  async floor(folder) {
    const texts = textsOf(folder)
    const { loadModule, parseSync } = await import('libpg-query')
    await loadModule()
    for (const [file, text] of texts)
      if (file.endsWith('.sql'))
        try {
          parseSync(text)
        } catch {
          // What does not parse has been looked at
        }
    const code = texts.filter(([file]) => /[/\\]functions[/\\].*\.[cm]?[jt]sx?$/.test(file))
    if (code.length === 0 || !texts.some(([, text]) => text.includes('cron.schedule'))) return
    const { ts } = await import('ts-morph')
    for (const [file, text] of code) ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  },
  /** Calls the library, in one process: the first call, then warm ones. */
  async library(folder) {
    const { auditProject } = await import(new URL('../../dist/audit.js', import.meta.url))
    const times = []
    for (let n = 0; n < 3; n++) {
      const started = performance.now()
      await auditProject(folder)
      times.push(performance.now() - started)
    }
    console.log(JSON.stringify({ warm: Math.min(...times.slice(1)) }))
  },
}

function textsOf(folder) {
  const files = readdirSync(join(folder, 'supabase'), { recursive: true, withFileTypes: true })
  return files
    .filter((entry) => entry.isFile() && /\.(sql|toml|json|[cm]?[jt]sx?)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('node_modules'))
    .map((file) => [file, readFileSync(file, 'utf8')])
}

const PEAK = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from 'node:fs'
process.on('exit', () => writeSync(2, '\\nPEAK ' + process.resourceUsage().maxRSS + '\\n'))`,
)}`

function run(args) {
  const started = performance.now()
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28 })
  const peak = Number(/PEAK (\d+)/.exec(stderr)?.[1] ?? 0) / 1024
  return { ms: performance.now() - started, stdout, stderr, peak }
}

/** What stands for a project's times: all of them run in turns, and the fastest run counts, so that a busy moment counts little. */
function measure(projects) {
  const measured = projects.map(([name, folder]) => ({
    name,
    node: [],
    read: [],
    floor: [],
    cold: [],
    warm: [],
    folder,
  }))
  const audit = (folder) => [join(root, 'bin/tick-audit.js'), folder, '-f', 'json', '--fail-on', 'none']
  for (let n = 0; n < REPEATS; n++)
    for (const each of measured) {
      each.node.push(run(['-e', '0']).ms)
      each.read.push(run([self, '--child', 'read', each.folder]).ms)
      each.floor.push(run([self, '--child', 'floor', each.folder]).ms)
      each.cold.push(run(audit(each.folder)).ms)
      each.warm.push(JSON.parse(run([self, '--child', 'library', each.folder]).stdout).warm)
    }
  return measured.map(({ name, folder, ...lists }) => {
    const { peak, stdout, stderr } = run(['--import', PEAK, ...audit(folder), '--debug', 'timings'])
    const { coverage, functions } = JSON.parse(stdout)
    const fastest = Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, Math.min(...list)]))
    return { name, ...fastest, peak, parts: partsOf(stderr), sql: coverage.sqlFiles, functions: functions.length }
  })
}

/** The lines of `--debug timings`, with the functions that are followed as one. */
function partsOf(text) {
  const parts = {}
  for (const [, ms, name] of text.matchAll(/^ *(\d+) ms {2}(.+)$/gm)) {
    const part = name.startsWith('following ') ? 'functions' : name
    parts[part] = (parts[part] ?? 0) + Number(ms)
  }
  return parts
}

function print(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)))
  rows.forEach((row, index) => {
    console.log(`| ${row.map((cell, column) => String(cell).padEnd(widths[column])).join(' | ')} |`)
    if (index === 0) console.log(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`)
  })
}

const ms = (value) => `${Math.round(value)} ms`
const times = (value) => `${value.toFixed(2)}×`

function main(folders) {
  const made = mkdtempSync(join(tmpdir(), 'tick-audit-bench-'))
  try {
    const project = (name, size) => {
      const folder = join(made, name.replace(/\W/g, '-'))
      generate(folder, size)
      return [name, folder]
    }
    const wanted =
      folders.length > 0
        ? folders.map((folder) => [folder, folder])
        : [
            project('no tick', { migrations: 300, functions: 100, ticks: false }),
            project('1×', { migrations: 300, functions: 100 }),
            project('2×', { migrations: 600, functions: 200 }),
            project('4×', { migrations: 1200, functions: 400 }),
          ]
    const all = measure(wanted)
    console.log(
      `node ${process.version}, ${cpus()[0]?.model}, ${cpus().length} CPUs; the fastest of ${REPEATS}, in turns\n`,
    )
    print([
      ['project', 'SQL', 'functions', 'node', '+ read', 'floor', 'cold', 'cold / floor', 'warm', 'peak'],
      ...all.map((each) => [
        each.name,
        each.sql,
        each.functions,
        ms(each.node),
        ms(each.read),
        ms(each.floor),
        ms(each.cold),
        times(each.cold / each.floor),
        ms(each.warm),
        `${Math.round(each.peak)} MB`,
      ]),
    ])
    const parts = [...new Set(all.flatMap((each) => Object.keys(each.parts)))].filter((part) => part !== 'in all')
    console.log('\nParts of one cold run')
    print([
      ['part', ...all.map((each) => each.name)],
      ...parts.map((part) => [part, ...all.map((each) => ms(each.parts[part] ?? 0))]),
    ])
    if (folders.length > 0) return
    const [, one, two, four] = all
    console.log('\nGrowth: twice the project takes (2.00× is linear, what is constant taken off)')
    print([
      ['', '1× → 2×', '2× → 4×'],
      [
        'cold - node',
        times((two.cold - two.node) / (one.cold - one.node)),
        times((four.cold - four.node) / (two.cold - two.node)),
      ],
      ['warm', times(two.warm / one.warm), times(four.warm / two.warm)],
      ['peak', times(two.peak / one.peak), times(four.peak / two.peak)],
    ])
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

const [, , first, child, folder] = process.argv
if (first === '--child') await children[child](folder)
else main(process.argv.slice(2))
