-- Records that players have brought here to look at: files, in no stream, list, statistic or rating.
create schema imports;

create table imports.records (
  id         uuid        primary key,
  player_id  uuid        not null references accounts.players on delete cascade,
  digest     bytea       not null,              -- of the file: a player who brings the same one again has it once
  head       bytea       not null,              -- the hash of its last event
  size       int         not null,              -- bytes of the file
  at         timestamptz not null default clock_timestamp(),
  body       jsonb       not null,              -- a summary
  data       bytea       not null,              -- the file, gzipped
  unique (player_id, digest)
);
create index on imports.records (player_id, at, id);
alter table imports.records alter column data set storage external;

-- No samples of names in a file: see accounts.
alter table imports.records alter column body set statistics 0, alter column data set statistics 0;

create trigger touched after delete or update of body, data on imports.records
  for each statement execute function backups.touch();

grant usage on schema imports to ludarium_service;
grant select, insert, update, delete on imports.records to ludarium_service;
