-- Bots of other people: a player of kind `bot` has an owner, and goes with them.
alter table accounts.players add column owner_id uuid references accounts.players on delete cascade;

-- What somebody may not do for a time. A row whose time is over says nothing any more.
create table accounts.sanctions (
  player_id uuid        not null references accounts.players on delete cascade,
  kind      text        not null check (kind in ('ban', 'mute')),
  until     timestamptz not null,
  reason    text        not null,
  primary key (player_id, kind)
);

-- Each act of a moderator, for good: who (null: an operator, at the machine), what, whom or which table, why. Ids alone, so that
-- whoever is deleted is gone from here too, but for the words of the reason.
create table accounts.acts (
  id        uuid        primary key,
  kind      text        not null,
  by_id     uuid,
  player_id uuid,
  table_id  uuid,
  reason    text        not null check (char_length(reason) between 1 and 500),
  until     timestamptz,
  at        timestamptz not null default now()
);
create index on accounts.acts (at, id);
create index on accounts.acts (player_id, at);
revoke update, delete on accounts.acts from ludarium_service;

-- While there is a row the house takes no new tables.
create table accounts.drains (
  only_one boolean     primary key default true check (only_one),
  since    timestamptz not null default now(),
  reason   text        not null
);

-- As those of 0006_rights.sql: no samples of what is said of somebody.
alter table accounts.sanctions alter column reason set statistics 0;
alter table accounts.acts alter column reason set statistics 0;
alter table accounts.drains alter column reason set statistics 0;
