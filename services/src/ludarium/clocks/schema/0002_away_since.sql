-- How long no process could write since that moment.
create function clocks.away_since(moment timestamptz) returns interval
language sql stable
as $$
  select coalesce(sum(o.until - greatest(o.since, moment)), interval '0') from clocks.outages o where o.until > moment
$$;
