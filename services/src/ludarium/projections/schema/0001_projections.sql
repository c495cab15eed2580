-- What is computed from the log, one schema for each projection: `ludarium rebuild` computes it anew in another schema, which then
-- replaces it. To fill a schema again, empty it and delete its row of es.checkpoints. grants.sql has the grants.

-- The list of tables, with what can be searched for. listed_at: when it was opened, which derived ids do not tell. people: at the table;
-- running games with most of them are listed first. Null: written by a release that did not have the column.
create schema lobby;
create table lobby.tables (
  id         uuid        primary key,
  listed_at  timestamptz not null,
  ruleset    text        not null,
  status     text        not null,
  visibility text        not null,
  body       jsonb       not null,
  seats      int,
  clock      text,
  rated      bool,
  people     int
);
create index on lobby.tables (status, listed_at, id);
create index on lobby.tables (ruleset, listed_at, id);
-- Of all tables few are open, and most requests ask for those.
create index tables_open on lobby.tables (listed_at, id) where status = 'open' and visibility = 'public';
create index tables_worth_watching on lobby.tables (coalesce(people, 0), listed_at, id)
  where status = 'playing' and visibility = 'public';

-- Who takes part at a table, and whose turn it is: by seat, or -1 for the host who does not sit there. since: the version since which
-- the present decision is asked for. ticked: the moment up to which the table's move timers are computed; outages after it move the
-- deadline back; null: none does.
create schema turns;
create table turns.parts (
  id     uuid  not null,
  part   int   not null,
  listed_at timestamptz not null,
  player text,
  bot    text,
  status text  not null,
  asked  bool  not null,
  since  int   not null,
  body   jsonb not null,
  deadline timestamptz,
  ticked timestamptz,
  primary key (id, part)
);
create index on turns.parts (player, listed_at, id);
create index on turns.parts (id) where bot is not null and asked;
-- Most of a player's tables are over, and requests twice a second do not ask for those.
create index parts_playing on turns.parts (player, id) where status = 'playing';

-- The version of each table that turns.parts shows. Two processes may write it, the one that has committed and the one that follows
-- the log: a write with an older version changes nothing. hash: of that event; after a fail-over another one may have its number.
create table turns.heads (
  id  uuid primary key,
  seq int  not null,
  hash bytea
) with (fillfactor = 70);                       -- rewritten in place, move by move

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

-- The list of finished games, with what can be searched for, computed from `body`. ended: RFC 3339 in UTC with milliseconds, which
-- sorts as text. winners: how many seats share the first place; 0: there is none. bots: built-in ones; programs: seats of other
-- people's bots.
create schema records;
create table records.games (
  id         uuid          primary key,
  listed_at  timestamptz   not null,
  ruleset    text          not null,
  visibility text          not null,
  body       jsonb         not null,
  ended      text collate "C" generated always as (body ->> 'ended_at') stored,
  events     int   generated always as ((body ->> 'events')::int) stored,
  seats      int   generated always as (jsonb_array_length(body -> 'table' -> 'seats')) stored,
  winners    int   generated always as (jsonb_array_length(jsonb_path_query_array(body, '$.outcome[*] ? (@ == 1)'))) stored,
  bots       jsonb generated always as (jsonb_path_query_array(body, '$.table.seats[*].bot ? (@ != null)')) stored,
  programs   int   generated always as (
    jsonb_array_length(jsonb_path_query_array(body, '$.table.seats[*].owner ? (@ != null)'))) stored
);
create index on records.games (ruleset, listed_at, id);
create index games_by_end on records.games (ended, id) where visibility = 'public';
create index games_by_length on records.games (events, id) where visibility = 'public';
create index games_ruleset_by_end on records.games (ruleset, ended, id) where visibility = 'public';
create index games_ruleset_by_length on records.games (ruleset, events, id) where visibility = 'public';

-- Statistics of finished games.
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

-- Shared deals that are not revealed yet. A deal has one row here for as long as it runs, so the search for deals to reveal
-- passes over none that was.
create schema deals;
create table deals.waiting (id uuid primary key);

-- Tournaments as a list, and those that need attention: a round is published and not closed.
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

-- Cards and tiles that a seat ever held in finished public games, and how often it won: by what is printed, not by the single piece.
create schema cards;
create table cards.held (
  ruleset text   not null,
  seats   int    not null,
  seat    int    not null,
  bot     bool   not null,
  kind    text   not null,                      -- '' counts every game
  games   bigint not null,
  wins    bigint not null,
  primary key (ruleset, kind, seats, seat, bot)
);

