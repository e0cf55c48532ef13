import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Shape } from './shapes.js'

/** The project's own fixtures, as they stand, with rows to work on. */

const FIXTURES = fileURLToPath(new URL('../../src/fixtures', import.meta.url))

const from = 'from generate_series(1, $rows) n'

/** One a millisecond, so that the order in which they are picked is no chance. */
const REFERENCE_SEEDS: Readonly<Record<string, string>> = {
  'embedding-drain': `insert into passages (heading, body) select 'row-' || n, 'text' ${from};
    update embedding_jobs set created_at = created_at + id * interval '1 millisecond'`,
  'inbox-reply': `insert into inbox_messages (sender, subject, body, received_at)
    select 'guest-' || n || '@mail.example', 'row-' || n, 'text', now() + n * interval '1 millisecond' ${from}`,
}

const RULE_SEEDS: Readonly<Record<string, string>> = {
  'builder-not-awaited': `insert into avatars (prompt) select 'row-' || n ${from}`,
  'check-then-act': `insert into pets (name, owner_email, vaccination_due)
    select 'row-' || n, 'owner@mail.example', now()::date ${from}`,
  'claim-not-self-falsifying': `insert into episodes (audio_url) select 'https://x.example/row-' || n || '.mp3' ${from}`,
  'claim-subselect-unlocked': `insert into postcards (recipient, motif) select 'row-' || n, 'sea' ${from}`,
  'effect-before-claim': `insert into recipes (text_de) select 'row-' || n ${from}`,
  'in-memory-lock': `insert into tracks (lyrics) select 'row-' || n ${from}`,
  'insert-claim-error-ignored': `insert into subscriptions (customer, cents, renews_on)
    select 'row-' || n, 100, now()::date ${from}`,
  'insert-claim-without-unique': `insert into learners (id, push_token, lesson_at)
    select gen_random_uuid(), 'row-' || n, now() + interval '90 minutes' ${from}`,
  'lock-only-claim': `insert into alarms (chat_id, message) select 1, 'row-' || n ${from}`,
  'no-claim': `insert into trials (email, ends_on) select 'row-' || n || '@mail.example', now()::date + 1 ${from}`,
  'session-lock-over-pool': `insert into payslips (email, html) select 'row-' || n || '@mail.example', 'text' ${from}`,
  'single-flight-not-atomic': `insert into meetings (minutes) select 'row-' || n ${from}`,
  'sql-fanout-unclaimed': `insert into tickets (phone, message) select '+49', 'row-' || n ${from}`,
  'unchecked-claim': `insert into incidents (summary) select 'row-' || n ${from}`,
  'unconditional-claim': `insert into deliveries (phone, eta) select '+49', 'row-' || n ${from}`,
  // Written just now: the function looks ten minutes back.
  'upsert-as-claim': `insert into reviews (body, created_at) select 'row-' || n, now() + interval '55 minutes' ${from}`,
}

const QUIET_SEEDS: Readonly<Record<string, string>> = {
  'claim-in-a-helper': `insert into questions (text) select 'row-' || n ${from}`,
  'claimed-array': `insert into matches (topic, score) select 'row-' || n, '1:0' ${from}`,
  'dispatcher-claims': `insert into stories (text) select 'row-' || n ${from}`,
}

const shape = (path: string, expected: Shape['expected'], seed: string): Shape => ({
  name: path,
  about: '',
  expected,
  folder: join(FIXTURES, path),
  seed,
})

/** The four reference fixtures. */
export const REFERENCE: readonly Shape[] = Object.entries(REFERENCE_SEEDS).flatMap(([name, seed]) => [
  shape(`${name}/racing`, 'race', seed),
  shape(`${name}/claimed`, 'safe', seed),
])

/** The pair of each rule, and those of the quiet ones that work on rows. */
export const SMALL: readonly Shape[] = [
  ...Object.entries(RULE_SEEDS).flatMap(([name, seed]) => [
    shape(`rules/${name}/racing`, 'race', seed),
    shape(`rules/${name}/sound`, 'safe', seed),
  ]),
  ...Object.entries(QUIET_SEEDS).map(([name, seed]) => shape(`quiet/${name}`, 'safe', seed)),
]
