-- The tables as a list, with what one looks for. Derived from the log: emptying both and starting the service fills
-- them again.
create schema lobby;

create table lobby.tables (
  id         uuid   primary key,              -- UUIDv7: also the order of creation
  seq        int    not null,                 -- of the row that this was told by; never goes back
  ruleset    text   not null,
  status     text   not null,
  visibility text   not null,
  bots       bool   not null,                 -- whether any seat is a bot's
  body       jsonb  not null
);
create index on lobby.tables (status, id);
create index on lobby.tables (ruleset, id);

create table lobby.progress (only_row bool primary key default true check (only_row), position bigint not null);
