-- The log. Rows are only ever inserted; positions are dense and equal to commit order (see 0002_append.sql).
create schema es;

create table es.event_types (
  type smallint primary key,
  name text     not null unique
);

create table es.events (
  position  bigint      not null unique,
  stream_id uuid        not null,
  version   int         not null check (version >= 0),
  type      smallint    not null,
  schema    smallint    not null,
  at        timestamptz not null,
  data      bytea       not null,
  hash      bytea       not null check (octet_length(hash) = 32),
  primary key (stream_id, version)
);

-- Idempotency keys, written by the statement that writes their events: a repeated command is found when its stream has
-- moved on since. version is that of the last event that the command made.
create table es.commands (
  stream_id    uuid  not null,
  key          uuid  not null,
  request_hash bytea not null,
  version      int   not null,
  primary key (stream_id, key)
);

-- How far each projection has read.
create table es.checkpoints (
  name     text        primary key,
  position bigint      not null,
  at       timestamptz not null default now()
);

-- A cache: dropping all of it changes nothing. code_rev is that of the code that wrote it; another's is ignored.
create table es.snapshots (
  stream_id uuid  not null,
  version   int   not null,
  code_rev  text  not null,
  data      bytea not null,
  primary key (stream_id, version)
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
grant insert on es.events, es.commands, es.event_types, es.documents to ludarium_service;
grant insert, update, delete on es.checkpoints, es.snapshots to ludarium_service;
