-- Staff sign in by passkey: of a session, whether it was begun so. Sessions from before were not.
alter table accounts.tokens add column passkey boolean not null default false;

-- Codes that an operator has made at the machine: each lets a moderator or an administrator add a passkey, once.
create table accounts.enrolments (
  hash       bytea       primary key check (octet_length(hash) = 32),
  player_id  uuid        not null references accounts.players on delete cascade,
  created_at timestamptz not null default now()
);
create index on accounts.enrolments (player_id);
