import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { generate } from './generate.mjs'
import { measure } from './measure.mjs'
import { printGoals, printGrowth, printParts, printTimes, printTools } from './table.mjs'
import { areInstalled, findTools, install } from './tools.mjs'

const USAGE = `npm run bench [-- [--compare | --alone] [--repeats N] [FOLDER …]]

How long tick-audit takes: against the floor (reading every file, parsing it once), against half the size, and against
what a user has today on the same files. Read the ratios: they hold on a busy machine, the milliseconds do not.

  FOLDER …     Supabase projects to measure; without one, generated projects
  --compare    install the other tools first (npm ci in test/bench, some 140 MB); installed once, they are always measured
  --alone      without them, though they are installed
  --repeats N  how often each program runs, in turns with the others; the fastest counts (default 3)`

/** The last is as public projects of its size are: files of 10 kB, and one function in seventeen with a tick. */
const SIZES = [
  ['no tick', { migrations: 300, functions: 100, tickEvery: null }],
  ['1×', { migrations: 300, functions: 100 }],
  ['2×', { migrations: 600, functions: 200 }],
  ['4×', { migrations: 1200, functions: 400 }],
  ['1,500 + 400', { migrations: 1500, functions: 400 }],
  ['as in life', { migrations: 372, functions: 357, tickEvery: 17, helpers: 22 }],
]

function generated(into) {
  return SIZES.map(([name, size]) => {
    const folder = join(into, name.replace(/\W/g, '-'))
    generate(folder, size)
    return [name, folder]
  })
}

/** A project may be named by its supabase folder, as on tick-audit's own command line. */
const projectAt = (folder) => (basename(folder) === 'supabase' ? dirname(folder) : folder)

function main({ values, positionals: folders }) {
  if (values.help) return console.log(USAGE)
  if (values.compare && !areInstalled() && !install()) console.log('The other tools could not be installed.\n')
  const tools = areInstalled() && !values.alone ? findTools() : []
  const made = mkdtempSync(join(tmpdir(), 'tick-audit-bench-'))
  try {
    const projects =
      folders.length > 0 ? folders.map((folder) => [folder, projectAt(resolve(folder))]) : generated(made)
    const repeats = Number(values.repeats)
    const usable = tools.filter((tool) => !tool.missing)
    const all = measure(projects, usable, repeats)
    const cpu = `${cpus()[0]?.model}, ${cpus().length} CPUs`
    console.log(`node ${process.version}, ${cpu}; the fastest of ${repeats}, in turns\n`)
    printTimes(all)
    printParts(all)
    if (tools.length > 0) printTools(all, tools)
    else if (!values.alone) console.log('\nThe other tools are not installed: npm run bench -- --compare')
    printGoals(all)
    if (folders.length === 0) printGrowth(...all.slice(1, 4))
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

const options = {
  compare: { type: 'boolean' },
  alone: { type: 'boolean' },
  repeats: { type: 'string', default: '3' },
  help: { type: 'boolean', short: 'h' },
}
main(parseArgs({ options, allowPositionals: true }))
