-- Who was banned or muted stays so, and who was let off too: the player, and until when in microseconds.
create function backups.keep_sanction() returns trigger
language plpgsql
as $$
begin
  perform backups.keep('player-' || new.kind,
                       uuid_send(new.player_id) || int8send((extract(epoch from new.until) * 1000000)::bigint));
  return null;
end $$;
create trigger sanctioned after insert or update of until on accounts.sanctions
  for each row execute function backups.keep_sanction();
grant execute on function backups.keep_sanction() to ludarium_service;
