-- Who may come to a table besides the players that its policies let in. The log has only the way by which a player came; the links
-- and names are here, and can be revoked.
create schema entry;

-- Links: anyone with the secret may become a guest of the table, at most `most` players.
create table entry.links (
  id         uuid        primary key,
  table_id   uuid        not null,
  secret     bytea       not null unique check (octet_length(secret) = 32),    -- its BLAKE2b-256
  most       int         not null,
  used       int         not null default 0 check (used <= most),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index on entry.links (table_id);

-- Guests: players who were invited by name (no link), or who came by a link. seat: the one that an invited player takes if they name
-- none; it is not reserved for them.
create table entry.guests (
  table_id   uuid        not null,
  player     text        not null,
  link       uuid        references entry.links on delete cascade,
  invited_at timestamptz not null default now(),
  revoked_at timestamptz,
  seat       smallint,
  primary key (table_id, player)
);
create index on entry.guests (player, invited_at);

-- The matchmaking queue. A ticket is valid as long as its player asks for it; `kind` is what they want to play, and tickets of the
-- same kind are matched, oldest first. The match comes first, and its id is the table's: so after a crash before the table exists the
-- next player who asks makes it, and nobody sits at two. barred: players whom this one has blocked or who have blocked this one.
create table entry.tickets (
  id      uuid        primary key,
  player  text        not null,
  kind    bytea       not null check (octet_length(kind) = 16),
  wanted  bytea       not null,                 -- JSON
  made_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  match   uuid,
  seat    int,
  barred  text[]      not null default '{}'
);
create unique index tickets_waiting on entry.tickets (player) where match is null;
create index on entry.tickets (kind, made_at, id) where match is null;
create index on entry.tickets (match, seat);
create index tickets_old on entry.tickets (kind, made_at);

grant usage on schema entry to ludarium_service;
grant select, insert, update, delete on entry.links, entry.guests, entry.tickets to ludarium_service;

-- What players say at a table. It is not in the log, so that it can be taken back and deleted.
create schema chat;

-- The last number that was given in each room: it never goes back, whatever is deleted.
create table chat.rooms (
  table_id uuid not null,
  room     text not null check (room in ('seats', 'spectators')),
  last     int  not null,
  primary key (table_id, room)
);

-- A phrase or a text, until it is deleted. A message that its author has hidden is shown to nobody.
create table chat.messages (
  id       uuid        primary key,
  table_id uuid        not null,
  room     text        not null,
  number   int         not null,
  player   text        not null,
  phrase   text,
  text     text,
  at       timestamptz not null default clock_timestamp(),
  gone     text        check (gone in ('hidden', 'deleted')),
  unique (table_id, room, number),
  check (num_nonnulls(phrase, text) = case when gone = 'deleted' then 0 else 1 end)
);
create index on chat.messages (player, at);
create index on chat.messages (at);

-- No samples of words of people: see accounts.
alter table chat.messages alter column text set statistics 0;

grant usage on schema chat to ludarium_service;
grant select, insert, update, delete on chat.rooms, chat.messages to ludarium_service;
