-- What was deleted or said otherwise stands in the files of a table until they are written anew, which is done before a base is copied:
-- where this says that there is something. name: of the table; null: somebody has gone, so any may have words of theirs, in rows
-- that never came to be too. seen: by a copy that is under way; what comes after it needs a mark of its own.
create table backups.touched (
  id   bigint  primary key generated always as identity,
  name text,
  seen boolean not null default false
);
insert into backups.touched (name) values (null);           -- whatever was deleted before

-- No two transactions wait for each other here: marks are not unique.
create function backups.touch() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  name_ text := case when tg_op = 'UPDATE' or tg_table_name <> 'players' then tg_table_schema || '.' || tg_table_name end;
begin
  if not exists (select from backups.touched t where t.name is not distinct from name_ and not t.seen) then
    insert into backups.touched (name) values (name_);
  end if;
  return null;
end $$;
grant execute on function backups.touch() to ludarium_service;

create trigger touched after delete or update of name on accounts.players for each statement execute function backups.touch();
create trigger touched after delete or update of name, key on accounts.logins for each statement execute function backups.touch();
create trigger touched after delete or update of address on accounts.mails for each statement execute function backups.touch();
create trigger touched after delete or update of address on accounts.letters for each statement execute function backups.touch();
create trigger touched after delete or update of name on accounts.passkeys for each statement execute function backups.touch();
create trigger touched after delete or update of name on accounts.tokens for each statement execute function backups.touch();
create trigger touched after delete or update of name, redirects on accounts.apps for each statement execute function backups.touch();
create trigger touched after delete or update of redirect on accounts.vouchers for each statement execute function backups.touch();
create trigger touched after delete or update of text on accounts.reports for each statement execute function backups.touch();
create trigger touched after delete or update of reason on accounts.sanctions for each statement execute function backups.touch();
create trigger touched after delete or update of reason on accounts.acts for each statement execute function backups.touch();
create trigger touched after delete or update of reason on accounts.drains for each statement execute function backups.touch();
create trigger touched after delete or update of text on chat.messages for each statement execute function backups.touch();
