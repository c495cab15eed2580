-- What is derived from the log, a schema for each projection: `ludarium rebuild` makes it anew beside it and takes its place.
-- Emptying a schema and its row of es.checkpoints fills it again.
drop schema lobby cascade;

-- The tables as a list, with what one looks for.
create schema lobby;
create table lobby.tables (
  id         uuid        primary key,
  listed_at  timestamptz not null,              -- when it was opened: ids that are derived do not tell
  ruleset    text        not null,
  status     text        not null,
  visibility text        not null,
  body       jsonb       not null
);
create index on lobby.tables (status, listed_at, id);
create index on lobby.tables (ruleset, listed_at, id);

-- Who has a part at a table, and who is asked: a seat, or -1 for who opened the table and does not sit there.
create schema turns;
create table turns.parts (
  id     uuid  not null,
  part   int   not null,
  listed_at timestamptz not null,
  player text,
  bot    text,
  status text  not null,
  asked  bool  not null,
  since  int   not null,                        -- the version since which it is asked what it is asked now
  body   jsonb not null,
  primary key (id, part)
);
create index on turns.parts (player, listed_at, id);
create index on turns.parts (id) where bot is not null and asked;

-- The newest view of each public game as spectators see it.
create schema positions;
create table positions.views (
  id      uuid  primary key,
  ruleset text  not null,
  status  text  not null,
  seq     int   not null,
  body    bytea not null                        -- JSON
);
create index on positions.views (status, id);
create index on positions.views (ruleset, id);

-- Finished games, view by view.
create schema frames;
create table frames.blocks (
  id       uuid not null,
  audience int  not null,                       -- a seat, or -1 for spectators
  first    int  not null,                       -- versions of the first and the last view
  last     int  not null,
  body     bytea storage external not null,     -- JSON lines, gzipped
  primary key (id, audience, first)
);

-- Finished games, as a list.
create schema records;
create table records.games (
  id         uuid          primary key,
  listed_at  timestamptz   not null,
  ruleset    text          not null,
  visibility text          not null,
  body       jsonb         not null
);
create index on records.games (ruleset, listed_at, id);

-- Finished games in figures.
create schema statistics;
create table statistics.games (
  ruleset  text   not null,
  seats    int    not null,
  games    bigint not null,
  events   bigint not null,                     -- of all these games together
  shortest int    not null,
  longest  int    not null,
  primary key (ruleset, seats)
);
create table statistics.results (
  ruleset text   not null,
  seats   int    not null,
  seat    int    not null,
  bot     text   not null,                      -- '' for people
  place   int    not null,
  games   bigint not null,
  primary key (ruleset, seats, seat, bot, place)
);
