import { columnsOf, leavesPick, showChange, showPredicate } from '../claims/index.js'
import type { EffectSite, Location, Mark, Reason, RowSource, SoundClaim, TraceStep, WorkLoop } from '../model/index.js'
import type { Statement } from '../clients/statement.js'
import { packageOf } from '../effects/index.js'
import { locationOf, placeOf, type Machine } from '../typescript/index.js'
import { attemptsOf, type Story } from './attempts.js'
import type { WorkContext } from './context.js'
import { ownerOf, type BodyRows } from './ownership.js'
import { bodyOfLoop, placeIn, sharedBody, type Body } from './places.js'
import type { EffectEvent, Recorder } from './recorder.js'
import { changeOfRecord, isRecord, keyOfRecord } from './records.js'
import { mentions } from './soundness.js'
import { driverOf, rowSourceOf, sourcesOf, type Driver } from './sources.js'

interface Gathered {
  readonly driver: Driver
  readonly body: Body
  readonly effects: { readonly event: EffectEvent; readonly owner: SoundClaim | null }[]
}

/** Loops over rows with external effects, from what one run of a function recorded. */
export function loopsOf(
  functionName: string,
  recorder: Recorder,
  bodies: BodyRows,
  fanout: Location | null,
  context: WorkContext,
  machine: Machine,
): { loops: WorkLoop[]; unknowns: Reason[] } {
  const groups = new Map<string, Gathered>()
  const unknowns: Reason[] = []
  for (const event of recorder.events) {
    if (event.kind === 'statement' || event.kind === 'handoff') continue
    const driver = driverOf(event, recorder, bodies)
    if (!driver) {
      const reason = event.kind === 'effect' ? lostRows(event) : null
      if (reason && !unknowns.some((known) => known.message === reason.message)) unknowns.push(reason)
      continue
    }
    // A request to who knows where that carries nothing of the row is about something else: a token, a health check.
    if (
      event.kind === 'effect' &&
      event.match.unknownHost &&
      !sourcesOf(event.taints, recorder, true).some((id) => driver.related.has(id))
    )
      continue
    const owner = ownerOf(event, driver, bodies, context, recorder, machine)
    if (event.kind === 'lost') {
      if (!owner && !unknowns.some((reason) => reason.message === event.reason.message)) unknowns.push(event.reason)
      continue
    }
    const body = driver.frame ? bodyOfLoop(driver.frame) : sharedBody(driver.source.site, event.site)
    const place = driver.source.location
    const key = `${place.file}:${place.startLine}:${place.startColumn}|${body.file}:${body.node.pos}`
    const group = groups.get(key) ?? { driver, body, effects: [] }
    group.effects.push({ event, owner })
    groups.set(key, group)
  }
  const loops = [...groups.values()].map((group) =>
    loopOf(functionName, group, recorder, bodies, fanout, context, machine),
  )
  return { loops, unknowns }
}

function loopOf(
  functionName: string,
  group: Gathered,
  recorder: Recorder,
  bodies: BodyRows,
  fanout: Location | null,
  context: WorkContext,
  machine: Machine,
): WorkLoop {
  // The finding is about the first effect that nothing owns; its own driver tells the story.
  const first = group.effects.find((each) => each.owner === null) ?? group.effects[0]!
  const { body } = group
  const driver = driverOf(first.event, recorder, bodies) ?? group.driver
  const source = rowSourceOf(driver, context, recorder, bodies.get(driver.source.id) ?? null, first.event.site)
  const { before, after } = around(first.event, recorder)
  const marks = marksOf(after, driver, source, context, machine)
  const effects = effectSites(group, body, context)
  const story: Story = { driver, source, effect: first.event, body, before, after, marks }
  const attempts = first.owner === null ? attemptsOf(story, context, recorder, machine) : []
  const claims = group.effects.flatMap((each) => (each.owner ? [each.owner] : []))
  const location = driver.frame ? headOf(driver.frame.node, driver.frame.file) : driver.source.location
  const isFanout = fanout !== null && bodies.has(driver.source.id) && driver.frame === null
  // A request for each row, and pg_net waits for none of them.
  const concurrency = isFanout ? 'all' : concurrencyOf(first.event, driver)
  return {
    function: functionName,
    location,
    source,
    effects,
    attempts,
    marks,
    concurrency,
    claims: unique(claims),
    fanout: isFanout ? fanout : null,
    trace: traceOf(source, location, driver, effects, marks, concurrency),
  }
}

