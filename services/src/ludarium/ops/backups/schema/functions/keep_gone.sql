-- Records what must stay deleted or revoked: a token, a passkey, a rejoin code, a player with everything of theirs.
create or replace function backups.keep_gone() returns trigger
language plpgsql
as $$
begin
  if tg_table_name = 'players' then
    perform backups.keep('player-deleted', uuid_send(old.id));
  elsif tg_table_name = 'passkeys' then
    perform backups.keep('passkey-removed', old.id);
  elsif tg_table_name = 'rejoin_codes' then
    perform backups.keep('code-ended', old.hash);
  else
    perform backups.keep('token-ended', old.hash);
  end if;
  return null;
end $$;

grant execute on function backups.keep_gone to ludarium_service;
