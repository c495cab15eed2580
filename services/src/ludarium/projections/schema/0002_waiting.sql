-- What waits for each player at a table now, written with turns.parts. seat: the player's, or -1. seq: the event that the notice is
-- about, and `at` its time. by: the player who caused it. Tables that no process of this release has written have no rows until their
-- next event, or until `ludarium rebuild turns`.
create table turns.waiting (
  id      uuid        not null,
  player  text        not null,
  kind    text        not null,
  seat    int         not null,
  seq     int         not null,
  at      timestamptz not null,
  by      text,
  detail  text,
  ruleset text        not null,
  primary key (id, player, kind)
);
create index on turns.waiting (player, at);
