-- Who sat at which finished public game, with what one looks for among somebody's games. The columns are those of records.games.
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
