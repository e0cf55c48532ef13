import { basename, relative, sep } from 'node:path'
import { readCronDump, replay, withDump } from './database/index.js'
import { followFunctions, type Reached } from './follow.js'
import type { Diagnostic, Finding, Report, ReportFunction, ReportTick } from './model/index.js'
import type { AuditOptions } from './options.js'
import { openProject, type Project } from './project/index.js'
import { numbered, siblingsOf, toFinding, type Sibling } from './rules/index.js'
import { scopeOf, type Scope } from './scope.js'
import { selectFindings } from './selection.js'
import { loadParser } from './sql/index.js'
import { coverageOf, summaryOf } from './summary.js'
import { findTicks, type FoundTick } from './ticks/index.js'
import { judgeFunction, type Assumptions, type Judged } from './verdict.js'
import { version } from './package.js'

/** A job that sends no request. */
export type QuietJob = Omit<ReportTick, 'dispatches'>

export type AuditOutcome =
  | {
      readonly kind: 'report'
      readonly report: Report
      readonly faults: readonly Fault[]
      readonly sources: SourceTexts
      /** The SQL and TypeScript files of the project that hold a word. */
      readonly filesWith?: (word: string) => readonly string[]
      /** Findings that were not asked for (`rules`, `minConfidence`, `include`, `exclude`), with their own severity. */
      readonly omitted?: readonly Finding[]
      /** Jobs that only run SQL. */
      readonly quiet?: readonly QuietJob[]
    }
  /** There is no Supabase project, or no SQL in it. */
  | { readonly kind: 'nothing'; readonly message: string }
  | { readonly kind: 'unreadable'; readonly message: string }

/** A fault of tick-audit itself. The rest is reported all the same. */
export interface Fault {
  readonly where: string
  readonly message: string
  readonly stack?: string
}

/** The text of a file by the path that stands in locations, for code frames. */
export type SourceTexts = (file: string) => string | null

/** The whole way: disk → project → SQL → database → ticks → TypeScript → work → rules → report. Never throws for what is on disk. */
export async function auditProject(path: string | null, options: AuditOptions = {}): Promise<AuditOutcome> {
  options.onProgress?.('opening the project')
  const project = await openProject(path, process.cwd(), options.overlay)
  if (project.kind !== 'project')
    return { kind: project.kind === 'path-missing' ? 'unreadable' : 'nothing', message: project.message }
  const faults: Fault[] = []
  options.onProgress?.('reading SQL')
  await loadParser()
  const files = project.sqlFiles.filter((file) => !options.migrationsOnly || file.origin === 'migration')
  const dump = options.cronJobDump && {
    ...options.cronJobDump,
    file: pathOfDump(project.root, options.cronJobDump.file),
  }
  const replayed = replay(files)
  const exported = dump && readCronDump(dump.file, dump.text)
  const database = exported ? withDump(replayed, exported, dump.mode) : replayed
  options.onProgress?.('finding ticks')
  const scope = scopeOf(options.include, options.exclude)
  const found = findTicks(database, project.functions)
  const ticks = found.ticks.filter((tick) => !scope.excludes(tick.location.file))
  const works = await followFunctions(project, database, ticks, faults, options)
  options.onProgress?.('applying rules')
  const assumptions: Assumptions = {
    assumedRows: options.assumedRows ?? 100,
    maxRows: project.config.maxRows,
    maxRunSeconds: options.maxRunSeconds ?? null,
  }
  const judged = new Map<string, Judged>()
  for (const [name, { work, ticks: its }] of works)
    judged.set(
      name,
      contained(`rules on function ${name}`, faults, () => judgeFunction(work, its, assumptions)) ?? UNJUDGED,
    )
  const siblings = siblingsOf([...works.values()].map((each) => each.work))
  const covered = coverFunctions(project, scope)
  const functions = [...works.values()]
    .filter((each) => covered(each.work.name))
    .map((each) => reportFunction(each, judged.get(each.work.name)!))
  const { findings, omitted } = selectFindings(
    sorted(
      numbered(
        sorted([...works.values()].flatMap((each) => findingsOf(each, judged.get(each.work.name)!, siblings, faults))),
      ),
    ),
    options,
    scope,
  )
  const reportTicks = ticks.flatMap((tick) => {
    const dispatches = tick.dispatches.filter((each) => each.function === null || covered(each.function))
    return dispatches.length === 0 ? [] : [reportTick({ ...tick, dispatches })]
  })
  const report: Report = {
    schemaVersion: '1.0',
    tool: { name: 'tick-audit', version: version() },
    summary: summaryOf(findings, functions, 0, 0),
    coverage: coverageOf(files.length, database.statements, reportTicks, functions),
    ticks: reportTicks,
    functions,
    findings,
    suppressed: [],
    diagnostics: byPlace([
      ...project.diagnostics,
      // What the jobs' commands say when they are run is added to these
      ...replayed.diagnostics,
      ...(exported?.diagnostics ?? []),
      ...found.diagnostics,
    ]),
  }
  const sources: SourceTexts = (file) => (file === dump?.file ? dump.text : project.readText(file))
  const quiet = found.quiet.filter((job) => !scope.excludes(job.location.file)).map(headOf)
  return { kind: 'report', report, faults, sources, filesWith: project.filesWith, omitted, quiet }
}

