-- Calls entry.seek for all who ask at the same moment, in their order, in one transaction. One call at a time for all kinds, since each
-- deletes what its player looked for before. Returns the tickets that have a match, with all players of it by their seats.
create or replace function entry.seek_all(
  tickets_ uuid[], players_ text[], kinds_ bytea[], wanted_ bytea[], seats_ int[], matches_ uuid[], barred_ text[], fresh_ interval
) returns table (id uuid, match uuid, players text[]) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('entry.seek_all', 0));
  for nth in 1 .. cardinality(tickets_) loop
    perform entry.seek(
      tickets_[nth], players_[nth], kinds_[nth], wanted_[nth], seats_[nth], matches_[nth], fresh_,
      array(select jsonb_array_elements_text(barred_[nth]::jsonb))
    );
  end loop;
  return query
    select t.id, t.match, array(select o.player from entry.tickets o where o.match = t.match order by o.seat)
    from entry.tickets t where t.id = any (tickets_) and t.match is not null;
end $$;

grant execute on function entry.seek_all to ludarium_service;
