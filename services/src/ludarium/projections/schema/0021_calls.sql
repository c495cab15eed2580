-- Whom tournaments have something to say to: their entries; and of the round that was published last, tables and which are featured.
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
