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
