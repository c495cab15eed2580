-- Reserves the login of a deleted account, whichever statement deletes it, also one of a restore (backups.ledger).
create or replace function accounts.retire_login() returns trigger
language plpgsql
as $$
begin
  insert into accounts.retired_logins (hash) values (sha256(convert_to(old.key, 'UTF8')))
    on conflict (hash) do update set until = excluded.until;
  return null;
end $$;
