-- Who plays. Names and all that can identify a person stand here and nowhere else: the log knows ids only, so a
-- person can be forgotten without touching it. Secrets are kept as BLAKE2b-256 hashes.
create schema accounts;

create table accounts.players (
  id         uuid        primary key,
  kind       text        not null check (kind in ('guest', 'account', 'bot')),
  name       text        not null check (char_length(name) between 1 and 32),
  created_at timestamptz not null default now()
);

create table accounts.tokens (
  hash       bytea       primary key check (octet_length(hash) = 32),
  player_id  uuid        not null references accounts.players on delete cascade,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index on accounts.tokens (player_id);

create table accounts.rejoin_codes (
  hash       bytea       primary key check (octet_length(hash) = 32),
  player_id  uuid        not null references accounts.players on delete cascade,
  created_at timestamptz not null default now()
);
create index on accounts.rejoin_codes (player_id);
