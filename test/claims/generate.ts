/** A small random generator with a seed (mulberry32), so that a failure can be run again. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const CONDITIONS = [
  "status = 'pending'",
  "status = 'pending'",
  "status in ('pending', 'failed')",
  "status in ('pending', 'processing')",
  "status = any(array['pending', 'failed'])",
  "status <> 'sent'",
  "status <> 'processing'",
  "status is distinct from 'processing'",
  "not (status = 'processing')",
  "status not in ('processing', 'sent')",
  'locked_at is null',
  "locked_at < now() - interval '5 minutes'",
  "(locked_at is null or locked_at < now() - interval '5 minutes')",
  "now() - locked_at > interval '5 minutes'",
  "locked_at + interval '5 minutes' < now()",
  "coalesce(locked_at, '-infinity') < now() - make_interval(mins => 5)",
  "(status = 'pending' or (status = 'processing' and locked_at < now() - interval '5 minutes'))",
  'locked_by is null',
  "locked_by is distinct from 'me'",
  'sent_at is null',
  'due_at <= now()',
  'due_at < now()',
  "due_at between now() - interval '1 hour' and now()",
  'attempts = 0',
  'attempts < 3',
  'attempts in (0, 1)',
  'coalesce(attempts, 0) < 3',
  '(attempts = 0 or attempts = 5)',
  'done = false',
  'not done',
  'done is not true',
  'version = 1',
]

const ASSIGNMENTS = [
  "status = 'processing'",
  "status = 'processing'",
  "status = 'sent'",
  "status = 'pending'",
  "status = case when attempts >= 2 then 'dead' else 'processing' end",
  'locked_at = now()',
  "locked_at = now() + interval '10 minutes'",
  'locked_at = null',
  "locked_by = 'me'",
  'locked_by = gen_random_uuid()::text',
  'sent_at = now()',
  "due_at = due_at + interval '1 day'",
  "due_at = now() + interval '1 hour'",
  'due_at = now()',
  'attempts = attempts + 1',
  'attempts = coalesce(attempts, 0) + 1',
  'done = true',
  'version = version + 1',
]

const LOCKS = [
  '',
  '',
  'for update',
  'for update skip locked',
  'for update skip locked',
  'for no key update',
  'for share',
]

/** A random claim over the tables of the arena. Every statement gives back the key of what it took. */
export function generateClaim(random: () => number): string {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const state = (): string => {
    const first = pick(CONDITIONS)
    const chance = random()
    return chance < 0.6
      ? first
      : chance < 0.85
        ? `${first} and ${pick(CONDITIONS)}`
        : `(${first} or ${pick(CONDITIONS)})`
  }
  const set = (): string => {
    const first = pick(ASSIGNMENTS)
    const second = pick(ASSIGNMENTS)
    const apart = first.split(' ')[0] !== second.split(' ')[0]
    return random() < 0.5 && apart ? `${first}, ${second}` : first
  }
  const found = (): string => {
    const order = pick(['', 'order by id', 'order by due_at, id'])
    return `select id from j where ${state()} ${order} ${pick(['', 'limit 3', 'limit 8'])} ${pick(LOCKS)}`
  }
  const again =
    random() < 0.25 ? ` and t.${pick(["status = 'pending'", 'locked_at is null', 'attempts < 3', 'done = false'])}` : ''
  switch (Math.floor(random() * 12)) {
    case 0:
    case 1:
    case 2:
      return `update j set ${set()} where ${state()} returning id`
    case 3:
      return `update j set ${set()} where id = ${1 + Math.floor(random() * 8)} and ${state()} returning id`
    case 4:
      return `update j t set ${set()} where t.id in (${found()})${again} returning t.id`
    case 5:
      return `update j t set ${set()} where t.id = any(array(${found()}))${again} returning t.id`
    case 6:
      return `with c as (${found()}) update j t set ${set()} from c where t.id = c.id${again} returning t.id`
    case 7:
      return `update j t set ${set()} from (${found()}) c where c.id = t.id${again} returning t.id`
    case 8:
      return `with c as (update j set ${set()} where ${state()} returning *) select c.id from c`
    case 9:
      return random() < 0.5
        ? `delete from j where id in (${found()}) returning id`
        : `delete from j where ${state()} returning id`
    case 10:
      return upsert(pick, random)
    default:
      return `merge into j using (values (1), (2), (3), (4)) v(key) on j.id = v.key
        when matched and ${state()} then update set ${set()} returning j.id`
  }
}

function upsert(pick: <T>(items: readonly T[]) => T, random: () => number): string {
  const name = pick(['old', 'held', 'new'])
  if (random() < 0.3) return `insert into l (name) values ('${name}') on conflict (name) do nothing returning name`
  const until = pick(["now() + interval '5 minutes'", 'now()'])
  const where = pick([
    '',
    'where l.locked_until < now()',
    "where l.locked_until < now() - interval '5 minutes'",
    'where l.n < 1',
  ])
  const update = pick([
    'locked_until = excluded.locked_until',
    'n = l.n + 1',
    'locked_until = excluded.locked_until, n = l.n + 1',
  ])
  return `insert into l (name, locked_until, n) values ('${name}', ${until}, 0)
    on conflict (name) do update set ${update} ${where} returning name`
}
