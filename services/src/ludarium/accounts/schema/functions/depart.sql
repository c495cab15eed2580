-- Notes that a player was deleted, whichever statement deletes them, also one of a restore (backups.ledger).
create or replace function accounts.depart() returns trigger
language plpgsql
as $$
begin
  insert into accounts.departures as d (player_id, kind) values (old.id, old.kind)
    on conflict (player_id) do update set looks = 0, next_at = now();
  return null;
end $$;
