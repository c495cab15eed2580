-- The operator lets organisers seat people who signed up elsewhere.
alter table accounts.players drop constraint players_role_check;
alter table accounts.players add constraint players_role_check
  check (role in ('player', 'organiser', 'moderator', 'admin')) not valid;
alter table accounts.players validate constraint players_role_check;

-- Open invitations to tables and tournaments, which hosts and players may have so many of.
create table accounts.asked (
  object    uuid        not null,
  kind      text        not null check (kind in ('table', 'tournament')),
  player_id uuid        not null references accounts.players on delete cascade,
  host_id   uuid        not null references accounts.players on delete cascade,
  at        timestamptz not null default clock_timestamp(),
  until     timestamptz not null,
  primary key (object, player_id)
);
create index on accounts.asked (player_id);
create index on accounts.asked (host_id);

-- A report of a name that a host has given to a player in a tournament.
alter table accounts.reports add column tournament_id uuid, add column listed_name text check (char_length(listed_name) <= 60);
alter table accounts.reports alter column listed_name set statistics 0;
