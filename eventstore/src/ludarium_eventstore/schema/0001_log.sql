-- The log. Rows are only ever inserted; within a lane positions are dense and equal to commit order (see 0002_append.sql).
create schema es;

create table es.event_types (
  type smallint primary key,
  name text     not null unique
);

-- Ten bits of a stream's id (services/ids.py): everything that belongs to the stream lies under them, so that a part of the log
-- can be told from the rest, and copied to another server, by its keys alone.
create function es.partition_of(stream uuid) returns smallint
language sql immutable strict parallel safe
return (((get_byte(uuid_send(stream), 6) & 15) << 6) | (get_byte(uuid_send(stream), 7) >> 2))::smallint;

-- hash: the row's link in its stream's chain; root: that of the leaves beside its own (eventstore/chain.py). Neither depends on
-- where the row stands: lane and position are this server's alone. There is one lane for now.
-- The wide columns come first, so that nothing is filled up to where one may begin.
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

-- The streams of each kind, which the type of the first row tells.
create index events_kinds on es.events (type, partition, stream_id) where version = 0;

-- What a stream's first row commits itself to, written with it: the seeds from which its salts and its chance come.
create table es.secrets (
  partition smallint not null,
  stream_id uuid     not null,
  data      bytea    not null,
  primary key (partition, stream_id)
);

-- Idempotency keys, written by the statement that writes their events: a repeated command is found when its stream has
-- moved on since. version is that of the last event that the command made.
create table es.commands (
  partition    smallint not null,
  stream_id    uuid     not null,
  key          uuid     not null,
  request_hash bytea    not null,             -- of few bytes: it tells one's own requests apart
  version      int      not null,
  primary key (partition, stream_id, key)
);

-- How far each projection has read. hash: of the row that it stands on: a log that was set back and has grown again since is
-- another log, although it has a row at that position.
create table es.checkpoints (
  name     text        primary key,
  position bigint      not null,
  at       timestamptz not null default now(),
  hash     bytea       check (octet_length(hash) = 32)
);

-- A cache: dropping all of it changes nothing. code_rev is that of the code that wrote it; another's is ignored.
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

do $$
begin
  create role ludarium_service nologin;
exception when duplicate_object or unique_violation then
  null;                                         -- roles belong to the whole server; another database has made it
end $$;

grant ludarium_service to current_user;
grant usage on schema es to ludarium_service;
grant select on all tables in schema es to ludarium_service;
grant insert on es.events, es.secrets, es.commands, es.event_types, es.documents to ludarium_service;
grant insert, update, delete on es.checkpoints, es.snapshots to ludarium_service;
