-- What people say at a table. It stands beside the log, so that it can be taken back and forgotten.
create schema chat;

-- The last number that was given in each room: it never goes back, whatever is forgotten.
create table chat.rooms (
  table_id uuid not null,
  room     text not null check (room in ('seats', 'spectators')),
  last     int  not null,
  primary key (table_id, room)
);

-- One of phrase and text, until it is deleted. Hidden by who said it, it is told to nobody.
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

grant usage on schema chat to ludarium_service;
grant select, insert, update, delete on chat.rooms, chat.messages to ludarium_service;
