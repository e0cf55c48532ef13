-- pg_cron, pg_net, pgmq and Vault as far as a migration can tell them from the real ones (pg_cron--1.3--1.4.sql, src/job_metadata.c).
-- Left out: running jobs, checks of the schedule, other users, privileges.
create schema cron;
create schema net;
create schema vault;
create schema pgmq;
create schema extensions;

create table cron.job (
  jobid bigint generated always as identity primary key,
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport int not null default 5432,
  database text not null default current_database(),
  username text not null default 'postgres',
  active boolean not null default true,
  jobname text,
  constraint jobname_username_uniq unique (jobname, username)
);
create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as $$
  insert into cron.job (jobname, schedule, command) values ($1, $2, $3)
  on conflict on constraint jobname_username_uniq do update set schedule = excluded.schedule, command = excluded.command
  returning jobid
$$;
create function cron.schedule(schedule text, command text) returns bigint language sql as $$
  insert into cron.job (schedule, command) values ($1, $2) returning jobid
$$;
create function cron.schedule_in_database(
  job_name text, schedule text, command text, database text, username text default null, active boolean default true
) returns bigint language sql as $$
  insert into cron.job (jobname, schedule, command, database, active) values ($1, $2, $3, $4, $6)
  on conflict on constraint jobname_username_uniq
  do update set schedule = excluded.schedule, command = excluded.command, database = excluded.database
  returning jobid
$$;
create function cron.unschedule(job_name text) returns boolean language plpgsql as $$
begin
  delete from cron.job where jobname = job_name;
  if not found then raise exception 'could not find valid entry for job ''%''', job_name; end if;
  return true;
end $$;
create function cron.unschedule(job_id bigint) returns boolean language plpgsql as $$
begin
  delete from cron.job where jobid = job_id;
  if not found then raise exception 'could not find valid entry for job ''%''', job_id; end if;
  return true;
end $$;
create function cron.alter_job(
  job_id bigint, schedule text default null, command text default null, database text default null,
  username text default null, active boolean default null
) returns void language sql as $$
  update cron.job as j
  set schedule = coalesce($2, j.schedule), command = coalesce($3, j.command), database = coalesce($4, j.database),
      active = coalesce($6, j.active)
  where jobid = $1
$$;

create function net.http_post(
  url text, body jsonb default '{}', params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds int default 5000
) returns bigint language sql as 'select 1::bigint';
create function net.http_get(
  url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds int default 5000
) returns bigint language sql as 'select 1::bigint';
create table vault.decrypted_secrets (name text, decrypted_secret text);
create function pgmq.create(queue_name text) returns void language sql as '';
