-- Idempotency keys of what is made outside a table's own log: tables, guests, tokens. Whoever sends a key is first given the id of
-- what it makes; making it is then a thing that can be done twice. Both hashes are BLAKE2b, the key's covers its caller.
create table accounts.keys (
  key        uuid        primary key,
  request    bytea       not null check (octet_length(request) = 8),
  made       uuid        not null,
  created_at timestamptz not null default now()
);
create index on accounts.keys (created_at);
