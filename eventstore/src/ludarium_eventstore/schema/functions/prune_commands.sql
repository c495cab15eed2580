-- Deletes idempotency keys of events that were appended before `before`, oldest first. It passes over at most `most` rows of the
-- log in one call, and one caller works at a time. Returns the number of rows passed over; fewer than `most`: there are no more.
--
-- The service may not delete keys. This function runs as the owner of the log, and keeps the keys of the last day for every
-- caller. Its progress is a checkpoint, so no row is visited twice. Without a key the version decides: a command that is sent
-- again after that time is refused because its table has moved on.
create or replace function es.prune_commands(before timestamptz, most int) returns int
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  start bigint;
  last  bigint;
begin
  if before > now() - interval '1 day' then
    raise exception 'keys are kept for a day at least' using errcode = 'invalid_parameter_value';
  end if;
  if not pg_try_advisory_xact_lock(7239012045552) then
    return 0;
  end if;
  insert into es.checkpoints (name, position) values ('pruned keys', 0) on conflict do nothing;
  select c.position into start from es.checkpoints c where c.name = 'pruned keys';
  select coalesce(min(e.position) filter (where e.at >= before) - 1, max(e.position), start) into last
  from es.events e where e.lane = 0 and e.position > start and e.position <= start + most;

  delete from es.commands c
  using (
    select e.partition, e.stream_id, max(e.version) as version from es.events e
    where e.lane = 0 and e.position > start and e.position <= last group by e.partition, e.stream_id
  ) old
  where c.partition = old.partition and c.stream_id = old.stream_id and c.version <= old.version;

  update es.checkpoints c set position = last, at = now(), hash = (select e.hash from es.events e where e.lane = 0 and e.position = last)
  where c.name = 'pruned keys' and last > start;
  return last - start;
end $$;

revoke all on function es.prune_commands from public;
grant execute on function es.prune_commands to ludarium_service;
