-- Records a ban, a mute or the end of one: the player, and until when in microseconds.
create or replace function backups.keep_sanction() returns trigger
language plpgsql
as $$
begin
  perform backups.keep('player-' || new.kind,
                       uuid_send(new.player_id) || int8send((extract(epoch from new.until) * 1000000)::bigint));
  return null;
end $$;

grant execute on function backups.keep_sanction to ludarium_service;
