-- Tournaments as a list, and those at which something is to be done: a round is published and not closed.
create schema tournaments;

create table tournaments.listed (
  id        uuid        primary key,
  listed_at timestamptz not null,
  status    text        not null,
  ruleset   text        not null,
  owner     text        not null,
  text      uuid        not null,
  stages    int         not null,
  entries   int         not null default 0,
  running   bool        not null default false
);
create index on tournaments.listed (listed_at desc, id desc);
create index on tournaments.listed (id) where running;
create index on tournaments.listed (owner);
