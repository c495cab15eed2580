-- What is known of backups apart from the log, and what has to outlive going back to one.
create schema backups;

-- When something was last done: a base backup, the log brought there, the ledger shipped, a restore that was tried out.
create table backups.done (
  kind text        primary key check (kind in ('base', 'log', 'ledger', 'restore')),
  at   timestamptz not null
);

-- What must stay so even where the database is set back to an earlier moment. `ludarium backup` moves it to a file next to the
-- backups, `ludarium ledger ship` to a place of its own. Nothing is recorded for a server without backups.
create table backups.ledger (
  id      bigint      primary key generated always as identity,
  at      timestamptz not null default now(),
  kind    text        not null,
  subject bytea       not null
);

-- Events that the log has lost, as a process that misses them knows: of one stream, or at some time within a span.
-- kept: the last version that is in the log still, -1: none. lost: the hash of the last event that is gone. noted: at its table.
create table backups.cuts (
  id         bigint      primary key generated always as identity,
  found_at   timestamptz not null default now(),
  stream_id  uuid,
  kept       int         check (kept >= -1),
  lost       bytea       check (octet_length(lost) = 32),
  since      timestamptz,
  until      timestamptz,
  noted      boolean     not null default false,
  lane       smallint    not null default 0 references es.logs,
  check (num_nulls(stream_id, kept, lost) in (0, 3) and num_nulls(since, until) in (0, 2)
         and num_nulls(stream_id, since) = 1),
  unique (stream_id, lost)
);
create index on backups.cuts (id) where not noted and stream_id is not null;

-- The operator's signature under lost events: `ludarium cuts sign`.
create table backups.signed_cuts (
  id        bigint primary key references backups.cuts on delete cascade,
  key       text   not null,
  signature text   not null
);

-- Deleted and changed words remain in the files of a table until they are rewritten, which is done before a base backup is copied if
-- there is a row here. name: of the table; null: a player was deleted, so any table may have words of theirs, also in rows that were
-- rolled back. seen: by a copy that is under way; later changes need a row of their own.
create table backups.touched (
  id   bigint  primary key generated always as identity,
  name text,
  seen boolean not null default false
);
insert into backups.touched (name) values (null);           -- before the first base backup all tables are rewritten once

-- The newest mark of each place of backups, as it was written or last seen there: which files the place has, and how far its log goes.
-- follows: `ludarium backup --follow` writes there now. faults: found by the last check; the follower adds one if the mark was set back.
create table backups.marks (
  place      text        primary key,
  number     bigint      not null,
  at         timestamptz not null,
  follows    boolean     not null,
  faults     int         not null default 0,
  checked_at timestamptz
);

grant usage on schema backups to ludarium_service;
grant select on backups.done, backups.signed_cuts, backups.marks to ludarium_service;
grant select, insert on backups.cuts to ludarium_service;
grant update (noted) on backups.cuts to ludarium_service;
