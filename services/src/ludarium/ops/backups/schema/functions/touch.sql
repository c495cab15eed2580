-- Notes that words in a table were deleted or changed. Rows of backups.touched are not unique, so no two transactions wait for each
-- other here.
create or replace function backups.touch() returns trigger
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

grant execute on function backups.touch to ludarium_service;
