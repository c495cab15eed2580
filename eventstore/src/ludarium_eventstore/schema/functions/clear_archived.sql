-- Deletes at most `most` rows of the archived stream that has waited longest, the first ones first, and its secret. Returns how many
-- rows; null: no stream is left. The owner of the log calls it, one caller at a time.
create or replace function es.clear_archived(most int) returns int
language plpgsql
as $$
declare
  found_  es.archived;
  fresh   int8multirange;
  touched int8multirange;
  gone    int;
begin
  perform pg_advisory_xact_lock(7239012045553);
  select * into found_ from es.archived where not cleared order by nth limit 1;
  if not found then
    return null;
  end if;
  with deleted as (
    delete from es.events e
    where e.partition = found_.partition and e.stream_id = found_.stream_id and e.version in (
      select n.version from es.events n where n.partition = found_.partition and n.stream_id = found_.stream_id
      order by n.version limit most
    ) returning e.position
  ) select range_agg(int8range(position, position, '[]')), count(*) into fresh, gone from deleted;
  with joined as (
    delete from es.gaps g
    where g.last in (select lower(f) - 1 from unnest(fresh) f) or g.first in (select upper(f) from unnest(fresh) f)
    returning int8range(g.first, g.last, '[]') as span
  ) select range_agg(span) into touched from joined;
  insert into es.gaps (first, last)
  select lower(s), upper(s) - 1 from unnest(coalesce(fresh, '{}') + coalesce(touched, '{}')) s;
  delete from es.secrets s where s.partition = found_.partition and s.stream_id = found_.stream_id;
  if gone < most then
    update es.archived a set cleared = true where a.nth = found_.nth;
  end if;
  return gone;
end $$;
