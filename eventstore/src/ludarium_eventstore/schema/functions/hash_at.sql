-- The hash of the row at a position; 32 zero bytes if that row was archived; null if there never was one, or it is missing.
create or replace function es.hash_at(place bigint) returns bytea
language sql stable
return coalesce(
  (select e.hash from es.events e where e.lane = 0 and e.position = place),
  (select decode(repeat('00', 32), 'hex') from es.gaps g where g.first <= place and g.last >= place)
);
