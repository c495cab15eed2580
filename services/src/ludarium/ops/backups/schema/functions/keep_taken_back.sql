-- Records that a message was hidden or deleted.
create or replace function backups.keep_taken_back() returns trigger
language plpgsql
as $$
begin
  perform backups.keep('message-' || new.gone, uuid_send(new.id));
  return null;
end $$;

grant execute on function backups.keep_taken_back to ludarium_service;
