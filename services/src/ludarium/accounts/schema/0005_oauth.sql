-- Apps of other people, and what somebody has let an app do. Whatever is secret is a hash here too.
create table accounts.apps (
  id         uuid        primary key,
  owner_id   uuid        not null references accounts.players on delete cascade,
  name       text        not null check (char_length(name) between 1 and 64),
  redirects  text[]      not null,
  created_at timestamptz not null default now()
);
create index on accounts.apps (owner_id);

-- One approval and all that comes of it, until it is revoked or its app stays away.
create table accounts.grants (
  id         uuid        primary key,
  app_id     uuid        not null references accounts.apps on delete cascade,
  player_id  uuid        not null references accounts.players on delete cascade,
  scopes     text[]      not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on accounts.grants (player_id);
create index on accounts.grants (app_id);
create index on accounts.grants (expires_at);

-- What an app changes for a pair of tokens, once. The pair is derived from the voucher, which is not kept, and from `made`,
-- which is worth nothing without it: so who asks again is told the same pair. redirect, challenge: of a code.
create table accounts.vouchers (
  hash       bytea       primary key check (octet_length(hash) = 32),
  grant_id   uuid        not null references accounts.grants on delete cascade,
  kind       text        not null check (kind in ('code', 'device', 'refresh')),
  redirect   text,
  challenge  text,
  made       uuid,
  used_at    timestamptz,
  check ((made is null) = (used_at is null)),
  check ((kind = 'code') = (challenge is not null))
);
create index on accounts.vouchers (grant_id);

-- Devices that wait for somebody's word. user_hash: of the letters that they show. pause: seconds between two questions.
create table accounts.devices (
  hash       bytea       primary key check (octet_length(hash) = 32),
  user_hash  bytea       not null unique check (octet_length(user_hash) = 32),
  app_id     uuid        not null references accounts.apps on delete cascade,
  scopes     text[]      not null,
  pause      integer     not null,
  denied     boolean     not null default false,
  created_at timestamptz not null default now(),
  asked_at   timestamptz
);
create index on accounts.devices (created_at);
create index on accounts.devices (app_id);

alter table accounts.tokens add column grant_id uuid references accounts.grants on delete cascade;
create index on accounts.tokens (grant_id) where grant_id is not null;
