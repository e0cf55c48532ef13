import { describe, expect, it } from 'vitest'
import { PICK, follow, serve } from './harness.js'

const loop = (inside: string, pick = PICK) => `${pick}\nfor (const crate of crates ?? []) {\n${inside}\n}`
const DUE = PICK.replace(`.eq('state', 'waiting')`, `.lte('due_at', new Date().toISOString())`)
const TABLES = `create table letters (crate_id uuid, kind text, text text, depot_id uuid);
create table diary (crate_id uuid, note text);`
const keyed = (key: string) => `${TABLES}\ncreate unique index letters_once on letters (${key});`
const findingOf = async (body: string, sql = TABLES) => (await follow(serve(body), { sql })).findings[0]!

describe('a record that a printed fix writes first', () => {
  it('keeps the conflict that the upsert names', async () => {
    const record = `{ crate_id: crate.id, kind: 'mail', text: crate.label }`
    const { ruleId, fix } = await findingOf(
      loop(`await db.from('letters').upsert(${record}, { onConflict: 'crate_id,kind' })\nawait mail(crate)`),
      keyed('crate_id, kind'),
    )
    expect(ruleId).toBe('upsert-as-claim')
    expect(fix.code).toContain(`{ onConflict: 'crate_id,kind', ignoreDuplicates: true }`)
    expect(fix.code).toContain(`crate_id: crate.id, kind: 'mail', text: crate.label`)
  })

  it('leaves open what comes from another row', async () => {
    const { fix } = await findingOf(
      `const { data: depots } = await db.from('depots').select().eq('open', true)
       for (const depot of depots ?? []) {
         ${loop(`await db.from('letters').upsert({ depot_id: depot.id, crate_id: crate.id }, { onConflict: 'depot_id,crate_id' })\nawait mail(crate)`)}
       }`,
      keyed('depot_id, crate_id'),
    )
    expect(fix.code).toContain('crate_id: crate.id')
    expect(fix.code).toContain('depot_id: undefined /* as it is written now */')
  })

  it('is the one that the code asks for, not another', async () => {
    const asked = `const { data: sent } = await db.from('letters').select('crate_id').eq('crate_id', crate.id).maybeSingle()\nif (sent) continue`
    const { ruleId, fix, trace } = await findingOf(
      loop(
        `${asked}\nawait mail(crate)\nawait db.from('diary').insert({ crate_id: crate.id, note: 'sent' })\nawait db.from('letters').insert({ crate_id: crate.id, kind: 'mail' })`,
        PICK.replace(`.eq('state', 'waiting')`, ''),
      ),
    )
    expect(ruleId).toBe('check-then-act')
    const lineOf = (role: string) => trace.find((step) => step.role === role)!.location.startLine
    expect(lineOf('check')).toBe(lineOf('loop') + 1)
    expect(lineOf('effect')).toBeGreaterThan(lineOf('check'))
    expect(fix.code).toContain(`.from('letters')`)
    expect(fix.code).toContain('add unique (crate_id, kind)')
  })

  it('is told from others by who, what and when, not by what the work made', async () => {
    const record = `{ crate_id: crate.id, kind: crate.kind, text: (await answer.json()).text }`
    const { fix } = await findingOf(
      loop(`const answer = await mail(crate)\nawait db.from('letters').insert(${record})`, DUE),
    )
    expect(fix.code).not.toContain('unique (crate_id, kind, text)')
  })
})

describe('an upsert of what was looked up', () => {
  it('is no claim of the row', async () => {
    const look = `const { data: depot } = await db.from('depots').select().eq('name', 'main').maybeSingle()`
    const { ruleId } = await findingOf(
      `${look}\n${loop(`await db.from('letters').upsert({ depot_id: depot.id, kind: 'seen' }, { onConflict: 'depot_id' })\nawait mail({ ...crate, depot: depot.name })`, DUE)}`,
      keyed('depot_id'),
    )
    expect(ruleId).toBe('no-claim')
  })
})
