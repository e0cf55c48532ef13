import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const fileHere = (path) => fileURLToPath(new URL(path, import.meta.url))
const child = (name, folder) => [process.execPath, fileHere('children.mjs'), name, folder]
const audit = (folder) => [
  process.execPath,
  fileHere('../../bin/tick-audit.js'),
  folder,
  '-f',
  'json',
  '--fail-on',
  'none',
]

const PEAK = new URL('../strength/peak.mjs', import.meta.url).href

/** One whole process. Linters end with 1 where they find something: any code of theirs will do, a signal will not. */
export function run([command, ...args], cwd) {
  const started = performance.now()
  const { stdout, stderr, error, signal, status } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  if (error ?? signal) throw error ?? new Error(`${command} ended by ${signal}`)
  return { ms: performance.now() - started, stdout, stderr, status }
}

/**
 * What stands for a project's times: all programs run on it in turns, and the fastest run of each counts, so that a busy
 * moment counts little. The tools are those of tools.mjs; one that does not run stands with its reason and no time.
 */
export function measure(projects, tools, repeats) {
  const measured = projects.map(([name, folder]) => ({ name, folder, times: {}, failed: {} }))
  for (let n = 0; n < repeats; n++)
    for (const { folder, times, failed } of measured) {
      const took = (key, ms) => (times[key] = Math.min(times[key] ?? Infinity, ms))
      took('node', run([process.execPath, '-e', '0']).ms)
      took('read', run(child('read', folder)).ms)
      took('floor', run(child('floor', folder)).ms)
      took('cold', run(audit(folder)).ms)
      took('warm', JSON.parse(run(child('library', folder)).stdout).warm)
      for (const tool of tools) {
        if (failed[tool.name]) continue
        const { ms, stdout, stderr, status } = run(tool.command(folder), folder)
        if (tool.ended(status, stdout + stderr)) took(tool.name, ms)
        else failed[tool.name] = `exit code ${status}: ${(stderr || stdout).trim().split('\n')[0]}`
      }
    }
  return measured.map((each) => ({ ...each, ...partsAndPeak(each.folder, each.times.node) }))
}

/** One more run, with its parts and its peak told. */
function partsAndPeak(folder, node) {
  const [command, ...args] = audit(folder)
  const { ms, stdout, stderr } = run([command, '--import', PEAK, ...args, '--debug', 'timings'])
  const { coverage, functions } = JSON.parse(stdout)
  const { 'in all': inAll, ...told } = partsOf(stderr)
  const parts = { 'node itself': node, 'imports, and the end': Math.max(0, ms - node - inAll), ...told }
  const peak = Number(/PEAK (\d+)/.exec(stderr)?.[1] ?? 0) / 1024
  return { parts, peak, sql: coverage.sqlFiles, functions: functions.length }
}

/** The lines of `--debug timings`, with the functions that are followed as one. */
function partsOf(text) {
  const parts = {}
  for (const [, ms, name] of text.matchAll(/^ *(\d+) ms {2}(.+)$/gm)) {
    const part = name.startsWith('following ') ? 'TypeScript: functions' : (NAMES[name] ?? name)
    parts[part] = (parts[part] ?? 0) + Number(ms)
  }
  return parts
}

const NAMES = {
  loading: 'imports of the audit',
  'reading SQL': 'SQL',
  'finding ticks': 'ticks',
  'loading TypeScript': 'TypeScript: imports',
  'applying rules': 'rules',
  json: 'report',
}