-- The tables that were over within each hour, and a root over each hour that has passed.
create schema heads;
create table heads.tables (
  id   uuid        primary key,
  hour timestamptz not null,
  head bytea       not null
);
create index on heads.tables (hour);
create table heads.hours (
  hour     timestamptz not null,
  root     bytea       not null,
  previous bytea       not null,
  count    int         not null,
  lane     smallint    not null default 0,      -- of the log
  primary key (lane, hour)
);

-- Who sat at which finished public game, with what can be searched for among a player's games. The columns are those of records.games.
create schema seats;
create table seats.games (
  player   text   not null,
  id       uuid   not null,
  ended    text   collate "C" not null,
  events   int    not null,
  ruleset  text   not null,
  seats    int    not null,
  place    int,                                 -- null: none was found
  winners  int    not null,
  bots     jsonb  not null,
  programs int    not null,
  primary key (player, id)
);
create index on seats.games (player, ended, id);
create index on seats.games (player, events, id);

-- Ratings of people by the rated games that they have finished. All of it is computed from `games` and `verdicts`, in the order of the
-- positions: a pool (a ruleset, and whether two or many sat there) is computed again from the first of them that has changed.
-- Only play rates, or what an official ruled whom the operator of the site has sanctioned for that tournament.
create schema ratings;
create table ratings.games (
  id         uuid        primary key,
  position   bigint      not null,
  at         timestamptz not null,
  ruleset    text        not null,
  size       text        not null,
  players    text[]      not null,              -- by seat
  places     int[]       not null,
  public     bool        not null,
  tournament uuid,                              -- and what it was played for there
  stage      int,
  round      int,
  board      int,
  adjudicated bool       not null default false,          -- ended by a ruling
  resigned    bool       not null default false
);
create index on ratings.games (ruleset, size, position);
create index on ratings.games (tournament, stage, round, board) where tournament is not null;
create index on ratings.games using gin (players);

-- The result of a board of a tournament, which counts instead of the one at its table. Empty places: it has no result.
create table ratings.verdicts (
  tournament uuid  not null,
  stage      int   not null,
  round      int   not null,
  board      int   not null,
  told       int[],
  absent     int[] not null default '{}',       -- seats whose players never came
  ruled      int[],
  primary key (tournament, stage, round, board)
);

-- The tables that count of each board of a tournament: its only game, or each of a match; none that was played again elsewhere.
create table ratings.boards (
  tournament uuid  not null,
  stage      int   not null,
  round      int   not null,
  board      int   not null,
  game       int   not null,                    -- of a match, from 1
  id         uuid  not null unique,             -- of the table
  absent     int[] not null default '{}',       -- seats of the table whose players never came
  forced     bool  not null default false,      -- an official without a sanction ruled while this was its newest game
  primary key (tournament, stage, round, board, game)
);

create table ratings.steps (
  ruleset   text   not null,
  size      text   not null,
  player    text   not null,
  position  bigint not null,                    -- of the game that led to this rating
  game      uuid   not null,
  nth       int    not null,
  mean      float8 not null,
  deviation float8 not null,
  primary key (ruleset, size, player, position)
);
create index on ratings.steps (ruleset, size, position);

-- The newest step of each player.
create table ratings.players (
  ruleset   text   not null,
  size      text   not null,
  player    text   not null,
  games     int    not null,
  mean      float8 not null,
  deviation float8 not null,
  shown     int    not null,
  primary key (player, ruleset, size)
);
create index on ratings.players (ruleset, size, shown desc, player);

-- The sanctioned officials of a tournament, by player id.
create table ratings.sanctions (
  tournament uuid   primary key,
  officials  text[] not null
);

-- Games that an administrator took out of the ratings.
create table ratings.voids (
  game uuid primary key
);

-- Whom tournaments have to notify: their entries; and of the round that was published last, its tables and which are featured.
create schema calls;
create table calls.entries (
  tournament uuid not null,
  entry      int  not null,
  player     text not null,
  primary key (tournament, entry)
);
create index on calls.entries (player);

create table calls.boards (
  tournament uuid   primary key,
  tables     uuid[] not null                    -- by board
);

create table calls.featured (
  tournament uuid not null,
  board      int  not null,
  primary key (tournament, board)
);

-- Which finished public game was played for which tournament. The columns are those of records.games.
create schema boards;
create table boards.games (
  tournament uuid   not null,
  id         uuid   primary key,
  ended      text   collate "C" not null,
  events     int    not null,
  ruleset    text   not null,
  seats      int    not null,
  winners    int    not null,
  bots       jsonb  not null,
  programs   int    not null
);
create index on boards.games (tournament, ended, id);
create index on boards.games (tournament, events, id);
