-- Players. Names and everything else that can identify a person are here and nowhere else: the log has ids only, so a
-- person can be deleted without touching it. Secrets are kept as BLAKE2b-256 hashes.
create schema accounts;

-- owner_id: of a bot of other people; it is deleted with its owner.
create table accounts.players (
  id             uuid        primary key,
  kind           text        not null check (kind in ('guest', 'account', 'bot')),
  name           text        not null check (char_length(name) between 1 and 32),
  created_at     timestamptz not null default now(),
  role           text        not null default 'player' check (role in ('player', 'organiser', 'moderator', 'admin')),
  hides_history  boolean     not null default false,
  hides_presence boolean     not null default false,
  owner_id       uuid        references accounts.players on delete cascade
);
create index players_owner_id_idx on accounts.players (owner_id) where owner_id is not null;

-- Apps of other people.
create table accounts.apps (
  id         uuid        primary key,
  owner_id   uuid        not null references accounts.players on delete cascade,
  name       text        not null check (char_length(name) between 1 and 64),
  redirects  text[]      not null,
  created_at timestamptz not null default now()
);
create index on accounts.apps (owner_id);

-- One approval and everything that comes of it, until it is revoked or its app stays away.
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

-- What a token may do and how long. A session may do whatever its player may; its scopes are empty. passkey: whether a session was
-- begun with one, as staff must.
create table accounts.tokens (
  hash       bytea       primary key check (octet_length(hash) = 32),
  player_id  uuid        not null references accounts.players on delete cascade,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  kind       text        not null default 'session' check (kind in ('session', 'personal', 'app')),
  name       text        check (char_length(name) between 1 and 64),
  scopes     text[]      not null default '{}',
  expires_at timestamptz,
  used_at    timestamptz,
  grant_id   uuid        references accounts.grants on delete cascade,
  passkey    boolean     not null default false
);
create index on accounts.tokens (player_id);
create index on accounts.tokens (grant_id) where grant_id is not null;

create table accounts.rejoin_codes (
  hash       bytea       primary key check (octet_length(hash) = 32),
  player_id  uuid        not null references accounts.players on delete cascade,
  created_at timestamptz not null default now()
);
create index on accounts.rejoin_codes (player_id);

-- Idempotency keys of what is made outside a table's own log: tables, guests, tokens. A caller that sends a key first gets the id of
-- what it makes, so that making it twice changes nothing. Both hashes are BLAKE2b; the key's covers its caller.
create table accounts.keys (
  key        uuid        primary key,
  request    bytea       not null check (octet_length(request) = 8),
  made       uuid        not null,
  created_at timestamptz not null default now()
);
create index on accounts.keys (created_at);

-- key: how the name looks, so that no two look alike.
create table accounts.logins (
  player_id  uuid        primary key references accounts.players on delete cascade,
  name       text        not null check (char_length(name) between 3 and 32),
  key        text        not null unique,
  created_at timestamptz not null default now()
);

-- Logins of deleted accounts stay reserved for 180 days, so that nobody else can take them over and be mistaken for their owner.
-- hash: SHA-256 of the key of the login.
create table accounts.retired_logins (
  hash       bytea       primary key check (octet_length(hash) = 32),
  until      timestamptz not null default now() + interval '180 days'
);
create index on accounts.retired_logins (until);

create table accounts.passwords (
  player_id  uuid        primary key references accounts.players on delete cascade,
  hash       text        not null check (hash like '$argon2id$%'),
  changed_at timestamptz not null default now()
);

create table accounts.passkeys (
  id         bytea       primary key check (octet_length(id) between 1 and 1023),
  player_id  uuid        not null references accounts.players on delete cascade,
  public_key bytea       not null,
  sign_count bigint      not null,
  name       text        not null check (char_length(name) between 1 and 64),
  created_at timestamptz not null default now(),
  used_at    timestamptz
);
create index on accounts.passkeys (player_id);

-- Codes that an operator has made at the machine: each lets a moderator or an administrator add a passkey, once.
create table accounts.enrolments (
  hash       bytea       primary key check (octet_length(hash) = 32),
  player_id  uuid        not null references accounts.players on delete cascade,
  created_at timestamptz not null default now()
);
create index on accounts.enrolments (player_id);

-- What a passkey has to sign; each is used once. player_id: of the player who registers a passkey; null for a sign-in.
create table accounts.challenges (
  hash       bytea       primary key check (octet_length(hash) = 32),
  player_id  uuid        references accounts.players on delete cascade,
  created_at timestamptz not null default now()
);
create index on accounts.challenges (created_at);

create table accounts.mails (
  player_id   uuid        primary key references accounts.players on delete cascade,
  address     text        not null check (char_length(address) between 3 and 254),
  verified_at timestamptz
);

-- Codes that were sent by e-mail to this address; each is used once.
create table accounts.letters (
  hash       bytea       primary key check (octet_length(hash) = 32),
  player_id  uuid        not null references accounts.players on delete cascade,
  purpose    text        not null check (purpose in ('verify', 'reset')),
  address    text        not null check (char_length(address) between 3 and 254),
  created_at timestamptz not null default now()
);
create index on accounts.letters (player_id);
create index on accounts.letters (created_at);

-- When e-mails went to a recipient within the last day. key: a hash of the recipient and of the purpose.
create table accounts.mailings (
  key        bytea         primary key check (octet_length(key) = 32),
  times      timestamptz[] not null,
  last_at    timestamptz   not null default now()
);
create index on accounts.mailings (last_at);

