-- Which process plays the bots of a table, and until when no other does. Unlogged: a PostgreSQL that crashes forgets all of
-- them, and the first process that looks takes up the bots that still owe an answer.
create schema bots;
create unlogged table bots.leases (
  id     uuid        primary key,
  holder uuid        not null,                  -- of a process: each draws its own when it starts
  until  timestamptz not null
);

grant usage on schema bots to ludarium_service;
grant select, insert, update, delete on bots.leases to ludarium_service;
