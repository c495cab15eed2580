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
