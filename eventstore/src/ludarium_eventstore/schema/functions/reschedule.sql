-- Moves the deadline of a stream to `until`, unless it is another one than `was` or the stream has events after `seen`.
-- seen: the version of the stream when the caller computed the deadline; null: do not compare.
-- The lock keeps appends out meanwhile.
create or replace function es.reschedule(stream uuid, was timestamptz, until timestamptz, seen int) returns void
language plpgsql
as $$
begin
  perform pg_advisory_xact_lock(7239012045551);
  update es.due d set at = until, claimed = '-infinity'
  where d.partition = es.partition_of(stream) and d.stream_id = stream and d.at = was and not exists (
    select 1 from es.events e where e.partition = d.partition and e.stream_id = stream and e.version > seen
  );
end $$;
