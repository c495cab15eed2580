-- How far a player has read a chat room, on any device.
create table chat.reads (
  player   text not null,
  table_id uuid not null,
  room     text not null check (room in ('seats', 'spectators')),
  number   int  not null,
  at       timestamptz not null default clock_timestamp(),
  primary key (player, table_id, room)
);

grant select, insert, update, delete on chat.reads to ludarium_service;
