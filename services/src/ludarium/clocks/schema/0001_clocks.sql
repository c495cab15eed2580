-- When the service was available, and when players want to rest.
create schema clocks;

-- One row: a process could write at this time. A process that finds it too old has found an outage, and records it, once.
create table clocks.beat (
  one bool        primary key default true check (one),
  at  timestamptz not null
);

create table clocks.outages (
  since timestamptz primary key,
  until timestamptz not null check (until > since)
);

-- A player's playing hours and vacations, as msgpack (clocks/playing_hours.py). For a move timer the newest ones count that were set in
-- good time before it began.
create table clocks.rests (
  player text        not null,
  since  timestamptz not null,
  data   bytea       not null,
  primary key (player, since)
);

grant usage on schema clocks to ludarium_service;
grant select, insert, update on clocks.beat, clocks.outages, clocks.rests to ludarium_service;
grant delete on clocks.rests to ludarium_service;
