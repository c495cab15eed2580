-- The log. Rows are only ever inserted; within a lane positions are dense and equal to commit order (functions/append.sql).
create schema es;

-- The checksums of all files of all schemas that were ever run on this database, in their order. A function has one row for each
-- text that it has had.
create table public.ludarium_migrations (
  nth      bigint      primary key generated always as identity,
  name     text        not null,
  checksum bytea       not null,
  at       timestamptz not null default now(),
  unique (name, checksum)
);

do $$
begin
  create role ludarium_service nologin;
exception when duplicate_object or unique_violation then
  null;                                         -- roles belong to the whole server; another database has made it
end $$;

-- The logs of this database, one for each lane; there is one for now. id: its name elsewhere, in what is signed and in backups.
create table es.logs (
  lane smallint primary key,
  id   uuid     not null unique default gen_random_uuid()
);
insert into es.logs (lane) values (0);

create table es.event_types (
  type smallint primary key,
  name text     not null unique
);

-- partition: ten bits of the stream's id (functions/partition_of.sql), so that everything that belongs to a stream lies under one
-- partition, which can be copied to another server by its keys alone.
-- hash: the row's link in its stream's chain; root: that of the leaves beside its own (chain.py). Neither depends on where the row
-- stands: lane and position are this server's alone.
-- The wide columns come first, so that rows need no padding.
create table es.events (
  position  bigint      not null,
  at        timestamptz not null,
  version   int         not null check (version >= 0),
  type      smallint    not null,
  schema    smallint    not null,
  lane      smallint    not null default 0,
  partition smallint    not null,
  stream_id uuid        not null,
  data      bytea       not null,
  root      bytea       not null check (octet_length(root) = 32),
  hash      bytea       not null check (octet_length(hash) = 32),
  primary key (partition, stream_id, version),
  unique (lane, position) with (fillfactor = 100)        -- it only ever grows at its end
);

-- The streams of each kind, by the type of their first event.
create index events_kinds on es.events (type, partition, stream_id) where version = 0;

-- What a stream's first event commits itself to, written with it: the seeds of its salts and of its chance.
create table es.secrets (
  partition smallint not null,
  stream_id uuid     not null,
  data      bytea    not null,
  primary key (partition, stream_id)
);

-- Idempotency keys, written by the statement that writes their events: a repeated command is found when its stream has
-- moved on since. version: of the last event that the command made.
create table es.commands (
  partition    smallint not null,
  stream_id    uuid     not null,
  key          uuid     not null,
  request_hash bytea    not null,             -- a few bytes: enough to tell the requests of one caller apart
  version      int      not null,
  primary key (partition, stream_id, key)
);

-- How far each projection has read. hash: of the event at that position: a log that was set back and has grown again is
-- another log, although it has an event at that position.
create table es.checkpoints (
  name     text        not null,
  position bigint      not null,
  at       timestamptz not null default now(),
  hash     bytea       check (octet_length(hash) = 32),
  lane     smallint    not null default 0 references es.logs,
  primary key (name, lane)
);

-- A cache: dropping all of it changes nothing. code_rev: of the code that wrote it; other revisions ignore it.
create table es.snapshots (
  partition smallint not null,
  stream_id uuid     not null,
  version   int      not null,
  code_rev  text     not null,
  data      bytea    not null,
  primary key (partition, stream_id, version)
);

-- Data that events name by its BLAKE2b-256 hash, stored once.
create table es.documents (
  hash bytea primary key check (octet_length(hash) = 32),
  data bytea not null
);

-- When the next deadline of a stream is, if nothing is appended before; 'infinity': there is none. It may be earlier than the
-- actual deadline, never later: most events move a deadline back and leave this row as it is, and a process that finds nothing to do
-- reschedules it. claimed: until then one process handles it, and others wait.
create table es.due (
  partition smallint    not null,
  stream_id uuid        not null,
  at        timestamptz not null,
  claimed   timestamptz not null default '-infinity',
  primary key (partition, stream_id)
) with (fillfactor = 80);
create index due_at on es.due (at) where at < 'infinity';

-- Streams whose rows were moved to bundles outside the database (archive.py). Such a stream is closed, and read from its bundle; its
-- rows are deleted afterwards. nth: the order of archiving. version, head, last: of its last row; head is that row's hash.
-- bundle: the hash of the file. cleared: none of its rows is in the log any more.
create table es.archived (
  nth       bigint   generated always as identity unique,
  first     bigint   not null,
  last      bigint   not null,
  partition smallint not null,
  stream_id uuid     not null,
  version   int      not null,
  cleared   boolean  not null default false,
  head      bytea    not null check (octet_length(head) = 32),
  bundle    bytea    not null check (octet_length(bundle) = 32),
  primary key (partition, stream_id)
);
create index archived_left on es.archived (nth) where not cleared;
create index archived_span on es.archived using gist (int8range(first, last, '[]'));

-- The positions of archived rows, as spans that do not touch each other. Any other missing position is damage.
create table es.gaps (
  first bigint primary key,
  last  bigint not null unique
);

grant ludarium_service to current_user;
grant usage on schema es to ludarium_service;
grant select on all tables in schema es to ludarium_service;
grant insert on es.events, es.secrets, es.commands, es.event_types, es.documents to ludarium_service;
grant insert, update, delete on es.checkpoints, es.snapshots to ludarium_service;
grant insert, update on es.due to ludarium_service;
alter default privileges in schema es grant execute on functions to ludarium_service;

-- Each process compares what has been run with what it needs, before it is ready.
grant select on public.ludarium_migrations to ludarium_service;