/** Packages that read a database in a way that is not followed here. */
const DATABASES =
  /^(kysely|drizzle-orm|@prisma\/client|knex|typeorm|sequelize|@mikro-orm\/|mongodb|mongoose|mysql2?$|@libsql\/client|@planetscale\/database)/

/** An effect for every item of something whose origin was lost: whether those are rows, and taken, is not known. */
function lostRows(event: EffectEvent): Reason | null {
  for (const taints of event.walked)
    for (const taint of taints) {
      const name = taint.startsWith('package:') ? (packageOf(taint.slice('package:'.length)) ?? '') : ''
      if (taint.startsWith('missing:') || DATABASES.test(name))
        return {
          message: taint.startsWith('missing:')
            ? `works on what ${taint.slice('missing:'.length)} gives, and that import is not there`
            : `works on rows that ${name} reads, which is not followed`,
          location: placeOf(event.site),
        }
    }
  return null
}

/** The statements of the same request before the effect and after it. */
function around(event: EffectEvent, recorder: Recorder): { before: Statement[]; after: Statement[] } {
  const at = recorder.events.indexOf(event)
  const same = (statement: Statement): boolean => statement.site.calls[0]?.target === event.site.calls[0]?.target
  const pick = (events: Recorder['events']): Statement[] =>
    events.flatMap((other) => (other.kind === 'statement' && same(other.statement) ? [other.statement] : []))
  const before = pick(recorder.events.slice(0, at)).filter((statement) => event.seen.has(String(statement.id)))
  return { before, after: pick(recorder.events.slice(at + 1)) }
}

function marksOf(
  after: readonly Statement[],
  driver: Driver,
  source: RowSource,
  context: WorkContext,
  machine: Machine,
): Mark[] {
  const marks: Mark[] = []
  for (const statement of after) {
    if (
      !statement.sent ||
      statement.kind === 'select' ||
      statement.table === null ||
      !mentions(statement, driver.related)
    )
      continue
    if (statement.kind === 'call') {
      for (const write of statement.writes)
        marks.push({
          location: statement.location,
          table: write.table,
          kind: write.kind,
          change: write.change,
          leavesPick: write.table === source.table ? leaves(source, write.change) : 'no',
        })
      continue
    }
    // Storing what the work made, over what was there before, records nothing that anyone could ask for.
    if (statement.kind === 'upsert' && statement.onConflict === 'update' && !isRecord(statement, machine)) continue
    const kind = statement.kind === 'upsert' ? 'insert' : statement.kind
    const own = kind !== 'insert' && statement.table === source.table && statement.change !== null
    marks.push({
      location: statement.location,
      table: statement.table,
      kind,
      change: changeOfRecord(statement, driver),
      key: keyOfRecord(statement, context.table(statement.table), machine),
      leavesPick: own ? leaves(source, statement.change!) : 'no',
    })
  }
  return marks
}

function leaves(source: RowSource, change: NonNullable<Mark['change']>): Mark['leavesPick'] {
  if (change.kind === 'delete') return 'yes'
  const queried = columnsOf(source.where)
  const answer = leavesPick(source.where, change)
  if (answer !== 'no') return answer
  // A column by which the code, not the query, chooses rows.
  return change.assignments.some((each) => source.columns.includes(each.column) && !queried.includes(each.column))
    ? 'unproven'
    : 'no'
}

function effectSites(group: Gathered, body: Body, context: WorkContext): EffectSite[] {
  const sites: EffectSite[] = []
  for (const { event, owner } of group.effects) {
    const inner = placeOf(event.site)
    if (sites.some((site) => sameStart(site.inner, inner) && site.match.title === event.match.title)) continue
    const latency = context.effects.latencyOf(event.match)
    sites.push({
      match: event.match,
      location: placeIn(body, event.site),
      inner,
      latency: event.timeoutSeconds === null ? latency : { ...latency, worstSeconds: event.timeoutSeconds },
      ownedBy: owner?.kind ?? null,
    })
  }
  // An unowned run of the same call outweighs an owned one.
  for (const { event, owner } of group.effects) {
    if (owner) continue
    const index = sites.findIndex((site) => sameStart(site.inner, placeOf(event.site)))
    if (index >= 0) sites[index] = { ...sites[index]!, ownedBy: null }
  }
  return sites
}

