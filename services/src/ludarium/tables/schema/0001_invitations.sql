-- Who may come to a table besides those whom its policies let in. The log says only by which way somebody came; what they showed
-- stands here, and can be revoked.
create schema entry;

-- Links: whoever has the secret may become a guest of the table, `most` of them at all.
create table entry.links (
  id         uuid        primary key,
  table_id   uuid        not null,
  secret     bytea       not null unique check (octet_length(secret) = 32),    -- its BLAKE2b-256
  most       int         not null,
  used       int         not null default 0 check (used <= most),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index on entry.links (table_id);

-- Guests: people who were invited by name (no link), or who came by a link.
create table entry.guests (
  table_id   uuid        not null,
  player     text        not null,
  link       uuid        references entry.links on delete cascade,
  invited_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (table_id, player)
);
create index on entry.guests (player, invited_at);

grant usage on schema entry to ludarium_service;
grant select, insert, update, delete on entry.links, entry.guests to ludarium_service;
