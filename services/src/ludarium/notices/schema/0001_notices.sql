-- What players have done with their notices. The notices themselves are derived, and are in no table of this schema.
create schema notices;

-- Notices that a player has read, on any device. notice: its id, which follows from what it is about.
create table notices.reads (
  player_id uuid        not null references accounts.players on delete cascade,
  notice    uuid        not null,
  at        timestamptz not null default now(),
  primary key (player_id, notice)
);

grant usage on schema notices to ludarium_service;
grant select, insert, update, delete on notices.reads to ludarium_service;
