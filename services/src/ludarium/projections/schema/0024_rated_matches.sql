-- The tables that count of each board of a tournament: its only game, or each of a match; none that was played again elsewhere.
-- What `told` and `absent` of ratings.verdicts were for stands here; releases before this one write them.
create table ratings.boards (
  tournament uuid  not null,
  stage      int   not null,
  round      int   not null,
  board      int   not null,
  game       int   not null,                    -- of a match, from 1
  id         uuid  not null unique,             -- of the table
  absent     int[] not null default '{}',       -- seats of the table whose players never came
  primary key (tournament, stage, round, board, game)
);
