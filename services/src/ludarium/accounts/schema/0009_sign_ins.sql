-- Sign-ins, for their owner to read, and so that a device or an address is recognised from which the owner has signed in.
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

-- When e-mails went to a recipient within the last day. key: a hash of the recipient and of what they are counted for.
create table accounts.mailings (
  key        bytea         primary key check (octet_length(key) = 32),
  times      timestamptz[] not null,
  last_at    timestamptz   not null default now()
);
create index on accounts.mailings (last_at);

alter table accounts.sign_ins alter column network set statistics 0, alter column client set statistics 0;
