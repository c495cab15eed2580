-- Ratings of people by the rated games that they have finished. All of it follows from `games` and `verdicts`, in the order of the
-- positions: a pool (a ruleset, and whether two or many sat there) is computed again from the first of them that has changed.
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
  board      int
);
create index on ratings.games (ruleset, size, position);
create index on ratings.games (tournament, stage, round, board) where tournament is not null;

-- What a tournament says of a board, which counts instead of what was found at its table. Empty places: it has no result.
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

create table ratings.steps (
  ruleset   text   not null,
  size      text   not null,
  player    text   not null,
  position  bigint not null,                    -- of the game after which they were so
  game      uuid   not null,
  nth       int    not null,
  mean      float8 not null,
  deviation float8 not null,
  primary key (ruleset, size, player, position)
);
create index on ratings.steps (ruleset, size, position);

-- The newest step of each.
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
