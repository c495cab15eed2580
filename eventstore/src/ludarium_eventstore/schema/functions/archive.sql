-- Closes a stream whose rows are in a bundle, unless its head is another row by now; returns whether it did. The owner of the log
-- calls it. The lock keeps appends out meanwhile.
create or replace function es.archive(stream uuid, version int, head bytea, first bigint, last bigint, bundle bytea) returns boolean
language plpgsql
as $$
#variable_conflict use_variable
declare
  part smallint := es.partition_of(stream);
begin
  perform pg_advisory_xact_lock(7239012045551);
  perform from es.events e
  where e.partition = part and e.stream_id = stream and e.version = version and e.hash = head and not exists (
    select from es.events n where n.partition = part and n.stream_id = stream and n.version > version
  );
  if not found then
    return false;
  end if;
  insert into es.archived (first, last, partition, stream_id, version, head, bundle)
  values (first, last, part, stream, version, head, bundle);
  delete from es.commands c where c.partition = part and c.stream_id = stream;
  delete from es.snapshots s where s.partition = part and s.stream_id = stream;
  delete from es.due d where d.partition = part and d.stream_id = stream;
  return true;
end $$;
