-- Logins of deleted accounts stay reserved for 180 days, so that nobody else can take them over and be mistaken for their owner.
-- hash: SHA-256 of the key of the login.
create table accounts.retired_logins (
  hash       bytea       primary key check (octet_length(hash) = 32),
  until      timestamptz not null default now() + interval '180 days'
);
create index on accounts.retired_logins (until);

-- For every statement that deletes a player, also the one of a restore (backups.ledger).
create function accounts.retire_login() returns trigger
language plpgsql
as $$
begin
  insert into accounts.retired_logins (hash) values (sha256(convert_to(old.key, 'UTF8')))
    on conflict (hash) do update set until = excluded.until;
  return null;
end $$;
create trigger login_retired after delete on accounts.logins for each row execute function accounts.retire_login();
