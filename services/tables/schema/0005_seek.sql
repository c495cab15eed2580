-- As in 0002_tickets.sql, but tickets of a day ago are found by their index, not among all that were matched since.
create or replace function entry.seek(
  ticket uuid, who text, kind_ bytea, wanted_ bytea, seats int, next_match uuid, fresh interval
) returns uuid language plpgsql as $$
#variable_conflict use_column
declare
  found_ uuid[];
  mine uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended(encode(kind_, 'hex'), 0));
  select t.match into mine from entry.tickets t where t.id = ticket;
  if mine is not null then
    return mine;
  end if;
  delete from entry.tickets t where t.player = who and t.match is null and t.id <> ticket;
  delete from entry.tickets t
    where t.kind = kind_ and t.made_at < clock_timestamp() - interval '1 day' and t.seen_at < clock_timestamp() - interval '1 day';
  insert into entry.tickets (id, player, kind, wanted) values (ticket, who, kind_, wanted_)
    on conflict (id) do update set seen_at = clock_timestamp();
  found_ := array(
    select t.id from entry.tickets t
    where t.kind = kind_ and t.match is null and t.seen_at > clock_timestamp() - fresh
    order by t.made_at, t.id limit seats
  );
  if cardinality(found_) < seats then
    return null;
  end if;
  update entry.tickets t set match = next_match, seat = o.seat
    from (select f.id, (row_number() over (order by random()))::int - 1 as seat from unnest(found_) as f(id)) o where t.id = o.id;
  return (select t.match from entry.tickets t where t.id = ticket);
end $$;