-- Consecutive failed sign-ins. key: a hash of the account and of the address that they came from.
create table accounts.failures (
  key        bytea       primary key check (octet_length(key) = 32),
  times      integer     not null check (times > 0),
  last_at    timestamptz not null default now()
);
create index on accounts.failures (last_at);

-- Sign-ins, for their owner to read, and to recognise devices and addresses from which the owner has signed in before.
-- place: a hash of the player and the address. token: the hash of the session's token, also after that has ended.
create table accounts.sign_ins (
  id         bigint      primary key generated always as identity,
  player_id  uuid        not null references accounts.players on delete cascade,
  way        text        not null,
  succeeded  boolean     not null,
  place      bytea       not null check (octet_length(place) = 32),
  token      bytea       check (octet_length(token) = 32),
  network    text        not null check (char_length(network) <= 64),
  client     text        not null check (char_length(client) <= 64),
  at         timestamptz not null default now()
);
create index on accounts.sign_ins (player_id, at);
create index on accounts.sign_ins (at);

-- What an app exchanges for a pair of tokens, once. The pair is derived from the voucher, which is not kept, and from `made`,
-- which is worthless without it: so a repeated request gets the same pair. redirect, challenge: of a code.
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

-- Devices that wait for approval. user_hash: of the code that they show. pause: seconds between two polls.
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

-- Deleted players. Their seats and words are removed a moment later, by any process. looks: how often a process has looked for
-- what is left; next_at: when to look again, null when it was often enough.
create table accounts.departures (
  player_id  uuid        primary key,
  kind       text        not null,
  asked_at   timestamptz not null default now(),
  looks      integer     not null default 0,
  next_at    timestamptz default now()
);
create index on accounts.departures (next_at) where next_at is not null;

create table accounts.blocks (
  player_id  uuid        not null references accounts.players on delete cascade,
  other_id   uuid        not null references accounts.players on delete cascade,
  at         timestamptz not null default now(),
  primary key (player_id, other_id)
);
create index on accounts.blocks (other_id);

create table accounts.follows (
  player_id  uuid        not null references accounts.players on delete cascade,
  other_id   uuid        not null references accounts.players on delete cascade,
  at         timestamptz not null default now(),
  primary key (player_id, other_id)
);
create index on accounts.follows (other_id);

-- Open invitations to tables and tournaments; hosts and players may have a limited number of them.
create table accounts.asked (
  object    uuid        not null,
  kind      text        not null check (kind in ('table', 'tournament')),
  player_id uuid        not null references accounts.players on delete cascade,
  host_id   uuid        not null references accounts.players on delete cascade,
  at        timestamptz not null default clock_timestamp(),
  until     timestamptz not null,
  primary key (object, player_id)
);
create index on accounts.asked (player_id);
create index on accounts.asked (host_id);

-- About a player, a table, a message there, or a name that a host has given to a player in a tournament.
-- text: null when either of the two people was deleted.
create table accounts.reports (
  id            uuid        primary key,
  reporter_id   uuid        not null,
  player_id     uuid,
  table_id      uuid,
  message_id    uuid,
  reason        text        not null,
  text          text        check (char_length(text) <= 1000),
  at            timestamptz not null default now(),
  closed_at     timestamptz,
  closed_by     uuid,
  tournament_id uuid,
  listed_name   text        check (char_length(listed_name) <= 60),
  check (num_nonnulls(player_id, table_id) > 0)
);
create index on accounts.reports (reporter_id, at);
create index on accounts.reports (player_id, at);
create index on accounts.reports (at) where closed_at is null;

-- What a player may not do for a time. A row whose time is over has no effect.
create table accounts.sanctions (
  player_id uuid        not null references accounts.players on delete cascade,
  kind      text        not null check (kind in ('ban', 'mute')),
  until     timestamptz not null,
  reason    text        not null,
  primary key (player_id, kind)
);

-- Each act of a moderator, for good: who (null: an operator, at the machine), what, which player or table, why. Ids alone, so that
-- a deleted player is gone from here too, except for the words of the reason.
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

-- While there is a row the server opens no new tables.
create table accounts.drains (
  only_one boolean     primary key default true check (only_one),
  since    timestamptz not null default now(),
  reason   text        not null
);

-- The planner keeps samples of what a column holds, and would keep those of deleted players.
alter table accounts.players alter column name set statistics 0;
alter table accounts.logins alter column name set statistics 0, alter column key set statistics 0;
alter table accounts.mails alter column address set statistics 0;
alter table accounts.letters alter column address set statistics 0;
alter table accounts.passkeys alter column name set statistics 0;
alter table accounts.tokens alter column name set statistics 0;
alter table accounts.apps alter column name set statistics 0, alter column redirects set statistics 0;
alter table accounts.vouchers alter column redirect set statistics 0;
alter table accounts.reports alter column text set statistics 0, alter column listed_name set statistics 0;
alter table accounts.sanctions alter column reason set statistics 0;
alter table accounts.acts alter column reason set statistics 0;
alter table accounts.drains alter column reason set statistics 0;
alter table accounts.sign_ins alter column network set statistics 0, alter column client set statistics 0;

-- The service's login owns nothing: what it may do here it is granted, also with tables that are yet to come.
grant usage on schema accounts to ludarium_service;
grant select, insert, update, delete on all tables in schema accounts to ludarium_service;
alter default privileges in schema accounts grant select, insert, update, delete on tables to ludarium_service;
revoke update, delete on accounts.acts from ludarium_service;
