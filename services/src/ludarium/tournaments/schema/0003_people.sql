-- What hosts call those whom they have entered: words, which stand beside the log and go with the player.
create table tournament_texts.names (
  tournament uuid        not null,
  player_id  uuid        not null references accounts.players on delete cascade,
  name       text        not null,
  at         timestamptz not null default clock_timestamp(),
  primary key (tournament, player_id)
);
create index on tournament_texts.names (player_id);

-- From where players entered and checked in, for 30 days: a hash under the key of the tournament, so that it says nothing elsewhere.
create table tournament_texts.addresses (
  tournament uuid        not null,
  player_id  uuid        not null references accounts.players on delete cascade,
  address    bytea       not null check (length(address) = 16),
  expires_at timestamptz not null,
  primary key (tournament, player_id, address)
);
create index on tournament_texts.addresses (player_id);
create index on tournament_texts.addresses (expires_at);

grant select, insert, update, delete on tournament_texts.names, tournament_texts.addresses to ludarium_service;

-- As 0002_touched.sql.
alter table tournament_texts.names alter column name set statistics 0;
alter table tournament_texts.addresses alter column address set statistics 0;
create trigger touched after delete or update of name on tournament_texts.names
  for each statement execute function backups.touch();
create trigger touched after delete or update of address on tournament_texts.addresses
  for each statement execute function backups.touch();