const sameStart = (a: Location, b: Location): boolean =>
  a.file === b.file && a.startLine === b.startLine && a.startColumn === b.startColumn

/** Rows in flight at once: what runs side by side in the loop and in those around it. */
function concurrencyOf(event: EffectEvent, driver: Driver): number | 'all' {
  let product = 1
  event.site.loops.forEach((frame, index) => {
    if (product === Infinity) return
    const overRows = (event.walked[index]?.size ?? 0) > 0
    if (frame.width === 'all') product = overRows || frame === driver.frame ? Infinity : product
    else product *= frame.width
  })
  return product === Infinity ? 'all' : product
}

/** The first line of a loop: its head. */
function headOf(node: Parameters<typeof locationOf>[0], file: string): Location {
  const whole = locationOf(node, file)
  return whole.endLine === whole.startLine ? whole : { ...whole, endLine: whole.startLine + 1, endColumn: 1 }
}

function traceOf(
  source: RowSource,
  location: Location,
  driver: Driver,
  effects: readonly EffectSite[],
  marks: readonly Mark[],
  concurrency: number | 'all',
): TraceStep[] {
  const steps: TraceStep[] = []
  const rows = source.table ? `rows of ${source.table}` : 'rows'
  const where = source.where ? ` where ${showPredicate(source.where)}` : ''
  const most = source.limit === null ? '' : `up to ${source.limit} `
  if (source.kind === 'select')
    steps.push({
      role: 'pick',
      message: `reads ${most}${rows}${where}; every run may read the same`,
      location: source.location,
    })
  else if (source.kind !== 'body')
    steps.push({ role: 'pick', message: `gets ${most}${rows}${where}`, location: source.location })
  const pace =
    concurrency === 'all'
      ? 'all of them at once'
      : concurrency === 1
        ? 'one after the other'
        : `${concurrency} at a time`
  if (driver.frame) steps.push({ role: 'loop', message: `works through them, ${pace}`, location })
  for (const effect of effects) {
    const inner = !sameStart(effect.location, effect.inner)
    const owned = effect.ownedBy
      ? ` (the row is taken: ${effect.ownedBy})`
      : ', while the row is still free for another run'
    steps.push({ role: 'effect', message: `${effect.match.title}${owned}`, location: effect.location })
    if (inner)
      steps.push({ role: 'effect', message: `${effect.match.title}: the request itself`, location: effect.inner })
  }
  for (const mark of telling(marks, source))
    steps.push({ role: 'mark', message: markMessage(mark), location: mark.location })
  return steps.filter((step, index) => steps.findIndex((other) => sameStep(step, other)) === index)
}

const sameStep = (a: TraceStep, b: TraceStep): boolean =>
  a.role === b.role && a.message === b.message && sameStart(a.location, b.location)

const MOST_MARKS = 4

/** The marks that belong to the story: those of the row; where none moves it, the records of what was done. No audit logs. */
function telling(marks: readonly Mark[], source: RowSource): readonly Mark[] {
  const own = marks.filter((mark) => mark.table === source.table && mark.kind !== 'insert')
  const moves = own.some((mark) => mark.leavesPick !== 'no')
  return (moves ? own : [...own, ...marks.filter((mark) => mark.kind === 'insert')]).slice(0, MOST_MARKS)
}

function markMessage(mark: Mark): string {
  if (mark.kind === 'insert') return `only now a record goes into ${mark.table}`
  const change = mark.change === null ? '' : `: ${showChange(mark.change)}`
  if (mark.leavesPick === 'yes') return `only now the row leaves what is picked${change}`
  return mark.leavesPick === 'no'
    ? `writes the row, which stays among those that are picked${change}`
    : `writes the row${change}`
}

const unique = (claims: readonly SoundClaim[]): SoundClaim[] =>
  claims.filter(
    (claim, index) =>
      claims.findIndex((other) => other.kind === claim.kind && sameStart(other.location, claim.location)) === index,
  )
