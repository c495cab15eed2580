-- Who looks for others to play with. A ticket holds as long as its player asks after it; `kind` is what they want to play, and those
-- who want the same are matched, oldest first. The match comes first, and its id is the table's: so a crash before the table is
-- there is made up for by whoever of them asks next, and nobody sits at two.
create table entry.tickets (
  id      uuid        primary key,
  player  text        not null,
  kind    bytea       not null check (octet_length(kind) = 16),
  wanted  bytea       not null,                 -- JSON
  made_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  match   uuid,
  seat    int
);
create unique index tickets_waiting on entry.tickets (player) where match is null;
create index on entry.tickets (kind, made_at, id) where match is null;
create index on entry.tickets (match, seat);

-- A ticket is there, its player is too, and if that makes `seats` of a kind they have a match, of this id, in an order that chance
-- gives. What there was of this player before is forgotten.
create function entry.seek(ticket uuid, who text, kind_ bytea, wanted_ bytea, seats int, next_match uuid, fresh interval)
returns uuid language plpgsql as $$
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
  delete from entry.tickets t where t.kind = kind_ and t.seen_at < clock_timestamp() - interval '1 day';
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

grant select, insert, update, delete on entry.tickets to ludarium_service;
grant execute on function entry.seek to ludarium_service;
