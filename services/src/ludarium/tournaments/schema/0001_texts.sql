-- Words about tournaments: titles, codes, reasons, disputes. They stand beside the log, so that they can be taken back; its rows
-- name them by their ids.
create schema tournament_texts;

create table tournament_texts.texts (
  id         uuid        primary key,
  tournament uuid        not null,
  title      text        not null,
  body       text        not null default '',
  code       text        not null default '',
  at         timestamptz not null default clock_timestamp()
);
create index on tournament_texts.texts (tournament);

grant usage on schema tournament_texts to ludarium_service;
grant select, insert, update, delete on tournament_texts.texts to ludarium_service;
