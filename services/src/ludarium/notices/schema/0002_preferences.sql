-- Which notices a player does not want: kinds, and what is about these tables or caused by these people.
create table notices.preferences (
  player_id uuid        primary key references accounts.players on delete cascade,
  kinds     text[]      not null default '{}',
  tables    text[]      not null default '{}',
  people    text[]      not null default '{}',
  at        timestamptz not null default now()
);

grant select, insert, update, delete on notices.preferences to ludarium_service;
