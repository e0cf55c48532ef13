-- The smallest stand-ins for what a Supabase project has and a bare PostgreSQL has not.
-- None of them decides who gets a row: they hold no lock that the real thing does not hold.

create schema extensions;
create schema clock;
create schema cron;
create schema net;
create schema vault;
create schema pgmq;
create schema pgmq_public;

-- The clock of the test. Schema clock stands before pg_catalog in the search path, so that a plain now() is this one.
-- Left out: current_timestamp, and functions that set their own search path, which see the machine's clock.
create function clock.now() returns timestamptz language sql stable as $$
  select coalesce(nullif(current_setting('clock.now', true), '')::timestamptz, pg_catalog.now())
$$;
create function clock.clock_timestamp() returns timestamptz language sql stable as $$ select clock.now() $$;

-- pg_cron. Left out: running anything (the harness runs a job's command when it wants a tick), other databases, other
-- users, run details, checks of the schedule, the raise for an unknown name in unschedule.
create table cron.job (
  jobid bigint generated always as identity primary key,
  jobname text unique,
  schedule text not null,
  command text not null,
  active boolean not null default true
);
create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as $$
  insert into cron.job (jobname, schedule, command) values ($1, $2, $3)
  on conflict (jobname) do update set schedule = excluded.schedule, command = excluded.command
  returning jobid
$$;
create function cron.schedule(schedule text, command text) returns bigint language sql as $$
  insert into cron.job (schedule, command) values ($1, $2) returning jobid
$$;
create function cron.unschedule(job_name text) returns boolean language sql as $$
  with gone as (delete from cron.job where jobname = $1 returning 1) select exists (select from gone)
$$;

-- pg_net. Like the real one it only queues, in the caller's transaction; the harness sends what has been committed.
-- Left out: the worker, responses, time limits, http_get and http_delete.
create table net.http_request_queue (
  id bigint generated always as identity primary key,
  url text not null,
  headers jsonb,
  body jsonb
);
create function net.http_post(
  url text,
  body jsonb default '{}',
  params jsonb default '{}',
  headers jsonb default '{"Content-Type": "application/json"}',
  timeout_milliseconds integer default 5000
) returns bigint language sql as $$
  insert into net.http_request_queue (url, headers, body) values ($1, $4, $2) returning id
$$;

-- Vault. Left out: encryption. The names are those that a migration asks for; the harness knows no others.
create table vault.decrypted_secrets (name text primary key, decrypted_secret text not null);
insert into vault.decrypted_secrets values
  ('project_url', 'http://project.test'), ('service_role_key', 'test-key'), ('anon_key', 'test-key');

-- pgmq. read and pop lock as the real ones do (for update skip locked, pgmq.sql). Left out: headers, conditional reads,
-- polling, partitions, metrics, set_vt; archive deletes.
create type pgmq.message_record as (
  msg_id bigint, read_ct integer, enqueued_at timestamptz, vt timestamptz, message jsonb
);
create function pgmq.create(queue_name text) returns void language plpgsql as $$
begin
  execute format(
    'create table pgmq.%I (msg_id bigint generated always as identity primary key, read_ct integer not null default 0,
      enqueued_at timestamptz not null default now(), vt timestamptz not null, message jsonb)',
    'q_' || queue_name);
end $$;
create function pgmq.send(queue_name text, msg jsonb, delay integer default 0) returns setof bigint language plpgsql as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message) values (clock_timestamp() + make_interval(secs => $2), $1) returning msg_id',
    'q_' || queue_name) using msg, delay;
end $$;
create function pgmq.read(queue_name text, vt integer, qty integer) returns setof pgmq.message_record language plpgsql as $$
begin
  return query execute format(
    'with taken as (
       select msg_id from pgmq.%1$I where vt <= clock_timestamp() order by msg_id limit $1 for update skip locked
     )
     update pgmq.%1$I m set vt = clock_timestamp() + make_interval(secs => $2), read_ct = read_ct + 1
     from taken where m.msg_id = taken.msg_id
     returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message',
    'q_' || queue_name) using qty, vt;
end $$;
create function pgmq.pop(queue_name text) returns setof pgmq.message_record language plpgsql as $$
begin
  return query execute format(
    'with taken as (
       select msg_id from pgmq.%1$I where vt <= clock_timestamp() order by msg_id limit 1 for update skip locked
     )
     delete from pgmq.%1$I where msg_id in (select msg_id from taken)
     returning msg_id, read_ct, enqueued_at, vt, message',
    'q_' || queue_name);
end $$;
create function pgmq.delete(queue_name text, msg_id bigint) returns boolean language plpgsql as $$
declare gone bigint;
begin
  execute format('delete from pgmq.%I where msg_id = $1 returning msg_id', 'q_' || queue_name) into gone using msg_id;
  return gone is not null;
end $$;
create function pgmq.archive(queue_name text, msg_id bigint) returns boolean language sql as $$
  select pgmq.delete(queue_name, msg_id)
$$;

create function pgmq_public.read(queue_name text, sleep_seconds integer, n integer) returns setof pgmq.message_record
  language sql as $$ select * from pgmq.read(queue_name, sleep_seconds, n) $$;
create function pgmq_public.pop(queue_name text) returns setof pgmq.message_record
  language sql as $$ select * from pgmq.pop(queue_name) $$;
create function pgmq_public.send(queue_name text, message jsonb, sleep_seconds integer default 0) returns setof bigint
  language sql as $$ select * from pgmq.send(queue_name, message, sleep_seconds) $$;
create function pgmq_public.delete(queue_name text, message_id bigint) returns boolean
  language sql as $$ select pgmq.delete(queue_name, message_id) $$;
create function pgmq_public.archive(queue_name text, message_id bigint) returns boolean
  language sql as $$ select pgmq.archive(queue_name, message_id) $$;
