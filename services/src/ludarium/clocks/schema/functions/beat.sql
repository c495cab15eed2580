-- Records a sign of life, and returns the outages that ended after `known`. longest: the most that may lie between two signs.
create or replace function clocks.beat(longest interval, known timestamptz) returns table (at timestamptz, outages timestamptz[])
language plpgsql
as $$
#variable_conflict use_column
declare
  last timestamptz;
  now_ timestamptz;
begin
  select b.at into last from clocks.beat b for update;
  now_ := es.now();
  if last is null then
    insert into clocks.beat (at) values (now_) on conflict do nothing;
  else
    if now_ - last > longest then
      insert into clocks.outages (since, until) values (last, now_) on conflict do nothing;
    end if;
    update clocks.beat b set at = greatest(b.at, now_);
  end if;
  return query select now_, coalesce((
    select array_agg(array[o.since, o.until] order by o.until) from clocks.outages o where o.until > known
  ), '{}');
end $$;

grant execute on function clocks.beat to ludarium_service;
