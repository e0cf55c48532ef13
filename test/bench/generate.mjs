import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes a Supabase project of the given size: every migration has a table, a policy and a routine; one function in
 * `tickEvery` has a tick of its own (null: none), picks rows, takes or does not take them, and sends something for each.
 * `helpers`: so many functions more in each file, 0.3 kB each, all of which its loop calls.
 */
export function generate(folder, { migrations, functions, tickEvery = 1, helpers = 0 }) {
  mkdirSync(join(folder, 'supabase/migrations'), { recursive: true })
  mkdirSync(join(folder, 'supabase/functions/_shared'), { recursive: true })
  const write = (path, text) => writeFileSync(join(folder, 'supabase', path), text)
  for (let n = 0; n < migrations; n++) {
    const its = n - (migrations - functions)
    const tick = tickEvery !== null && its >= 0 && its % tickEvery === 0 ? tickOf(its) : ''
    write(`migrations/${String(20250101000000 + n)}_step.sql`, migrationOf(n) + tick)
  }
  write('functions/_shared/client.ts', CLIENT)
  write('functions/_shared/mail.ts', MAIL)
  for (let n = 0; n < functions; n++) {
    mkdirSync(join(folder, `supabase/functions/work-${n}`), { recursive: true })
    write(
      `functions/work-${n}/index.ts`,
      functionOf(
        n,
        Array.from({ length: helpers }, (_, index) => index),
      ),
    )
  }
}

const migrationOf = (n) => `-- Step ${n}
create table if not exists public.items_${n} (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references auth.users (id) on delete cascade,
  status text not null default 'pending' check (status in ('pending', 'processing', 'done', 'failed')),
  attempts integer not null default 0,
  payload jsonb not null default '{}'::jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index if not exists items_${n}_status on public.items_${n} (status, created_at);
alter table public.items_${n} enable row level security;
create policy "own rows ${n}" on public.items_${n} for select using (auth.uid() = owner);
create or replace function public.take_items_${n}(batch integer) returns setof public.items_${n} language plpgsql as $$
begin
  return query
    update public.items_${n} set status = 'processing', updated_at = now()
    where id in (
      select id from public.items_${n} where status = 'pending' order by created_at limit batch for update skip locked
    )
    returning *;
end;
$$;
grant execute on function public.take_items_${n}(integer) to service_role;
insert into public.items_${n} (owner, payload) select id, '{"kind": "welcome"}'::jsonb from auth.users where false;
`

const tickOf = (n) => `
select cron.schedule('work-${n}', '*/${1 + (n % 30)} * * * *', $$
  select net.http_post(
    url := 'https://abcdefghijklmnopqrst.supabase.co/functions/v1/work-${n}',
    headers := '{"Content-Type": "application/json"}'::jsonb,
    body := '{}'::jsonb
  );
$$);
`

const CLIENT = `import { createClient } from 'npm:@supabase/supabase-js@2'
export const db = createClient(Deno.env.get('SUPABASE_URL')!, Deno.env.get('SUPABASE_SERVICE_ROLE_KEY')!)
`

const MAIL = `export async function mail(to: string, subject: string): Promise<boolean> {
  const response = await fetch('https://api.resend.com/emails', {
    method: 'POST',
    headers: { Authorization: \`Bearer \${Deno.env.get('RESEND_API_KEY')}\` },
    body: JSON.stringify({ to, subject }),
  })
  return response.ok
}
`

const functionOf = (n, helpers) => `import { db } from '../_shared/client.ts'
import { mail } from '../_shared/mail.ts'

interface Item { id: string; owner: string; attempts: number; payload: { kind?: string } }

${n % 2 === 0 ? takingByRoutine(n) : takingNothing(n)}

async function finish(item: Item, ok: boolean): Promise<void> {
  const status = ok ? 'done' : item.attempts >= 5 ? 'failed' : 'pending'
  const { error } = await db.from('items_${n}').update({ status, attempts: item.attempts + 1 }).eq('id', item.id)
  if (error) console.error('could not finish', item.id, error.message)
}
${helpers.map(helperOf).join('')}
Deno.serve(async (request) => {
  if (request.method !== 'POST') return new Response('no', { status: 405 })
  const items = await take()
  const results: { id: string; ok: boolean }[] = []
  for (const item of items) {
    try {
${helpers.map((index) => `      score${index}(item, results.length)\n`).join('')}      const subject = item.payload.kind === 'welcome' ? 'Welcome' : \`Item \${item.id}\`
      const ok = await mail(item.owner, subject)
      await finish(item, ok)
      results.push({ id: item.id, ok })
    } catch (error) {
      console.error(error)
      results.push({ id: item.id, ok: false })
    }
  }
  return Response.json({ done: results.filter((each) => each.ok).length, of: results.length })
})
`

const helperOf = (index) => `
function score${index}(item: Item, sent: number): { label: string; weight: number } {
  const kind = item.payload.kind ?? 'unknown'
  if (kind === 'kind-${index}' && item.attempts > ${index % 5}) return { label: \`\${kind}/\${item.owner}\`, weight: sent + ${index} }
  const weight = item.attempts * ${index + 2} - sent
  return { label: weight > 0 ? 'high' : 'low', weight: Math.abs(weight) }
}
`

const takingByRoutine = (n) => `async function take(): Promise<Item[]> {
  const { data, error } = await db.rpc('take_items_${n}', { batch: 20 })
  if (error) throw error
  return data ?? []
}`

const takingNothing = (n) => `async function take(): Promise<Item[]> {
  const { data, error } = await db.from('items_${n}').select('*').eq('status', 'pending').order('created_at').limit(20)
  if (error) throw error
  return data ?? []
}`
