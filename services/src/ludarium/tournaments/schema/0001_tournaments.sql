-- Words about tournaments: titles, codes, reasons, disputes. They are not in the log, so that they can be taken back; its events
-- name them by their ids.
create schema tournament_texts;

-- player_id: the author; the text is deleted with their account.
create table tournament_texts.texts (
  id         uuid        primary key,
  tournament uuid        not null,
  title      text        not null,
  body       text        not null default '',
  code       text        not null default '',
  at         timestamptz not null default clock_timestamp(),
  player_id  uuid        references accounts.players on delete cascade
);
create index on tournament_texts.texts (tournament);
create index texts_by_author on tournament_texts.texts (player_id);

-- Names that hosts have given to the players of their tournaments; they are deleted with the player. own: its bearer has changed it, and
-- a host can no longer change it. withdrawn: by a moderator; it is empty, and nobody can give the player another one there.
create table tournament_texts.names (
  tournament uuid        not null,
  player_id  uuid        not null references accounts.players on delete cascade,
  name       text        not null,
  at         timestamptz not null default clock_timestamp(),
  own        boolean     not null default false,
  withdrawn  boolean     not null default false,
  primary key (tournament, player_id)
);
create index on tournament_texts.names (player_id);

-- From where players entered and checked in, for 30 days: a hash under the key of the tournament, so that it is useless elsewhere.
create table tournament_texts.addresses (
  tournament uuid        not null,
  player_id  uuid        not null references accounts.players on delete cascade,
  address    bytea       not null check (length(address) = 16),
  expires_at timestamptz not null,
  primary key (tournament, player_id, address)
);
create index on tournament_texts.addresses (player_id);
create index on tournament_texts.addresses (expires_at);

-- No samples of words of people: see accounts.
alter table tournament_texts.texts
  alter column title set statistics 0, alter column body set statistics 0, alter column code set statistics 0;
alter table tournament_texts.names alter column name set statistics 0;
alter table tournament_texts.addresses alter column address set statistics 0;

create trigger touched after delete or update of title, body, code on tournament_texts.texts
  for each statement execute function backups.touch();
create trigger touched after delete or update of name on tournament_texts.names
  for each statement execute function backups.touch();
create trigger touched after delete or update of address on tournament_texts.addresses
  for each statement execute function backups.touch();

grant usage on schema tournament_texts to ludarium_service;
grant select, insert, update, delete on tournament_texts.texts, tournament_texts.names, tournament_texts.addresses
  to ludarium_service;
