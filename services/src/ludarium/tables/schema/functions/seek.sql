-- Adds or refreshes the ticket of a player, and matches it once `seats` tickets of its kind may all play with each other: the caller,
-- and those who have waited longest. Returns the id of the match, if there is one; its seats are in random order. Earlier tickets of
-- this player are deleted. barred_: the players that this one must not meet.
create or replace function entry.seek(
  ticket uuid, who text, kind_ bytea, wanted_ bytea, seats int, next_match uuid, fresh interval, barred_ text[]
) returns uuid language plpgsql as $$
#variable_conflict use_column
declare
  found_ uuid[] := '{}';
  players_ text[] := '{}';
  shunned text[] := '{}';
  other record;
  mine uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended(encode(kind_, 'hex'), 0));
  select t.match into mine from entry.tickets t where t.id = ticket;
  if mine is not null then
    return mine;
  end if;
  delete from entry.tickets t where t.player = who and t.match is null and t.id <> ticket;
  delete from entry.tickets t                                -- made_at is what the index has
    where t.kind = kind_ and t.made_at < clock_timestamp() - interval '1 day' and t.seen_at < clock_timestamp() - interval '1 day';
  insert into entry.tickets (id, player, kind, wanted, barred) values (ticket, who, kind_, wanted_, barred_)
    on conflict (id) do update set seen_at = clock_timestamp(), barred = excluded.barred;
  for other in
    select t.id, t.player, t.barred from entry.tickets t
    where t.kind = kind_ and t.match is null and t.seen_at > clock_timestamp() - fresh
    order by t.id <> ticket, t.made_at, t.id
  loop
    if other.player <> all (shunned) and not other.barred && players_ then
      found_ := found_ || other.id;
      players_ := players_ || other.player;
      shunned := shunned || other.barred;
    end if;
    exit when cardinality(found_) = seats;
  end loop;
  if cardinality(found_) < seats then
    return null;
  end if;
  update entry.tickets t set match = next_match, seat = o.seat, barred = '{}'
    from (select f.id, (row_number() over (order by random()))::int - 1 as seat from unnest(found_) as f(id)) o where t.id = o.id;
  return (select t.match from entry.tickets t where t.id = ticket);
end $$;

grant execute on function entry.seek to ludarium_service;
