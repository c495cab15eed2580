-- What somebody has taken back stays so, where the database is set back too.
create function backups.keep_taken_back() returns trigger
language plpgsql
as $$
begin
  perform backups.keep('message-' || new.gone, uuid_send(new.id));
  return null;
end $$;
create trigger message_taken_back after update of gone on chat.messages
  for each row when (new.gone is not null and new.gone is distinct from old.gone) execute function backups.keep_taken_back();
grant execute on function backups.keep_taken_back() to ludarium_service;