/** Does the report speak of this function? One whose source is not there counts as if it were where its source should be. */
function coverFunctions(project: Project, scope: Scope): (name: string) => boolean {
  const entries = new Map(project.functions.map((each) => [each.name, each.entry]))
  return (name) => scope.covers(entries.get(name) ?? `${basename(project.supabase)}/functions/${name}/index.ts`)
}

/** Like every path of a report: relative to the project where it lies inside, and never absolute. */
function pathOfDump(root: string, file: string): string {
  const near = relative(root, file)
  return near.startsWith('..') || near === '' ? basename(file) : near.split(sep).join('/')
}

function reportFunction(each: Reached, judged: Judged): ReportFunction {
  return {
    name: each.work.name,
    entry: each.entry,
    verdict: judged.verdict,
    claims: judged.claims,
    ticks: [...new Set(each.ticks.map((tick) => tick.name ?? tick.schedule))],
    calledBy: each.calledBy,
    overlap: judged.overlap,
    reasons: judged.reasons,
  }
}

function findingsOf(each: Reached, judged: Judged, siblings: readonly Sibling[], faults: Fault[]): Finding[] {
  return judged.loops.flatMap(({ loop, found, overlap, severity, confidence }) => {
    if (!found) return []
    const sibling = siblings.find((other) => other.table === loop.source.table && other.function !== each.work.name)
    const context = { ticks: each.ticks, overlap, severity, confidence, ...(sibling ? { sibling } : {}) }
    const finding = contained(`rule ${found.rule.meta.id} on function ${each.work.name}`, faults, () =>
      toFinding(loop, found.match, found.rule, context),
    )
    return finding ? [finding] : []
  })
}

/** A fault in one rule or one function is noted; everything else goes on. */
function contained<T>(where: string, faults: Fault[], act: () => T): T | null {
  try {
    return act()
  } catch (error) {
    const fault = error instanceof Error ? error : new Error(String(error))
    faults.push({ where, message: fault.message, ...(fault.stack ? { stack: fault.stack } : {}) })
    return null
  }
}

const UNJUDGED: Judged = {
  verdict: 'unknown',
  claims: [],
  reasons: [{ message: 'a fault of tick-audit itself', location: null }],
  overlap: null,
  loops: [],
}

const headOf = (job: QuietJob): QuietJob => ({
  name: job.name,
  schedule: job.schedule,
  ...(job.words === undefined ? {} : { words: job.words }),
  intervalSeconds: job.intervalSeconds,
  active: job.active,
  ...(job.origin === undefined ? {} : { origin: job.origin }),
  location: job.location,
})

const reportTick = (tick: FoundTick): ReportTick => ({
  ...headOf(tick),
  dispatches: tick.dispatches.map(({ function: name, url, via, location, fanout, assumed, unresolved }) => ({
    function: name,
    url,
    via,
    location,
    fanout,
    ...(assumed === undefined ? {} : { assumed }),
    ...(unresolved === undefined ? {} : { unresolved }),
  })),
})

const sorted = (findings: readonly Finding[]): Finding[] =>
  [...findings].sort(
    (a, b) =>
      compare(a.location.file, b.location.file) ||
      a.location.startLine - b.location.startLine ||
      a.location.startColumn - b.location.startColumn ||
      compare(a.ruleId, b.ruleId),
  )

function byPlace(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      compare(a.location?.file ?? '', b.location?.file ?? '') ||
      (a.location?.startLine ?? 0) - (b.location?.startLine ?? 0) ||
      (a.location?.startColumn ?? 0) - (b.location?.startColumn ?? 0) ||
      compare(a.code, b.code),
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
