-- Adds an entry to the ledger, if there are backups.
create or replace function backups.keep(kind text, subject bytea) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
begin atomic
  insert into backups.ledger (kind, subject) select keep.kind, keep.subject where exists (select from backups.done);
end;

grant execute on function backups.keep to ludarium_service;
