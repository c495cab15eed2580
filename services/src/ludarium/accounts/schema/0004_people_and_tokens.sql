-- What a token may do and how long, and accounts: how somebody signs in. Secrets are hashes here too; what identifies a person
-- (login, mail, what they call their things) goes when the player's row goes.
alter table accounts.players
  add column role text not null default 'player' check (role in ('player', 'moderator', 'admin'));

-- A row as the release before writes it is a session: it may do whatever its player may, and `scopes` says nothing.
-- That release would take any row for a session; the tokens of other kinds have another form, which it refuses unasked.
alter table accounts.tokens
  add column kind       text        not null default 'session' check (kind in ('session', 'personal', 'app')),
  add column name       text        check (char_length(name) between 1 and 64),
  add column scopes     text[]      not null default '{}',
  add column expires_at timestamptz,
  add column used_at    timestamptz;

-- key: how the name looks, so that no two look alike.
create table accounts.logins (
  player_id  uuid        primary key references accounts.players on delete cascade,
  name       text        not null check (char_length(name) between 3 and 32),
  key        text        not null unique,
  created_at timestamptz not null default now()
);

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

-- What a passkey is to sign; each is used once. player_id: who registers one; null while somebody signs in.
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

-- Codes that went out by mail, to this address; each is used once.
create table accounts.letters (
  hash       bytea       primary key check (octet_length(hash) = 32),
  player_id  uuid        not null references accounts.players on delete cascade,
  purpose    text        not null check (purpose in ('verify', 'reset')),
  address    text        not null check (char_length(address) between 3 and 254),
  created_at timestamptz not null default now()
);
create index on accounts.letters (player_id);
create index on accounts.letters (created_at);

-- Sign-ins that failed, one after the other. key: a hash of whom they were for, and from where.
create table accounts.failures (
  key        bytea       primary key check (octet_length(key) = 32),
  times      integer     not null check (times > 0),
  last_at    timestamptz not null default now()
);
create index on accounts.failures (last_at);
